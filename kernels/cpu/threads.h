// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace plumb::cpu {

/// Cores that this process may use, counted as the calibration counts them (core/machine/local_cpu.h): its
/// affinity mask, limited by the quota of its control groups and by OMP_NUM_THREADS. How threads are pinned
/// (OMP_PROC_BIND, OMP_PLACES) is read by the OpenMP runtime when the program starts and cannot be changed
/// here.
[[nodiscard]] int usableCores();

}  // namespace plumb::cpu
