// SPDX-License-Identifier: Apache-2.0
#define PLUMB_KERNEL_TABLE kKernelsAvx512
#define PLUMB_KERNEL_NAME "AVX-512"
#include "kernels/cpu/kernels_body.h"
