// SPDX-License-Identifier: Apache-2.0
#include "core/plan/library_scratch.h"

#include <fmt/format.h>

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

}  // namespace plumb
