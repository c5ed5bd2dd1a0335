// SPDX-License-Identifier: Apache-2.0
#include "core/train/checkpoint_values.h"

#include "core/base/entry_at.h"
#include "core/plan/control_tensors.h"
#include "core/plan/optimizer_rule.h"
#include "core/train/training_checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace plumb {

namespace {

/// Numbers that are looked at before the first bad one is searched for.
constexpr std::size_t kBlock = 4096;

template <class Word>
Word wordAt(const std::byte* data, std::size_t index) {
    Word word{};  // copied: the format promises no alignment
    std::memcpy(&word, data + index * sizeof word, sizeof word);
    return word;
}

/// How the numbers of a dtype are stored.
template <class Word>
struct Encoding {
    Word firstNonFinite;  ///< magnitudes from here on are infinite or not numbers
    float (*decode)(Word bits);
};

/// Index of the first number that is not finite, or, where `squares`, below 0; -1 for none.
template <class Word>
std::int64_t firstBad(std::span<const std::byte> bytes, const Encoding<Word>& encoding, bool squares) {
    constexpr Word kMagnitude = std::numeric_limits<Word>::max() >> 1U;
    constexpr Word kSign = static_cast<Word>(~kMagnitude);
    // Carries into the sign bit from the first magnitude that is not finite on: no comparison is needed.
    const auto carry = static_cast<Word>(kSign - encoding.firstNonFinite);
    const Word ownSign = squares ? kSign : Word{0};
    const std::size_t count = bytes.size() / sizeof(Word);
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
        const std::size_t end = std::min(begin + kBlock, count);
        Word flags = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const Word word = wordAt<Word>(bytes.data(), i);
            flags = static_cast<Word>(flags | static_cast<Word>((word & kMagnitude) + carry) |
                                      static_cast<Word>(word & ownSign));
        }
        if ((flags & kSign) == 0) continue;
        for (std::size_t i = begin; i < end; ++i) {
            const float value = encoding.decode(wordAt<Word>(bytes.data(), i));
            if (!std::isfinite(value) || (squares && value < 0)) return static_cast<std::int64_t>(i);
        }
    }
    return -1;
}

struct BadNumber {
    std::int64_t index = -1;  ///< -1: there is none
    float value = 0;
};

template <class Word>
BadNumber findBad(std::span<const std::byte> bytes, const Encoding<Word>& encoding, bool squares) {
    BadNumber bad{firstBad(bytes, encoding, squares)};
    if (bad.index >= 0)
        bad.value = encoding.decode(wordAt<Word>(bytes.data(), static_cast<std::size_t>(bad.index)));
    return bad;
}

BadNumber findBad(std::span<const std::byte> bytes, Dtype dtype, bool squares) {
    switch (dtype) {
    case Dtype::Bf16:
        return findBad(bytes, Encoding<std::uint16_t>{0x7f80, floatFromBf16}, squares);
    case Dtype::Fp16:
        return findBad(bytes, Encoding<std::uint16_t>{0x7c00, floatFromFp16}, squares);
    case Dtype::Fp8E4M3:
        return findBad(bytes, Encoding<std::uint8_t>{0x7f, floatFromFp8E4M3}, squares);
    case Dtype::Fp8E5M2:
        return findBad(bytes, Encoding<std::uint8_t>{0x7c, floatFromFp8E5M2}, squares);
    case Dtype::Fp32:
    case Dtype::Tf32:
        return findBad(bytes,
                       Encoding<std::uint32_t>{0x7f800000U,
                                               [](std::uint32_t bits) { return std::bit_cast<float>(bits); }},
                       squares);
    case Dtype::Fp64:
    case Dtype::Fp4E2M1:  // no recipe stores weights or states in it
        break;
    }
    return {};
}

/// Whether `tensor` is a state that sums squares, of which training takes the root.
bool holdsSquares(const RunConfig& config, const Tensor& tensor) {
    const OptimizerStates states = optimizerStates(config);
    const std::size_t index = stateIndex(tensor.role);
    if (tensor.role < TensorRole::Moment1 || index >= states.count) return false;
    switch (states.kind[index]) {
    case OptimizerState::SumOfSquares:
    case OptimizerState::MeanSquare:
    case OptimizerState::SecondMoment:
    case OptimizerState::LargestSecondMoment:
    case OptimizerState::RowMeanSquare:
    case OptimizerState::ColumnMeanSquare:
        return true;
    default:
        return false;
    }
}

class ValueCheck {
public:
    ValueCheck(const SafetensorsFile& file, const StepPlan& plan, std::int64_t step)
        : m_file(file), m_plan(plan), m_step(static_cast<double>(step)) {}

