# SPDX-License-Identifier: Apache-2.0
# plumb::options carries what every target of ours is compiled with; third-party headers are SYSTEM.
add_library(plumb_options INTERFACE)
add_library(plumb::options ALIAS plumb_options)
target_include_directories(plumb_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(plumb_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wnon-virtual-dtor;-Woverloaded-virtual>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${PLUMBLINE_WERROR}>>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A designated initializer leaves out what keeps its default.
  target_compile_options(plumb_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND PLUMBLINE_UNITY)
  # Sources that are compiled together look like headers to it.
  target_compile_options(plumb_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 takes a text put before a std::string for a copy onto itself (its bug 105651).
  target_compile_options(plumb_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # The binary runs on any x86-64-v2 machine; kernels/cpu adds wider code chosen at run time.
  target_compile_options(plumb_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=x86-64-v2>)
endif()
# Contracted multiply-adds would round differently from machine to machine; kernels ask for fma by name.
target_compile_options(plumb_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
target_compile_definitions(plumb_options INTERFACE
  $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>
  QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_FOREACH
  QT_STRICT_ITERATORS QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)
if(PLUMBLINE_SANITIZE)
  # Not for nvcc, which does not know the options: CUDA sources only start kernels. Nor for the code of tests that has
  # the property PLUMBLINE_UNCHECKED. A null pointer ends the program anyway, and the checks of null pointers and of
  # alignment take a third of the time to compile; both are among those of the fuzz targets.
  target_compile_options(plumb_options INTERFACE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:PLUMBLINE_UNCHECKED>>>>:-fsanitize=${PLUMBLINE_SANITIZE};-fno-sanitize=null,alignment;-fno-omit-frame-pointer>)
  if(PLUMBLINE_SANITIZE MATCHES address)
    # Takes less time to compile. Not for all of the build: what is not checked is in the compiler cache, from others.
    target_compile_options(plumb_options INTERFACE
      $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Debug>,$<NOT:$<BOOL:$<TARGET_PROPERTY:PLUMBLINE_UNCHECKED>>>>:-Og>)
  endif()
  target_link_options(plumb_options INTERFACE -fsanitize=${PLUMBLINE_SANITIZE})
endif()
if(PLUMBLINE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "PLUMBLINE_FUZZ=ON needs Clang, which brings libFuzzer: set CXX=clang++, or use ./dev fuzz.")
  endif()
  # The first finding ends the run. libFuzzer's own main() is linked by the targets alone.
  set(plumb_fuzz_checks address,undefined,float-cast-overflow)
  target_compile_options(plumb_options INTERFACE -fsanitize=fuzzer-no-link,${plumb_fuzz_checks}
    -fno-sanitize-recover=undefined,float-cast-overflow -fno-omit-frame-pointer)
  target_link_options(plumb_options INTERFACE -fsanitize=${plumb_fuzz_checks})
endif()
# What users get names files from the root of the tree, wherever that lies: two builds of a commit have the same bytes.
target_compile_options(plumb_options INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>)
# The second form of Qt's resources has the times of files in it, which every checkout sets anew.
set(CMAKE_AUTORCC_OPTIONS --format-version 1)
# Nothing is looked up while a program runs and tables cannot be overwritten; programs lie where the system
# wants them. Held by tests/arch/check_binaries.py.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
target_link_options(plumb_options INTERFACE LINKER:-z,relro,-z,now)
# What users get also guards its stacks and the copies whose sizes the compiler knows. The latter needs
# optimisation, and the address sanitizer does it better.
if(NOT PLUMBLINE_SANITIZE)
  set(plumb_guards $<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>)
  target_compile_options(plumb_options INTERFACE
    $<${plumb_guards}:-fstack-protector-strong;-fstack-clash-protection;-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
endif()
# A build folder is as good as an installation: with a RUNPATH of its own, CMake fills that one up with colons
# until the installed one fits, and the loader takes what is between two colons for the current folder.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
# plumb_finds_libraries_beside(program): in ../lib it finds libraries that were packed with it (tests/gpu/pack.py), for
# itself and for the libraries that it loads, before those of the machine or of LD_LIBRARY_PATH: an RPATH, since a
# RUNPATH serves neither.
function(plumb_finds_libraries_beside program)
  set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
  target_link_options(${program} PRIVATE LINKER:--disable-new-dtags)
endfunction()
# The tests are a dozen large programs: a linker of today joins them in a tenth of the time.
find_program(PLUMBLINE_MOLD mold)
if(PLUMBLINE_MOLD AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  target_link_options(plumb_options INTERFACE $<$<LINK_LANGUAGE:CXX>:-fuse-ld=mold>)
endif()
