# The shared library of systems with ELF, and the DLL by mingw-w64: it exports what games call, and nothing else. libkifu.a
# comes with it.
set(map ${CMAKE_CURRENT_BINARY_DIR}/kifu.map)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/include/*.h)
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
add_custom_command(OUTPUT ${map}
  COMMAND ${CMAKE_COMMAND} -D FOLDER=${CMAKE_CURRENT_SOURCE_DIR}/include -D VERSION=${soversion} -D OUTPUT=${map}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/exports.cmake
  DEPENDS ${headers} ${CMAKE_CURRENT_SOURCE_DIR}/exports.cmake
  VERBATIM)
target_sources(kifu PRIVATE ${map})
target_link_options(kifu PRIVATE LINKER:--version-script=${map})
set_property(TARGET kifu APPEND PROPERTY LINK_DEPENDS ${map})
# Headers name macros and static functions, too, which lld would not accept.
include(CheckLinkerFlag)
check_linker_flag(C LINKER:--undefined-version KIFU_HAS_UNDEFINED_VERSION)
if(KIFU_HAS_UNDEFINED_VERSION)
  target_link_options(kifu PRIVATE LINKER:--undefined-version)
endif()

add_library(kifu_static STATIC $<TARGET_OBJECTS:kifu>)
set_target_properties(kifu_static PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME kifu EXPORT_NAME static)

# These call what the shared library does not export. A program that links one has all of the static library, and nothing of
# the shared one: it never has one version of a function from here, and another from there.
foreach(target kifu_json kifu_tool)
  if(TARGET ${target})
    add_dependencies(${target} kifu_static)
    target_link_options(${target} INTERFACE "SHELL:LINKER:--as-needed \
LINKER:--whole-archive $<TARGET_FILE:$<TARGET_NAME:kifu_static>> LINKER:--no-whole-archive")
  endif()
endforeach()
