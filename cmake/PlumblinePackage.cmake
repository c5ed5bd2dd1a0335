# SPDX-License-Identifier: Apache-2.0
# Packages of Debian by CPack, one a component: plumbline (gui), plumbline-cli (cli), plumbline-cuda (cuda),
# plumbline-mpi (mpi).
# docs/packaging.md says what is in them; cmake/package/make.py makes and tries them.
set(PLUMBLINE_CONTACT "Plumbline maintainers <maintainers@plumbline.invalid>" CACHE STRING "Maintainer of the packages")
set(PLUMBLINE_QT_PLUGINS ${QT6_INSTALL_PREFIX}/${QT6_INSTALL_PLUGINS} CACHE INTERNAL "Where Qt has its plugins")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME plumbline)
set(CPACK_PACKAGE_VENDOR "Plumbline maintainers")
set(CPACK_PACKAGE_CONTACT ${PLUMBLINE_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")   # each package has its own, the first line of its description
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package/debian_files.cmake)
set(CPACK_PLUMBLINE_MULTIARCH ${CMAKE_LIBRARY_ARCHITECTURE})
set(CPACK_COMPONENTS_ALL cli)
if(plumb_have_gui)
  list(APPEND CPACK_COMPONENTS_ALL gui)
endif()
if(plumb_have_cuda)
  list(APPEND CPACK_COMPONENTS_ALL cuda)
endif()
if(plumb_have_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 0upstream1)   # older than the first that Debian itself would make
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(plumb_deb_version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

set(CPACK_DEBIAN_CLI_PACKAGE_NAME plumbline-cli)
set(CPACK_DEBIAN_CLI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS "plumbline, plumbline-cuda (= ${plumb_deb_version}), plumbline-mpi (= ${plumb_deb_version})")
set(CPACK_DEBIAN_CLI_DESCRIPTION "what a GPU training step costs, on the command line
Plumbline predicts what a training step of a neural network costs before it
runs, runs it, and says what it really cost: memory by category, FLOPs and
bytes of every operation, and time.
.
This package has the program plumbline-cli, which needs no display and is the
engine that the window starts. It predicts, profiles and trains, plans
trainings of large models, opens traces and memory snapshots of other
profilers, compares steps, and keeps budgets of memory and time.")

# What Qt loads while the program runs is not seen by dpkg-shlibdeps.
set(CPACK_DEBIAN_GUI_PACKAGE_NAME plumbline)
set(CPACK_DEBIAN_GUI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_GUI_PACKAGE_DEPENDS "plumbline-cli (= ${plumb_deb_version}), libqt6sql6-sqlite, libqt6svg6 | qt6-svg-plugins")
set(CPACK_DEBIAN_GUI_PACKAGE_RECOMMENDS "qt6-wayland, fonts-inter, fonts-dejavu-core, openssh-client")
set(CPACK_DEBIAN_GUI_PACKAGE_SUGGESTS "fonts-noto-cjk, plumbline-cuda (= ${plumb_deb_version})")
set(CPACK_DEBIAN_GUI_DESCRIPTION "what a GPU training step costs, predicted and measured
Plumbline shows what a training step of a neural network costs before it
runs, runs it, and shows what it really cost: memory by category, FLOPs and
bytes of every operation, step time, roofline and loss, each number twice,
predicted and measured, side by side.
.
This package has the window. It opens steps recorded of any PyTorch model,
traces of profilers and memory snapshots too, plans trainings of large models,
and compares steps. File managers show a picture of its files.")

set(CPACK_DEBIAN_CUDA_PACKAGE_NAME plumbline-cuda)
set(CPACK_DEBIAN_CUDA_PACKAGE_SECTION contrib/science)
set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS "plumbline-cli (= ${plumb_deb_version})")
set(CPACK_DEBIAN_CUDA_DESCRIPTION "training steps of Plumbline on NVIDIA GPUs
Plumbline shows what a training step of a neural network costs, predicted and
measured, side by side.
.
This package has the module that runs steps on NVIDIA GPUs of compute
capability 8.0 or newer. It is loaded where there is a driver, and needs
cuBLASLt of the CUDA Toolkit that it was built with, which is not among the
packages of Debian.")

set(CPACK_DEBIAN_MPI_PACKAGE_NAME plumbline-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "plumbline-cli (= ${plumb_deb_version})")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS "openmpi-bin")
set(CPACK_DEBIAN_MPI_DESCRIPTION "training steps of Plumbline on several processes
Plumbline shows what a training step of a neural network costs, predicted and
measured, side by side.
.
This package has the module by which ranks of a training are processes that
mpirun or srun starts, on one machine or several. Without it they are threads
of one process.")
include(CPack)
