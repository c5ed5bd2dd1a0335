// SPDX-License-Identifier: Apache-2.0
#define PLUMB_LAB_TABLE kKernelsLabBaseline
#include "kernels/cpu/lab_body.h"
