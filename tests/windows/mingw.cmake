# CMake's toolchain file for Windows programs, built on another system by mingw-w64 and run there by wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
# Generators run here; libraries and headers are those for Windows.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
find_program(KIFU_WINE NAMES wine64 wine PATHS /usr/lib/wine)
mark_as_advanced(KIFU_WINE)
if(KIFU_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${KIFU_WINE})
endif()
