// SPDX-License-Identifier: Apache-2.0
#define PLUMB_LAB_TABLE kKernelsLabAvx512
#include "kernels/cpu/lab_body.h"
