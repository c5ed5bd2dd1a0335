// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks functions that CUDA sources compile for the device too; nothing in plain C++.
#ifdef __CUDACC__
#define PLUMB_HOST_DEVICE __host__ __device__
#else
#define PLUMB_HOST_DEVICE
#endif
