// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/machine/tier.h"
#include "core/measure/reading.h"
#include "core/measure/timeline.h"
#include "core/plan/step.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumb {

/// What is known of the ops of a reading beside it, by their index there: found by id, since a file may hold
/// them in another order than the step.
struct ReadingOps {
    std::vector<std::int32_t> stepOp;               ///< index into the step that ran, or -1
    std::vector<std::optional<Seconds>> predicted;  ///< of one execution; absent: not predicted
    std::vector<std::optional<Tier>> tiers;         ///< tiers of these
};
/// `prediction` is that of `step`; null: there is none.
[[nodiscard]] ReadingOps matchOps(const Reading& reading, const Step& step, const Prediction* prediction);

/// Records of a timeline together. One that reaches out of the stretch that is asked about counts with the
/// part inside it: its time is cut there, and its FLOPs, bytes and prediction count in proportion.
struct RecordSum {
    std::int64_t count = 0;
    Seconds seconds = 0;
    std::optional<Seconds> predicted;  ///< absent when one of them has no prediction, or none can have one
    std::optional<double> flops;       ///< FLOPs of the step that ran
    std::optional<double> bytes;       ///< bytes of ops: compulsory; of copies and fills: moved

    void add(const RecordSum& other);
};

/// All executions of the ops of one kind. The same kind in two phases, forward and recomputed for example,
/// stays apart.
struct OpKindSum {
    std::string kind;  ///< as in files
    Phase phase{};
    RecordSum sum;
};

/// Sums up records of a reading's timeline, O(1) each. All that it is given outlives it.
class TimelineSummation {
public:
    TimelineSummation(const Reading& reading, const Step& step, const ReadingOps& ops)
        : m_reading(reading), m_step(step), m_ops(ops), m_byOp(reading.ops.size()) {}

    /// An execution of an op, which has its costs and its prediction.
    [[nodiscard]] static bool isExecution(const TimelineRecord& record) {
        return record.kind == TimelineKind::Op && record.op >= 0;
    }
    /// One record of `whole` seconds, `inside` of which count.
    [[nodiscard]] RecordSum part(const TimelineRecord& record, Seconds whole, Seconds inside) const;
    /// Adds it to the sums by kind. Pre: isExecution(record).
    void addExecution(const TimelineRecord& record, Seconds whole, Seconds inside);

    /// By falling time; between equals kind and phase decide, so that the order is always the same.
    [[nodiscard]] std::vector<OpKindSum> byKind() const;
    [[nodiscard]] RecordSum allOps() const;

private:
    const Reading& m_reading;
    const Step& m_step;
    const ReadingOps& m_ops;
    std::vector<RecordSum> m_byOp;  ///< there are far fewer ops than records
};

}  // namespace plumb
