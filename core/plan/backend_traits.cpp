// SPDX-License-Identifier: Apache-2.0
#include "core/plan/step_plan.h"

#include <fmt/format.h>

namespace plumb {

// oneDNN's fastest fp32 product wants scratch that depends on shape and threads: from 1 kB to 3.4 MB with 2
// threads, most for the weight gradient that adds to what is there. These numbers cover every shape with 1 or
// 2 threads, 97 % of shapes with 4 and 90 % with 8; a product that wants more takes another implementation
// (kernels/cpu/product.h). The products of our own choose their blocks to fit. Held by
// tests/kernels/product_test.cpp.
BackendTraits cpuTraits() {
    return BackendTraits{.backend = "cpu",
                         .castsProducts = true,
                         .libraryScratchBytes = 8 << 20,
                         .libraryScratchPerByte = 1.0,
                         .libraryScratchBase = 32 << 10,
                         .exchanges = true,
                         .emulatesTf32 = true,
                         .emulatesFp8 = true};
}

// cuBLASLt reads every narrow format itself. Its fp8 products take A transposed and B not on 8.9, 9.0
// and 12.x, and multiples of 16 everywhere. NVIDIA recommends 32 MiB of workspace on Hopper and the data
// centre parts after it, 4 MiB before; 8 MiB leave room for partial sums of our own kernels.
Result<BackendTraits> cudaTraits(int computeCapability) {
    if (computeCapability < 80)
        return Error{
            ErrorCode::Unavailable,
            fmt::format("the GPU is older than the CUDA backend's kernels (compute capability {}.{})",
                        computeCapability / 10, computeCapability % 10),
            "use a GPU of compute capability 8.0 or newer, or the CPU"};
    return BackendTraits{.backend = "cuda",
                         .castsProducts = false,
                         .sharedScratchBytes = Bytes{computeCapability >= 90 ? 32 : 8} << 20,
                         .headParts = 64,
                         .adafactorRows = 64,
                         .fusedHeadOutputs = 4,
                         .reluMasks = true,
                         .castsFp8Results = true,
                         .transposesFp8 = computeCapability < 100 || computeCapability >= 120,
                         .fp8Multiple = 16,
                         .lacksFp8 = computeCapability < 89,
                         .replaysSteps = true,
                         .sideBranch = true};
}

BackendTraits traitsFor(std::string_view backend, std::optional<int> computeCapability) {
    if (backend == "cpu") return cpuTraits();
    if (backend == "cuda" && computeCapability) {
        const auto traits = cudaTraits(*computeCapability);
        if (traits.has_value()) return *traits;
    }
    BackendTraits traits;
    traits.backend = backend;
    traits.castsProducts = false;
    return traits;
}

std::string precisionNote(const RunConfig& config, const BackendTraits& traits) {
    const std::string where = traits.backend == "cpu" ? "the CPU" : traits.backend;
    if (config.precision == Precision::Tf32 && traits.emulatesTf32)
        return "tf32 emulated on " + where + ": operands rounded to 10 bits, products in fp32";
    if (config.precision == Precision::Fp8 && traits.emulatesFp8)
        return "fp8 emulated on " + where +
               ": stored in 1 byte per number with a scale per tensor, products of the decoded numbers in " +
               (traits.multipliesBf16 ? "bf16, which holds them all, with sums in fp32" : "fp32");
    // Where nothing is cast, products are the device's own, which needs no words.
    if (!traits.castsProducts) return {};
    if (config.precision == Precision::Bf16 && traits.multipliesBf16)
        return "bf16 multiplied as such on " + where +
               ": pairs by the processor's dot product, sums in fp32, subnormal numbers as 0";
    if (config.precision == Precision::Bf16 || config.precision == Precision::Fp16)
        return fmt::format(
            "{} multiplied in fp32 on {}: operands converted, sums in fp32, results rounded once",
            config.precision == Precision::Bf16 ? "bf16" : "fp16", where);
    return {};
}

}  // namespace plumb
