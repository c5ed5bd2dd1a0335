// SPDX-License-Identifier: Apache-2.0
#include "core/plan/library_scratch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb {

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
    if (traits.headParts < 0 || traits.headParts > 65536 || traits.adafactorRows < 0)
        return Error{ErrorCode::BadInput,
                     fmt::format("backend {} declares {} parts of the head and {} rows of Adafactor",
                                 traits.backend, traits.headParts, traits.adafactorRows),
                     "they must be from 0 on, and few"};
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
    const double operandBytes = (2 * rows * dim + dim * dim) * static_cast<double>(dtypeSize(Dtype::Fp32));
    const double wanted = static_cast<double>(traits.libraryScratchBase) +
                          std::ceil(traits.libraryScratchPerByte * operandBytes);
    const bool capped = wanted >= static_cast<double>(traits.libraryScratchBytes);
    const Bytes bytes = capped ? traits.libraryScratchBytes : static_cast<Bytes>(wanted);
    return (bytes + 3) / dtypeSize(Dtype::Fp32);
}

SharedScratch sharedScratch(const RunConfig& config, const BackendTraits& traits) {
    SharedScratch scratch;
    if (traits.sharedScratchBytes <= 0) return scratch;
    constexpr Bytes kFp32 = 4;
    constexpr Bytes kFp64 = 8;
    constexpr Bytes kAlignment = 256;
    const Bytes head = config.head ? traits.headParts * config.dim * config.outputs * kFp32 : 0;
    scratch.first = (std::max(traits.sharedScratchBytes, head) + kAlignment - 1) / kAlignment * kAlignment;
    if (config.optimizer != Optimizer::Adafactor || traits.adafactorRows <= 0) return scratch;
    // Of every matrix: squares of the parameters by part, a rate, a factor by row and column; squares of the
    // columns by part.
    const std::int64_t parts = (config.dim + traits.adafactorRows - 1) / traits.adafactorRows;
    const std::int64_t matrices = config.matrices();
    const std::int64_t columns = config.layers * config.dim + (config.head ? config.outputs : 0);
    scratch.adafactor =
        kFp64 * matrices * parts + kFp32 * (matrices * (1 + config.dim) + columns * (1 + parts));
    return scratch;
}

}  // namespace plumb
