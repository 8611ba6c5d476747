# Counts what runs of the runtime, and of nothing else: games and suites stay fast. `./dev coverage` has the project read
# this file by CMAKE_PROJECT_kifu_INCLUDE.

function(kifu_instrument)
  # Without asserts, as it is shipped: the way into a failed assert is no branch. Suites have threads.
  set(options -O0 -DNDEBUG --coverage -fprofile-update=atomic)
  target_compile_options(kifu PRIVATE ${options})
  target_link_options(kifu INTERFACE --coverage)
  if(TARGET test_plain_c) # has a source of the runtime for itself
    target_compile_options(test_plain_c PRIVATE ${options})
  endif()
endfunction()

cmake_language(DEFER CALL kifu_instrument)
