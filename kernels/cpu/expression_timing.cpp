// SPDX-License-Identifier: Apache-2.0
#include "core/machine/local_cpu.h"
#include "kernels/cpu/expression_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace plumb::cpu {

namespace {

constexpr Seconds kEnough = 0.5;
constexpr std::size_t kFewestRuns = 3;
constexpr std::size_t kMostRuns = 10'000;

/// Numbers around 1, none of them 0: multiplying zeros is faster on some processors.
std::vector<std::byte> numbers(std::int64_t count, bool bf16) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(count) * (bf16 ? 2 : 4));
    for (std::int64_t i = 0; i < count; ++i) {
        const float value = 0.5F + static_cast<float>(i * 37 % 64) / 64;
        if (bf16)
            reinterpret_cast<std::uint16_t*>(bytes.data())[i] = bf16FromFloat(value);
        else
            reinterpret_cast<float*>(bytes.data())[i] = value;
    }
    return bytes;
}

}  // namespace

Result<ExpressionTiming> timeExpression(const lab::EinsumExpression& expression, const DimensionSizes& sizes,
                                        Dtype dtype, const std::stop_token& stop) {
    PLUMB_TRY(ExpressionRun work, ExpressionRun::create(expression, sizes, dtype, usableCores()));
    const std::optional<Bytes> available = availableMemory("/");
    if (work.bytes() < 0 || (available && work.bytes() > *available))
        return Error{ErrorCode::OutOfMemory,
                     fmt::format("the tensors need {}, and {} are available",
                                 formatQuantity(static_cast<double>(work.bytes()), "B"),
                                 formatQuantity(static_cast<double>(available.value_or(0)), "B")),
                     "make a dimension smaller"};
    const bool bf16 = dtype == Dtype::Bf16;
    std::vector<std::vector<std::byte>> operands;
    std::vector<const void*> places;
    for (const std::int64_t elements : work.operandElements()) {
        operands.push_back(numbers(elements, bf16));
        places.push_back(operands.back().data());
    }
    std::vector<std::byte> result(static_cast<std::size_t>(work.resultElements()) * (bf16 ? 2 : 4));
    const auto once = [&]() -> Result<Seconds> {
        if (stop.stop_requested())
            return Error{ErrorCode::RunFailed, "the timing was stopped", "start it again"};
        const auto begin = std::chrono::steady_clock::now();
        PLUMB_CHECK(work.run(places, result.data(), stop));
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    PLUMB_TRY(const Seconds warmUp, once());
    std::vector<Seconds> runs;
    Seconds spent = 0;
    // What takes seconds is timed by a few runs; the warm-up is the first one of something that long.
    if (warmUp > kEnough) runs.push_back(warmUp);
    while (runs.size() < kFewestRuns || (spent < kEnough && runs.size() < kMostRuns)) {
        PLUMB_TRY(const Seconds seconds, once());
        runs.push_back(seconds);
        spent += seconds;
    }
    std::sort(runs.begin(), runs.end());
    return ExpressionTiming{.median = runs[runs.size() / 2],
                            .fastest = runs.front(),
                            .runs = static_cast<std::int64_t>(runs.size()),
                            .implementation = work.implementation()};
}

}  // namespace plumb::cpu
