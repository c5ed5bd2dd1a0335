// SPDX-License-Identifier: Apache-2.0
#define PLUMB_KERNEL_TABLE kKernelsAvx2
#define PLUMB_KERNEL_NAME "AVX2"
#include "kernels/cpu/kernels_body.h"
