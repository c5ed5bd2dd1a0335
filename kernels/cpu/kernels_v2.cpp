// SPDX-License-Identifier: Apache-2.0
#define PLUMB_KERNEL_TABLE kKernelsBaseline
#define PLUMB_KERNEL_NAME "x86-64-v2"
#include "kernels/cpu/kernels_body.h"
