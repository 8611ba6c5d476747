# The libraries that kifu::json and kifu::tool use, as targets, where they are on this machine. An installed package looks
# for them again: it names no path of the machine where it was built.
find_path(KIFU_CJSON_HEADER cjson/cJSON.h)
find_library(KIFU_CJSON cjson)
find_path(KIFU_ZSTD_HEADER zstd.h)
find_library(KIFU_ZSTD zstd)
mark_as_advanced(KIFU_CJSON_HEADER KIFU_CJSON KIFU_ZSTD_HEADER KIFU_ZSTD)
foreach(library cjson zstd)
  string(TOUPPER ${library} name)
  if(KIFU_${name}_HEADER AND KIFU_${name} AND NOT TARGET kifu::${library})
    add_library(kifu::${library} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(kifu::${library} PROPERTIES
      IMPORTED_LOCATION "${KIFU_${name}}" INTERFACE_INCLUDE_DIRECTORIES "${KIFU_${name}_HEADER}")
  endif()
endforeach()
