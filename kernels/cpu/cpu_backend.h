// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/engine/backend.h"
#include "kernels/cpu/kernels.h"

#include <memory>
#include <optional>

namespace plumb {

/// cpuTraits(), and what this processor multiplies in formats of its own. A plan with either runs here.
[[nodiscard]] BackendTraits localCpuTraits();

/// The processor as a Backend: products of our own on a processor with AVX-512 and oneDNN's on others,
/// everything else from our own kernels for the widest instruction set found at run time, threads from OpenMP
/// (oneDNN's runtime). Which product is taken depends on shape, scratch and instruction set, never on a
/// measurement, so that a resumed run repeats its bits. Losses of two runs with the
/// same number of threads are equal bit for bit. Denormal numbers are kept (no flush to zero), as PyTorch
/// does, but in products of bf16 by the processor's dot product, where they are 0, as in PyTorch's.
///
/// `threads`: 0 for one per usable core (usableCores()). Errors: BadInput for a count that is
/// negative or above 1024; OutOfMemory when no address space can be reserved.
[[nodiscard]] Result<std::unique_ptr<Backend>> makeCpuBackend(int threads = 0);

/// `threads` of each of so many ranks that share the processor: an equal part of its cores, at least one.
[[nodiscard]] int threadsOfRank(int ranks);

/// What the plain factory finds out by itself, for tests and tools to set.
struct CpuBackendOptions {
    int threads = 0;
    std::optional<Bytes> memoryLimit;                   ///< empty: the machine's memory
    std::optional<cpu::InstructionSet> instructionSet;  ///< empty: the widest
};
/// Errors: as above, and Unavailable for an instruction set that this processor lacks.
[[nodiscard]] Result<std::unique_ptr<Backend>> makeCpuBackend(const CpuBackendOptions& options);

}  // namespace plumb
