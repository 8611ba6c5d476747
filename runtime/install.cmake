# What `cmake --install` puts where. codegen/, templates/ and schema/ lie side by side under share/kifu as they do in the
# sources, so that the generator finds them in the same way.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kifu)
install(TARGETS kifu kifu_referee EXPORT kifuTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET kifu_nats)
  install(TARGETS kifu_nats EXPORT kifuTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET kifu_tool)
  install(TARGETS kifu_json kifu_tool EXPORT kifuTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  if(BUILD_SHARED_LIBS) # The command finds the library wherever both are.
    file(RELATIVE_PATH libraries ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(kifu_command PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries}")
  endif()
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
          PATTERN __pycache__ EXCLUDE PATTERN "*.pyc" EXCLUDE)
endforeach()
install(PROGRAMS codegen/kifuc DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/kifu)

configure_package_config_file(runtime/kifuConfig.cmake.in ${PROJECT_BINARY_DIR}/kifuConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_DATADIR)
# Before version 1, a minor version may break what was built with another.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kifuConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kifuConfig.cmake ${PROJECT_BINARY_DIR}/kifuConfigVersion.cmake
        runtime/libraries.cmake DESTINATION ${package_dir})
