# SPDX-License-Identifier: Apache-2.0
# Detects the CUDA Toolkit and enables its language: plumb_have_cuda and, when off, plumb_cuda_reason.
set(plumb_have_cuda FALSE)
set(plumb_cuda_reason "PLUMBLINE_CUDA=OFF")
if(NOT PLUMBLINE_CUDA STREQUAL "OFF")
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    # Each architecture takes its own time to compile. What runs here is compiled for the GPU that is here; without
    # one, for the least that is supported, which newer ones translate. Packages ask for all (the preset package).
    if(EXISTS /dev/nvidiactl)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES 80)
    endif()  # before enable_language, or CMake picks one itself
  endif()
  if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(PLUMBLINE_NVCC nvcc HINTS /usr/local/cuda/bin)  # where the toolkit's own installer puts it
    if(PLUMBLINE_NVCC)
      set(CMAKE_CUDA_COMPILER ${PLUMBLINE_NVCC})
    endif()
  endif()
  if(PLUMBLINE_CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${PLUMBLINE_CCACHE})
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    find_package(CUDAToolkit 13 QUIET)
    # Headers alone: CUPTI itself is loaded while the program runs.
    find_path(plumb_cupti_include cupti_range_profiler.h HINTS ${CUDAToolkit_INCLUDE_DIRS}
              ${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/include /usr/local/cuda/extras/CUPTI/include)
  endif()
  set(plumb_cuda_needs "the CUDA Toolkit 13 or newer with cuBLASLt and CUPTI")
  if(CMAKE_CUDA_COMPILER AND CUDAToolkit_FOUND AND TARGET CUDA::cublasLt AND plumb_cupti_include)
    enable_language(CUDA)
    set(plumb_have_cuda TRUE)
  elseif(PLUMBLINE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "PLUMBLINE_CUDA=ON needs ${plumb_cuda_needs}: set CUDACXX, or use AUTO.")
  else()
    set(plumb_cuda_reason "${plumb_cuda_needs} was not found; set CUDACXX to its nvcc to point to one")
  endif()
endif()
