// SPDX-License-Identifier: Apache-2.0
#include "core/plan/library_scratch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb {

namespace {

constexpr std::int64_t kMostParts = 65536;

/// A count that remembers that it left 63 bits.
struct Count {
    std::int64_t value = 0;
    Count(std::int64_t number) : value(number) {}  // NOLINT(google-explicit-constructor): plain arithmetic
    friend Count operator*(Count a, Count b) { return mulOrOverflow(a.value, b.value); }
    friend Count operator+(Count a, Count b) { return addOrOverflow(a.value, b.value); }
    [[nodiscard]] bool overflowed() const { return value < 0; }
};

}  // namespace

Result<void> checkTraits(const BackendTraits& traits) {
    constexpr Bytes kMost = Bytes{1} << 60;  // leaves room to add it to any step
    const auto usable = [](Bytes bytes) { return bytes >= 0 && bytes <= kMost; };
    if (!usable(traits.libraryScratchBytes) || !usable(traits.libraryScratchBase) ||
        !std::isfinite(traits.libraryScratchPerByte) || traits.libraryScratchPerByte < 0)
        return Error{ErrorCode::BadInput,
                     fmt::format("backend {} declares {} bytes of library scratch ({} + {} per byte)",
                                 traits.backend, traits.libraryScratchBytes, traits.libraryScratchBase,
                                 traits.libraryScratchPerByte),
                     "each must be from 0 to 2^60"};
    if (!usable(traits.sharedScratchBytes))
        return Error{ErrorCode::BadInput,
                     fmt::format("backend {} declares {} bytes of shared scratch", traits.backend,
                                 traits.sharedScratchBytes),
                     "it must be from 0 to 2^60"};
    if (traits.headParts < 0 || traits.headParts > kMostParts || traits.adafactorRows < 0 ||
        traits.adafactorRows > kMaxDimension)
        return Error{ErrorCode::BadInput,
                     fmt::format("backend {} declares {} parts of the head and {} rows of Adafactor",
                                 traits.backend, traits.headParts, traits.adafactorRows),
                     fmt::format("there are 0 to {} parts, and 0 to {} rows", kMostParts, kMaxDimension)};
    if (traits.fusedHeadOutputs < 0 || traits.fusedHeadOutputs > kMostParts)
        return Error{ErrorCode::BadInput,
                     fmt::format("backend {} declares one pass of heads of up to {} outputs", traits.backend,
                                 traits.fusedHeadOutputs),
                     fmt::format("it must be from 0 to {}", kMostParts)};
    if (traits.sideBranch && (!traits.replaysSteps || traits.sharedScratchBytes == 0))
        return Error{
            ErrorCode::BadInput,
            fmt::format("backend {} declares a side branch of steps that are not replayed, or that share "
                        "no scratch",
                        traits.backend),
            "side_branch needs records_steps and shared_scratch_bytes"};
    if (traits.castsProducts && (traits.castsFp8Results || traits.transposesFp8))
        return Error{ErrorCode::BadInput,
                     fmt::format("backend {} declares that its products are of fp32 copies and of fp8",
                                 traits.backend),
                     "what casts_products casts needs neither casts_fp8_results nor transposes_fp8"};
    if (traits.fp8Multiple < 1 || traits.fp8Multiple > 4096)
        return Error{ErrorCode::BadInput,
                     fmt::format("backend {} declares fp8 products of multiples of {}", traits.backend,
                                 traits.fp8Multiple),
                     "it must be from 1 to 4096"};
    return {};
}

Result<void> checkFp8Shape(const RunConfig& config, const BackendTraits& traits) {
    const std::int64_t multiple = traits.fp8Multiple;
    if (config.precision != Precision::Fp8) return {};
    if (traits.lacksFp8)
        return Error{ErrorCode::BadInput,
                     fmt::format("the device of the {} backend has no products of fp8 (fp8)", traits.backend),
                     "use --precision bf16, or a GPU of compute capability 8.9 or newer"};
    if (multiple <= 1) return {};
    const auto refuse = [&](std::string_view what, std::int64_t value) {
        return Error{
            ErrorCode::BadInput,
            fmt::format("fp8 products of the {} backend need a {} that is a multiple of {} ({})",
                        traits.backend, what, multiple, value),
            fmt::format("use {}, or --precision bf16", (value + multiple - 1) / multiple * multiple)};
    };
    if (config.dim % multiple != 0) return refuse("dim", config.dim);
    if (config.microBatchSize() % multiple != 0) return refuse("micro-batch", config.microBatchSize());
    return {};
}

std::int64_t libraryScratchFloats(const RunConfig& config, const BackendTraits& traits) {
    if (traits.libraryScratchBytes <= 0) return 0;
    const auto rows = static_cast<double>(config.microBatchSize());
    const auto dim = static_cast<double>(config.dim);
    const double part = dim / static_cast<double>(config.parallel.tensor);
    const double operandBytes =
        (rows * (dim + part) + dim * part) * static_cast<double>(dtypeSize(Dtype::Fp32));
    const double wanted = static_cast<double>(traits.libraryScratchBase) +
                          std::ceil(traits.libraryScratchPerByte * operandBytes);
    const bool capped = wanted >= static_cast<double>(traits.libraryScratchBytes);
    const Bytes bytes = capped ? traits.libraryScratchBytes : static_cast<Bytes>(wanted);
    return (bytes + 3) / dtypeSize(Dtype::Fp32);
}

Result<SharedScratch> sharedScratch(const RunConfig& config, const BackendTraits& traits) {
    SharedScratch scratch;
    if (traits.sharedScratchBytes <= 0) return scratch;
    constexpr Bytes kFp32 = 4;
    constexpr Bytes kFp64 = 8;
    constexpr Bytes kAlignment = 256;
    const std::int64_t outputs = config.head ? config.outputs : 0;
    const Count head = fusesHead(config, traits)
                           ? Count(4) * traits.headParts * (Count(config.dim) * kFp32 + kHeadPassSums)
                           : Count(traits.headParts) * config.dim * outputs * kFp32;
    const Count least = std::max(traits.sharedScratchBytes, head.value);
    const Count first = head.overflowed() ? head : least + (kAlignment - 1);
    // Scratch of every matrix: squares of the parameters by part, a rate, a factor by row and column; squares
    // of the columns by part.
    Count adafactor = 0;
    if (config.optimizer == Optimizer::Adafactor && traits.adafactorRows > 0) {
        const Count parts = (config.dim + traits.adafactorRows - 1) / traits.adafactorRows;
        const Count matrices = config.matrices();
        const Count columns = Count(config.layers) * config.dim + outputs;
        adafactor = Count(kFp64) * matrices * parts +
                    Count(kFp32) * (matrices * (Count(1) + config.dim) + columns * (Count(1) + parts));
    }
    const Count side = traits.sideBranch ? first : Count(0);
    if ((first + side + adafactor).overflowed())
        return Error{ErrorCode::BadInput,
                     fmt::format("one step needs more bytes of scratch than 63 bits hold (dim {}, layers {}, "
                                 "outputs {})",
                                 config.dim, config.layers, outputs),
                     "make dim, layers or outputs smaller"};
    scratch.first = first.value / kAlignment * kAlignment;
    scratch.side = traits.sideBranch ? scratch.first : 0;
    scratch.adafactor = adafactor.value;
    return scratch;
}

}  // namespace plumb
