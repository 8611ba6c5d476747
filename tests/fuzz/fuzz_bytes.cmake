# Runs libFuzzer's program FUZZ in FOLDER, from what WRITE writes: a little, or as the environment says (`./dev fuzz`).

set(steps 20000)
set(seed 1)
if(DEFINED ENV{KIFU_FUZZ_STEPS})
  math(EXPR steps "$ENV{KIFU_FUZZ_STEPS} * 10")
endif()
if(DEFINED ENV{KIFU_FUZZ_SEED})
  set(seed $ENV{KIFU_FUZZ_SEED})
endif()
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/seeds)
execute_process(COMMAND ${WRITE} seeds WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
# A short run should try what is broken, and not how long an event can be.
execute_process(COMMAND ${FUZZ} -runs=${steps} -seed=${seed} -max_len=4096 -verbosity=0 -print_final_stats=1 seeds
  WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
