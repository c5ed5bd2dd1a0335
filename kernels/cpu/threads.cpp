// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/threads.h"

#include "core/machine/local_cpu.h"

namespace plumb::cpu {

int usableCores() { return static_cast<int>(localCpuIdentity().usableCores); }

}  // namespace plumb::cpu
