# What `cmake --install` puts where. codegen/, templates/ and schema/ lie side by side under share/kifu as they do in the
# sources, so that the generator finds them in the same way.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kifu)
install(TARGETS kifu kifu_referee EXPORT kifuTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}) # the DLLs of Windows
if(TARGET kifu_static)
  install(TARGETS kifu_static EXPORT kifuTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
foreach(part json nats tool) # They use other libraries, which may be missing where the package is used.
  if(TARGET kifu_${part})
    install(TARGETS kifu_${part} EXPORT kifu_${part} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT kifu_${part} NAMESPACE kifu:: DESTINATION ${package_dir})
  endif()
endforeach()
if(TARGET kifu_command)
  install(TARGETS kifu_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES runtime/tool/kifu.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES runtime/tool/completion/kifu.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME kifu)
  install(FILES runtime/tool/completion/_kifu DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES runtime/tool/completion/kifu.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
if(TARGET kifu_web) # Found by kifuConfig.cmake.
  install(FILES ${PROJECT_BINARY_DIR}/runtime/web/libkifu_web.a DESTINATION ${CMAKE_INSTALL_DATADIR}/kifu)
endif()
install(EXPORT kifuTargets NAMESPACE kifu:: DESTINATION ${package_dir})
install(DIRECTORY runtime/include/kifu DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(folder codegen templates schema)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/kifu
          PATTERN __pycache__ EXCLUDE PATTERN "*.pyc" EXCLUDE REGEX "codegen/kifuc(\\.1)?$" EXCLUDE)
endforeach()
# It finds its folders from where it lies, so that the prefix may be moved; absolute ones stay.
set(prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  file(RELATIVE_PATH prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "(.*)/" "\${pcfiledir}/\\1" prefix ${prefix})
endif()
foreach(folder LIBDIR INCLUDEDIR)
  set(${folder} ${CMAKE_INSTALL_${folder}})
  if(NOT IS_ABSOLUTE ${${folder}})
    string(PREPEND ${folder} "\${prefix}/")
  endif()
endforeach()
configure_file(runtime/kifu.pc.in ${PROJECT_BINARY_DIR}/kifu.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kifu.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(PROGRAMS codegen/kifuc DESTINATION ${CMAKE_INSTALL_BINDIR})
if(WIN32)
  install(PROGRAMS codegen/kifuc.bat DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(FILES codegen/kifuc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/kifu)
install(DIRECTORY runtime/docs DESTINATION ${CMAKE_INSTALL_DATADIR}/kifu/runtime # error messages name pages of it
        FILES_MATCHING PATTERN "*.md" PATTERN decisions EXCLUDE)

set(KIFU_TOOL_LIBRARIES cjson)
if(TARGET kifu::zstd)
  string(APPEND KIFU_TOOL_LIBRARIES " zstd")
endif()
configure_package_config_file(runtime/kifuConfig.cmake.in ${PROJECT_BINARY_DIR}/kifuConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_DATADIR)
# Before version 1, a minor version may break what was built with another.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kifuConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kifuConfig.cmake ${PROJECT_BINARY_DIR}/kifuConfigVersion.cmake
        runtime/libraries.cmake DESTINATION ${package_dir})
