# kifu_add_game(<target> SCHEMA <file.fbs> [INCLUDES <folder>…] [UNITY] [PYTHON] [FUZZ [<hooks.c>…]] [WEB <web.c>…])
#
# Makes the static library <target> out of a game's schema. Its C is generated in the build tree, in the folder <target> of
# the current binary directory, which is an include directory of whatever links <target>; so is Kifu. nim.h includes all of
# it, nim/p_take.h what concerns one event. Add the game's Do functions to it, in one file or several:
#
#     kifu_add_game(nim SCHEMA nim.fbs)
#     target_sources(nim PRIVATE rules.c)
#     target_link_libraries(nim_app PRIVATE nim)
#
# INCLUDES are folders where the schema's own includes are looked for; kifu.fbs and
# kifu_turns.fbs are found without.
#
# UNITY compiles all sources of <target> as one: generated code and Do functions. So the compiler can inline the Do functions
# where events are played and replayed, which a game with small, many events notices. Every change then compiles all of it,
# and names of static functions and of macros must differ between these files, and from those in the generated nim.c.
#
# PYTHON makes the target <target>_python, too: a Python module that plays the game and reads its saves, with the game's shared
# library, in the folder <target>_python of the current binary directory; and <target>_wheel, which packs both there for pip,
# with the version of the CMake project. The shared library has all of the game's functions and Kifu's, also the inline ones,
# for any language. The guide "From Python" (runtime/docs/python.md) says more.
#
#     kifu_add_game(nim SCHEMA nim.fbs PYTHON)
#     $ cmake --build build --target nim_python && PYTHONPATH=build/nim_python python3 -c "import nim"
#
# FUZZ makes the program <target>_fuzz, too, which plays the game at random, legally and not, with undo, redo, saves and all
# else, and compares every state with a plain execution of the log (kifu_fuzz.h in codegen/fuzz says what it finds). The
# word alone is enough. Files behind it define hooks, `const kifu_fuzz_hooks <game>_fuzz_hooks = {…};`: how a game begins and
# what a likely move is, some twenty lines with which it gets much further. As a test:
#
#     kifu_add_game(nim SCHEMA nim.fbs FUZZ fuzz.c)
#     add_test(NAME nim_fuzz COMMAND nim_fuzz --steps 10000)
#
# WEB makes the library <target>_web, too: the game's rules as WebAssembly, for the page that its program writes by `html
# --play` (kifu/web.h). The files behind it define `kifu_web_game`, and what else only that needs; the sources of <target>
# are compiled with them, by Emscripten. The library's header is <game>_web.h:
#
#     kifu_add_game(nim SCHEMA nim.fbs WEB web.c)
#     target_link_libraries(nim_app PRIVATE nim nim_web kifu::tool)
#
# Without Emscripten (Debian, Ubuntu: apt install emscripten), or with -DKIFU_WEB=OFF, the library is empty, and the program
# refuses --play.
#
# Generated files are rewritten only when they change, so that touching a schema compiles nothing, and a change of it only
# what it concerns. The target property KIFU_SCHEMA is the path of the schema in binary (.bfbs).
#
# Variables, found once and kept in the cache:
#   KIFU_PYTHON   a Python, 3.9 or later, that has the module jinja2
#   KIFU_FLATC    flatc, 2.0.8 or later
#   KIFU_EMCC     emcc, 3.1.6 or later; only for WEB
#
# A project that is built in several ways, with and without sanitizers, say, needs its generated code only once:
# KIFU_GENERATED_IN=<folder> takes what another build folder of it has, where the target kifu_generated was built before.

include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/web/KifuWeb.cmake)
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

