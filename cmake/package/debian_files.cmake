# SPDX-License-Identifier: Apache-2.0
# Run by CPack on what each component installs, before the packages are made of it: what Debian has otherwise than an
# installation anywhere else.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(names_cli plumbline-cli)
set(names_gui plumbline)
set(names_cuda plumbline-cuda)
set(names_mpi plumbline-mpi)
set(here ${CMAKE_CURRENT_LIST_DIR})
set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)   # SOURCE_DATE_EPOCH, where it is set
set(changes "plumbline (${version}) unstable; urgency=medium

  * Upstream release ${CPACK_PACKAGE_VERSION}; what is new stands in changelog.gz of
    plumbline-cli.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")

function(compress file)
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(component ${CPACK_COMPONENTS_ALL})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  set(name ${names_${component}})
  set(doc ${root}/share/doc/${name})
  file(MAKE_DIRECTORY ${doc})
  file(COPY_FILE ${here}/copyright ${doc}/copyright)
  file(WRITE ${doc}/changelog.Debian "${changes}")
  compress(${doc}/changelog.Debian)
  if(component STREQUAL "cli")
    file(COPY_FILE ${here}/../../CHANGELOG.md ${doc}/changelog)
    compress(${doc}/changelog)
  endif()
  if(EXISTS ${here}/${name}.lintian-overrides)
    file(MAKE_DIRECTORY ${root}/share/lintian/overrides)
    file(COPY_FILE ${here}/${name}.lintian-overrides ${root}/share/lintian/overrides/${name})
  endif()

  file(GLOB pages ${root}/share/man/man1/*.1)
  foreach(page ${pages})
    compress(${page})
  endforeach()
  # Where Debian's zsh looks.
  if(EXISTS ${root}/share/zsh/site-functions)
    file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
  endif()
  # Modules of a program lie by architecture.
  if(EXISTS ${root}/lib/plumbline AND CPACK_PLUMBLINE_MULTIARCH)
    file(MAKE_DIRECTORY ${root}/lib/${CPACK_PLUMBLINE_MULTIARCH})
    file(RENAME ${root}/lib/plumbline ${root}/lib/${CPACK_PLUMBLINE_MULTIARCH}/plumbline)
  endif()
  # Libraries are where the system has them.
  file(GLOB programs ${root}/bin/*)
  foreach(program ${programs})
    file(RPATH_REMOVE FILE ${program})
  endforeach()
  file(GLOB_RECURSE everything LIST_DIRECTORIES true ${root}/*)
  foreach(entry ${root} ${everything})
    if(IS_DIRECTORY ${entry})
      file(CHMOD ${entry} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    elseif(NOT entry MATCHES "/bin/")
      file(CHMOD ${entry} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
    endif()
  endforeach()
endforeach()
