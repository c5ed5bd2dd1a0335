// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/lab_kernels.h"

#include <atomic>
#include <initializer_list>

namespace plumb::cpu {

extern const Kernels kKernelsBaseline;
extern const Kernels kKernelsAvx2;
extern const Kernels kKernelsAvx512;
extern const LabKernels kKernelsLabBaseline;
extern const LabKernels kKernelsLabAvx2;
extern const LabKernels kKernelsLabAvx512;

namespace {

std::atomic<InstructionSet> most{InstructionSet::Avx512};

constexpr InstructionSet kWidestFirst[] = {InstructionSet::Avx512, InstructionSet::Avx2,
                                           InstructionSet::Baseline};

}  // namespace

void limitInstructionSet(InstructionSet set) { most = set; }

const Kernels* kernelsFor(InstructionSet set) {
    if (set > most) return nullptr;
    switch (set) {
    case InstructionSet::Baseline:
        return &kKernelsBaseline;
    case InstructionSet::Avx2:
        // F16C is older than AVX2, and not every compiler knows its name here.
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")
                   ? &kKernelsAvx2
                   : nullptr;
    case InstructionSet::Avx512:
        // The five parts of x86-64-v4; every AVX-512 server since 2017 has them.
        return kernelsFor(InstructionSet::Avx2) != nullptr && __builtin_cpu_supports("avx512f") &&
                       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
                   ? &kKernelsAvx512
                   : nullptr;
    }
    return nullptr;
}

const Kernels& bestKernels() {
    for (const InstructionSet set : kWidestFirst)
        if (const Kernels* kernels = kernelsFor(set)) return *kernels;
    return kKernelsBaseline;
}

const LabKernels* labKernelsFor(InstructionSet set) {
    if (kernelsFor(set) == nullptr) return nullptr;
    return set == InstructionSet::Avx512 ? &kKernelsLabAvx512
           : set == InstructionSet::Avx2 ? &kKernelsLabAvx2
                                         : &kKernelsLabBaseline;
}

const LabKernels& labKernels() {
    for (const InstructionSet set : kWidestFirst)
        if (const LabKernels* kernels = labKernelsFor(set)) return *kernels;
    return kKernelsLabBaseline;
}

}  // namespace plumb::cpu
