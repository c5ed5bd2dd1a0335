# SPDX-License-Identifier: Apache-2.0
# The device's own kernels, in a library of their own: plain declarations in device_kernels.h. Three CUDA files, so
# that the many rules compile side by side: about 12 s each and architecture. Products and sums are not contracted,
# so that element-wise results have the bits of the CPU backend.
if(PLUMBLINE_CCACHE AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${PLUMBLINE_CCACHE})
endif()
enable_language(CUDA)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know it of a compiler that is newer
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
add_library(plumb_cuda_kernels STATIC
  adaptive_kernels.cu
  element_kernels.cu
  optimizer_kernels.cu
)
# What the host has to know about them, apart, because the simulated GPU of the tests has kernels of its own.
add_library(plumb_cuda_memory STATIC
  plain_memory.cpp
  scratch_bytes.cpp
)
set_target_properties(plumb_cuda_memory PROPERTIES UNITY_BUILD OFF)   # the simulated GPU takes one of them alone
target_link_libraries(plumb_cuda_memory PUBLIC plumb::core plumb::kernels_common PRIVATE CUDA::cudart_static)
add_library(plumb::cuda_kernels ALIAS plumb_cuda_kernels)
target_link_libraries(plumb_cuda_kernels PUBLIC plumb_cuda_memory PRIVATE CUDA::cudart_static)
target_compile_options(plumb_cuda_kernels PRIVATE
  $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;-Xcompiler=-Wall,-Wextra>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${PLUMBLINE_WERROR}>>:-Werror=all-warnings>)