    [[nodiscard]] Result<void> run(ContentHash& hash) const {
        std::unordered_map<std::string, TensorId> byName;
        for (const TensorId id : checkpointTensors(m_plan))
            byName.emplace(checkpointTensorName(m_plan, m_plan.tensor(id)), id);
        for (const SafetensorsEntry& entry : m_file.tensors()) {
            const auto found = byName.find(entry.name);
            if (found == byName.end()) return internalError("a checkpoint was not checked");
            const Tensor& tensor = m_plan.tensor(found->second);
            PLUMB_TRY(const std::vector<std::byte> bytes, m_file.bytes(entry));
            hash.add(bytes);
            if (tensor.role == TensorRole::LossScale)
                PLUMB_CHECK(checkLossScale(bytes, entry.name));
            else if (tensor.role == TensorRole::Scales)
                PLUMB_CHECK(checkScales(bytes, entry.name));
            else
                PLUMB_CHECK(checkNumbers(tensor, bytes, entry.name));
        }
        return {};
    }

private:
    [[nodiscard]] Error bad(const std::string& what) const {
        return {ErrorCode::BadInput, "the checkpoint " + m_file.path() + " " + what,
                "resume from another one"};
    }

    [[nodiscard]] Result<void> checkNumbers(const Tensor& tensor, std::span<const std::byte> bytes,
                                            const std::string& name) const {
        const BadNumber found = findBad(bytes, tensor.dtype, holdsSquares(m_plan.config, tensor));
        if (found.index < 0) return {};
        const std::int64_t columns = checkpointShape(m_plan, tensor).back();
        return bad(fmt::format("holds {} in {}, row {}, column {} ({})",
                               std::isfinite(found.value) ? "a negative mean of squares"
                                                          : "a number that is not finite",
                               name, found.index / columns, found.index % columns, found.value));
    }

    [[nodiscard]] Result<void> checkLossScale(std::span<const std::byte> bytes,
                                              const std::string& name) const {
        std::array<double, kLossScaleColumns> column{};
        std::memcpy(column.data(), bytes.data(), std::min(bytes.size(), sizeof column));
        const auto unusable = [&](const char* what, std::size_t which) {
            return bad(fmt::format("holds an unusable {} in {} ({})", what, name, column[which]));
        };
        const auto isCount = [&](std::size_t which, double most) {  // false for what is not a number, too
            return column[which] >= 0 && column[which] <= most && column[which] == std::floor(column[which]);
        };
        if (!std::isfinite(column[kLossScaleValue]) || column[kLossScaleValue] <= 0)
            return unusable("loss scale", kLossScaleValue);
        if (!isCount(kLossScaleSkipped, m_step)) return unusable("count of skipped steps", kLossScaleSkipped);
        if (!isCount(kLossScaleGoodSteps, m_step))
            return unusable("count of good steps", kLossScaleGoodSteps);
        if (column[kLossScaleSkipped] + column[kLossScaleGoodSteps] != m_step)
            return bad(fmt::format("counts other steps in {} than it has done ({} good and {} skipped of {})",
                                   name, column[kLossScaleGoodSteps], column[kLossScaleSkipped], m_step));
        const auto interval = static_cast<double>(m_plan.config.lossScaling.interval);
        if (!isCount(kLossScaleTracker, std::min(column[kLossScaleGoodSteps], interval - 1)))
            return unusable("growth tracker", kLossScaleTracker);
        // Every step clears the mark that it has set.
        if (column[kLossScaleNotFinite] != 0)
            return unusable("mark of numbers that are not finite", kLossScaleNotFinite);
        if (column[kLossScaleReserved] != 0) return unusable("reserved number", kLossScaleReserved);
        return {};
    }

    [[nodiscard]] Result<void> checkScales(std::span<const std::byte> bytes, const std::string& name) const {
        constexpr auto kColumns = static_cast<std::size_t>(kScalesColumns);
        const auto rows = static_cast<std::size_t>(statisticsSlots(m_plan.config));
        // 0 is the scale of what is not stored in fp8, and before the first step of what is not stored yet.
        std::vector<bool> needed(rows);
        for (const Tensor& tensor : m_plan.tensors) {
            const std::int64_t slot = statisticsSlot(m_plan.config, tensor.role, tensor.layer);
            if (slot >= 0 && dtypeSize(tensor.dtype) == 1 &&
                (m_step > 0 || tensor.role == TensorRole::Weight))
                entryAt(needed, slot) = true;
        }
        for (std::size_t i = 0; i < rows * kColumns; ++i) {
            const auto value = wordAt<float>(bytes.data(), i);
            const std::size_t row = i / kColumns, column = i % kColumns;
            const bool positive = column == 0 && needed[row];
            if (std::isfinite(value) && (positive ? value > 0 : value >= 0)) continue;
            return bad(fmt::format("holds an unusable {} in {}, row {}, column {} ({})",
                                   column == 0 ? "scale" : "largest magnitude", name, row, column, value));
        }
        return {};
    }

    const SafetensorsFile& m_file;
    const StepPlan& m_plan;
    const double m_step;
};

}  // namespace

Result<void> checkCheckpointValues(const SafetensorsFile& file, const StepPlan& plan, std::int64_t step,
                                   ContentHash& hash) {
    return ValueCheck(file, plan, step).run(hash);
}

}  // namespace plumb