# A machine may have several Pythons: takes the first that has what kifuc imports.
function(kifu_find_python)
  get_property(checked GLOBAL PROPERTY KIFU_CHECKED_PYTHON)
  if(checked AND "${checked}" STREQUAL "${KIFU_PYTHON}")
    return()
  endif()
  # What is called python3 may be a script that looks for a Python: kifuc is run by the Python itself.
  set(script "import sys, jinja2; print(sys.executable); sys.exit(sys.version_info < (3, 9))")
  if(KIFU_PYTHON)
    execute_process(COMMAND ${KIFU_PYTHON} -c "${script}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed EQUAL 0)
      message(FATAL_ERROR "KIFU_PYTHON is ${KIFU_PYTHON}, which is no Python (3.9 or later) with the module jinja2. "
        "Install it for that Python, or name another.")
    endif()
    set_property(GLOBAL PROPERTY KIFU_CHECKED_PYTHON "${KIFU_PYTHON}")
    return()
  endif()
  set(candidates ${Python3_EXECUTABLE} ${Python_EXECUTABLE})
  foreach(name python3 python3.14 python3.13 python3.12 python3.11 python3.10 python3.9 python)
    # All of that name in PATH, not only the first.
    file(TO_CMAKE_PATH "$ENV{PATH}" folders)
    foreach(folder IN LISTS folders ITEMS /usr/bin /usr/local/bin)
      if(EXISTS ${folder}/${name}${CMAKE_HOST_EXECUTABLE_SUFFIX})
        list(APPEND candidates ${folder}/${name}${CMAKE_HOST_EXECUTABLE_SUFFIX})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES candidates)
  foreach(candidate IN LISTS candidates)
    execute_process(COMMAND ${candidate} -c "${script}" RESULT_VARIABLE failed OUTPUT_VARIABLE found ERROR_QUIET
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(failed EQUAL 0 AND EXISTS "${found}")
      set(KIFU_PYTHON ${found} CACHE FILEPATH "A Python, 3.9 or later, that has the module jinja2")
      return()
    endif()
  endforeach()
  list(JOIN candidates ", " tried)
  message(FATAL_ERROR "No Python (3.9 or later) has the module jinja2, with which Kifu generates C. Debian, Ubuntu: "
    "apt install python3-jinja2; elsewhere: python3 -m pip install jinja2. Or name such a Python with -DKIFU_PYTHON=… "
    "Tried: ${tried}.")
endfunction()

function(kifu_find_flatc)
  find_program(KIFU_FLATC flatc DOC "flatc, 2.0.8 or later")
  if(NOT KIFU_FLATC)
    message(FATAL_ERROR "There is no flatc, which reads the games' schemas. Debian, Ubuntu: apt install "
      "flatbuffers-compiler. Or name it with -DKIFU_FLATC=…")
  endif()
endfunction()

# The fuzzer but for its main, once for all games. It is built where a game asks for it.
function(kifu_add_fuzzer)
  if(TARGET kifu_fuzz)
    return()
  endif()
  set(folder ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fuzz)
  add_library(kifu_fuzz STATIC EXCLUDE_FROM_ALL ${folder}/exchange.c ${folder}/history.c ${folder}/inputs.c ${folder}/log_file.c ${folder}/look.c
    ${folder}/main.c ${folder}/play.c ${folder}/process.c ${folder}/proposal.c ${folder}/replay.c ${folder}/shown.c ${folder}/starve.c
    ${folder}/tries.c ${folder}/worlds.c)
  target_include_directories(kifu_fuzz PUBLIC ${folder})
  target_link_libraries(kifu_fuzz PUBLIC kifu::kifu)
  target_compile_features(kifu_fuzz PUBLIC c_std_11)
  set_target_properties(kifu_fuzz PROPERTIES UNITY_BUILD OFF) # Its files have static functions of the same names.
endfunction()

# Removes what is in a game's folder from a schema that had another name, so that no code includes it by mistake.
function(kifu_forget_other_schemas folder own)
  file(GLOB lists ${folder}/*.files)
  list(REMOVE_ITEM lists ${own})
  foreach(list IN LISTS lists)
    file(STRINGS ${list} names)
    list(TRANSFORM names PREPEND ${folder}/)
    file(REMOVE ${names} ${list})
  endforeach()
endfunction()

# `kifuc gen`, with the options in ARGN, when the build needs it.
function(kifu_generate target schema name output stamp main)
  # KIFUC_CACHE: what Python and Jinja compile stays in the build tree, so that kifuc is quick.
  set(generate ${CMAKE_COMMAND} -E env PYTHONPATH=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/python
    KIFUC_CACHE=${CMAKE_BINARY_DIR}/kifuc.cache ${KIFU_PYTHON} -m kifuc gen ${schema} -o ${output} --flatc ${KIFU_FLATC} ${ARGN})

  # Ninja must know each header that kifuc writes, or it sees a change of one only in the next build. Their names depend on
  # the schema, so kifuc lists them in a file. The first time it writes this list alone, here; the build reports what is
  # wrong with the schema. From then on, CMake runs again when the list has changed: after an event was added, removed or
  # renamed.
  set(list ${output}/${name}.files)
  kifu_forget_other_schemas(${output} ${list})
  if(NOT EXISTS ${list})
    execute_process(COMMAND ${generate} --list OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(NOT EXISTS ${list})
    file(WRITE ${list} "")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} generated)
  list(TRANSFORM generated PREPEND ${output}/)

  # The stamp says when kifuc ran; what it wrote is as old as its last change.
  set(always ${output}/${name}.h ${output}/${name}.c ${output}/${name}.bfbs ${main})
  list(REMOVE_ITEM generated ${always})
  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${always} ${generated}
    COMMAND ${generate} --depfile ${stamp}.d --stamp ${stamp}
    DEPENDS ${schema}
    DEPFILE ${stamp}.d
    COMMENT "Generating ${target}/${name}.c from ${name}.fbs"
    VERBATIM)
  if(NOT TARGET kifu_generated)
    add_custom_target(kifu_generated)
  endif()
  add_custom_target(${target}_generated DEPENDS ${stamp})
  add_dependencies(kifu_generated ${target}_generated)
endfunction()

function(kifu_add_game target)
  cmake_parse_arguments(PARSE_ARGV 1 game "PYTHON;UNITY" "SCHEMA" "INCLUDES;FUZZ;WEB")
  set(unity)
  if(game_UNITY)
    set(unity --unity)
  endif()
  set(fuzz)
  if(game_FUZZ)
    set(fuzz --fuzz hooks)
  elseif("FUZZ" IN_LIST game_KEYWORDS_MISSING_VALUES)
    set(fuzz --fuzz plain)
  endif()
  if(NOT game_SCHEMA OR game_UNPARSED_ARGUMENTS OR "WEB" IN_LIST game_KEYWORDS_MISSING_VALUES)
    set(wrong "")
    if(game_SCHEMA AND game_UNPARSED_ARGUMENTS)
      list(JOIN game_UNPARSED_ARGUMENTS " " wrong)
      set(wrong "`${wrong}` does not belong here; C files go into target_sources(${target} PRIVATE …). ")
    endif()
    message(FATAL_ERROR
      "kifu_add_game(${target}): ${wrong}Call it so: kifu_add_game(<target> SCHEMA <file.fbs> [INCLUDES <folder>…] [UNITY] [PYTHON] [FUZZ [<hooks.c>…]] "
      "[WEB <web.c>…])")
  endif()
  get_filename_component(schema ${game_SCHEMA} ABSOLUTE)
  if(NOT EXISTS ${schema})
    message(FATAL_ERROR "kifu_add_game(${target}): there is no ${schema}")
  endif()
  kifu_find_python()
  kifu_find_flatc()

  get_filename_component(name ${schema} NAME_WLE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  if(KIFU_GENERATED_IN)
    file(RELATIVE_PATH folder ${CMAKE_BINARY_DIR} ${folder})
    get_filename_component(folder ${KIFU_GENERATED_IN}/${folder} ABSOLUTE BASE_DIR ${CMAKE_BINARY_DIR})
  endif()
  set(output ${folder}/${target})
  set(stamp ${output}/${name}.stamp)
  set(includes)
  foreach(include IN LISTS game_INCLUDES)
    get_filename_component(include ${include} ABSOLUTE)
    list(APPEND includes -I ${include})
  endforeach()
  set(main)
  if(fuzz)
    set(main ${output}/${name}_fuzz.c)
  endif()
  if(NOT KIFU_GENERATED_IN)
    kifu_generate(${target} ${schema} ${name} ${output} ${stamp} "${main}" ${includes} ${unity} ${fuzz})
  elseif(NOT EXISTS ${stamp})
    message(FATAL_ERROR "kifu_add_game(${target}): KIFU_GENERATED_IN has no ${stamp}: build kifu_generated there first")
  endif()

  add_library(${target} STATIC ${output}/${name}.c ${output}/${name}.h ${stamp})
  # "nim.h", and "<target>/nim.h" for a program with two games whose schemas have the same file name.
  target_include_directories(${target} PUBLIC ${output} ${folder})
  target_link_libraries(${target} PUBLIC kifu::kifu)
  target_compile_features(${target} PUBLIC c_std_11)
  set_target_properties(${target} PROPERTIES KIFU_SCHEMA ${output}/${name}.bfbs)
  if(game_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()

  if(fuzz)
    kifu_add_fuzzer()
    add_executable(${target}_fuzz ${main} ${game_FUZZ})
    add_dependencies(${target}_fuzz ${target}) # which generates its main
    target_link_libraries(${target}_fuzz PRIVATE ${target} kifu_fuzz)
  endif()
  if(game_PYTHON)
    kifu_add_python(${target} ${schema} "${includes}")
  endif()
  if(game_WEB)
    kifu_add_web(${target} ${name} ${game_WEB})
  endif()
endfunction()

# The Python module of a game: kifuc writes it in <target>_python, and the game's shared library goes into the module's folder.
function(kifu_add_python target schema includes)
  get_filename_component(name ${schema} NAME_WLE)
  string(REGEX REPLACE "[^A-Za-z0-9_]" "_" package ${name})
  string(REGEX REPLACE "^([0-9])" "_\\1" package ${package})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_python)
  set(foreign ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/foreign)
  set(stamp ${output}/${name}.stamp)
  set(kifuc ${CMAKE_COMMAND} -E env PYTHONPATH=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/python
    KIFUC_CACHE=${CMAKE_BINARY_DIR}/kifuc.cache ${KIFU_PYTHON} -m kifuc)
  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${output}/${name}_foreign.c ${output}/${package}/__init__.py
    COMMAND ${kifuc} python ${schema} -o ${output} ${includes} --flatc ${KIFU_FLATC} --depfile ${stamp}.d --stamp ${stamp}
    DEPENDS ${schema}
    DEPFILE ${stamp}.d
    COMMENT "Generating ${target}_python/${package} from ${name}.fbs"
    VERBATIM)

  set(sources ${output}/${name}_foreign.c ${foreign}/foreign.c ${foreign}/inline.c)
  # With all of the game and of Kifu, whether the module calls it or not.
  if(APPLE)
    set(whole -Wl,-force_load,$<TARGET_FILE:${target}> ${target})
    get_target_property(type kifu::kifu TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND whole -Wl,-force_load,$<TARGET_FILE:kifu::kifu>)
    endif()
  else()
    set(whole -Wl,--whole-archive ${target} kifu::kifu -Wl,--no-whole-archive)
  endif()
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  add_library(${target}_python SHARED ${sources} ${stamp})
  add_dependencies(${target}_python ${target}) # which generates nim.h
  target_include_directories(${target}_python PRIVATE ${foreign})
  target_link_libraries(${target}_python PRIVATE ${whole})
  # Inline functions that have an address now have no prototype besides, and a keyword is a macro for them.
  target_compile_options(${target}_python PRIVATE
    $<$<C_COMPILER_ID:GNU,Clang,AppleClang>:-Wno-missing-prototypes -Wno-keyword-macro>)
  set_target_properties(${target}_python PROPERTIES OUTPUT_NAME ${package} LIBRARY_OUTPUT_DIRECTORY ${output}/${package}
    RUNTIME_OUTPUT_DIRECTORY ${output}/${package})
  if(TARGET kifu::zstd) # Packed saves by zstd can be loaded, too.
    target_compile_definitions(${target}_python PRIVATE KIFU_FOREIGN_ZSTD)
    target_link_libraries(${target}_python PRIVATE kifu::zstd)
  endif()

  set(version 0)
  if(PROJECT_VERSION)
    set(version ${PROJECT_VERSION})
  endif()
  add_custom_target(${target}_wheel
    COMMAND ${kifuc} wheel ${output}/${package} --version ${version} -o ${output}
    DEPENDS ${target}_python
    VERBATIM)
endfunction()

cmake_policy(POP)
