# A game's rules as WebAssembly: kifu_add_game(… WEB …).
#
# What Emscripten compiles is no target of this build, whose compiler is another one: each file has a command of its own.
#
#   KIFU_WEB           whether games are compiled for pages, where emcc is found
#   KIFU_EMCC          emcc
#   KIFU_WEB_LIBRARY   Kifu as WebAssembly: of this build, or of the installed package

cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

option(KIFU_WEB "Compile games with WEB for their pages, if emcc is found" ON)

# Says once why pages cannot play.
function(kifu_say_no_web why)
  get_property(said GLOBAL PROPERTY KIFU_SAID_NO_WEB)
  if(NOT said)
    message(STATUS "Pages cannot play (`html --play`), because ${why}")
    set_property(GLOBAL PROPERTY KIFU_SAID_NO_WEB TRUE)
  endif()
endfunction()

# `*found`: whether games can be compiled for pages.
function(kifu_find_emcc found)
  set(${found} FALSE PARENT_SCOPE)
  if(NOT KIFU_WEB)
    return()
  endif()
  find_program(KIFU_EMCC emcc DOC "Emscripten, 3.1.6 or later, for games with WEB")
  mark_as_advanced(KIFU_EMCC)
  if(KIFU_EMCC)
    set(${found} TRUE PARENT_SCOPE)
    return()
  endif()
  kifu_say_no_web("there is no emcc. Debian, Ubuntu: apt install emscripten. Or name it with -DKIFU_EMCC=…")
endfunction()

# Compiles C for pages, a command for each file. `*objects`: what comes out, in `folder`. What follows the flags are the
# sources.
function(kifu_compile_for_web objects folder flags depends)
  set(made)
  foreach(source IN LISTS ARGN)
    get_filename_component(source ${source} ABSOLUTE)
    string(MD5 short ${source}) # Two files of one name may lie in different folders.
    string(SUBSTRING ${short} 0 6 short)
    get_filename_component(name ${source} NAME_WE)
    set(object ${folder}/${name}_${short}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${KIFU_EMCC} -std=c11 -Os -DNDEBUG "${flags}" -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} ${depends}
      DEPFILE ${object}.d
      COMMENT "Compiling ${name}.c for pages"
      VERBATIM COMMAND_EXPAND_LISTS)
    list(APPEND made ${object})
  endforeach()
  set(${objects} ${made} PARENT_SCOPE)
endfunction()

function(kifu_add_web target name)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_web)
  file(MAKE_DIRECTORY ${output})
  set(header "// The game ${name} for pages: see kifu/web.h.\n#include <kifu/web.h>\n\nextern const kifu_web_module ${name}_web;\n")
  file(GENERATE OUTPUT ${output}/${name}_web.h CONTENT "${header}")
  add_library(${target}_web STATIC ${output}/${name}_web.c)
  target_include_directories(${target}_web PUBLIC ${output})
  target_link_libraries(${target}_web PUBLIC kifu::kifu)
  target_compile_features(${target}_web PUBLIC c_std_11)
  kifu_find_emcc(found)
  if(found AND KIFU_WEB_LIBRARY)
    # The sources of the rules are known only when the folder's CMakeLists.txt has come to its end.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL kifu_compile_web [[${target}]] [[${name}]] [[${ARGN}]])")
  else()
    if(found)
      kifu_say_no_web("this Kifu was built without -DKIFU_WEB=ON")
    endif()
    file(GENERATE OUTPUT ${output}/${name}_web.c
      CONTENT "#include \"${name}_web.h\"\n\nconst kifu_web_module ${name}_web = {0}; // There was no emcc.\n")
  endif()
endfunction()

function(kifu_compile_web target name own)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_web)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.c$")
  set(built_here)
  if(TARGET kifu_web)
    set(built_here kifu_web)
  endif()
  set(folders $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  set(flags "-I$<JOIN:${folders},;-I>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>")
  # Generated headers must be there first.
  kifu_compile_for_web(objects ${output} "${flags}" ${CMAKE_CURRENT_BINARY_DIR}/${target}/${name}.stamp ${sources} ${own})
  add_custom_command(OUTPUT ${output}/${name}.wasm
    COMMAND ${KIFU_EMCC} -Os ${objects} ${KIFU_WEB_LIBRARY} -o ${output}/${name}.wasm --no-entry -Wl,-u,kifu_web_open
      -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=1GB
    DEPENDS ${objects} ${KIFU_WEB_LIBRARY} ${built_here}
    COMMENT "Linking ${name}.wasm"
    VERBATIM COMMAND_EXPAND_LISTS)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed.py)
  add_custom_command(OUTPUT ${output}/${name}_web.c
    COMMAND ${KIFU_PYTHON} ${script} ${output}/${name}.wasm ${name} ${output}/${name}_web.c
    DEPENDS ${output}/${name}.wasm ${script}
    COMMENT "Packing ${name}.wasm"
    VERBATIM)
endfunction()

cmake_policy(POP)
