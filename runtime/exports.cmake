# Writes OUTPUT, the version script of the shared library: it exports kifu_*, and each kifu__* that a header in FOLDER
# names, because the code of games calls it.
file(GLOB_RECURSE headers ${FOLDER}/*.h)
set(names)
foreach(header IN LISTS headers)
  file(STRINGS ${header} lines REGEX "kifu__[a-z0-9_]")
  string(REGEX MATCHALL "kifu__[a-z0-9_]+" found "${lines}")
  list(APPEND names ${found})
endforeach()
list(REMOVE_DUPLICATES names)
list(SORT names)
list(JOIN names ";\n    " names)
file(WRITE ${OUTPUT} "KIFU_${VERSION} {\n  global:\n    kifu_[!_]*;\n    ${names};\n  local:\n    *;\n};\n")
