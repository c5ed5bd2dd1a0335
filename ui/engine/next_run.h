// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"

#include <QObject>
#include <QString>

#include <optional>
#include <utility>

namespace plumb::ui {

/// What the next run and the next profile are asked for beside the configuration.
class NextRun final : public QObject {
    Q_OBJECT
public:
    /// Steps of the run; 0: until stopped.
    [[nodiscard]] std::int64_t steps() const { return m_steps; }
    void setSteps(std::int64_t steps) { m_steps = steps; }

    /// How much a profile counts; empty: nothing. Stays as it is while a device without counters is chosen,
    /// which is then profiled without.
    [[nodiscard]] std::optional<CounterDetail> counters() const { return m_counters; }
    void setCounters(std::optional<CounterDetail> detail) {
        if (std::exchange(m_counters, detail) != detail) emit countersChanged();
    }

    /// Where a run keeps its state, and what it goes on from (empty: nothing).
    [[nodiscard]] const CheckpointOptions& checkpoints() const { return m_checkpoints; }
    void setCheckpoints(const CheckpointOptions& options) { m_checkpoints = options; }
    [[nodiscard]] const QString& resumeFrom() const { return m_resumeFrom; }
    void setResumeFrom(const QString& path) { m_resumeFrom = path; }

signals:
    void countersChanged();

private:
    std::int64_t m_steps = 0;
    std::optional<CounterDetail> m_counters;
    CheckpointOptions m_checkpoints;
    QString m_resumeFrom;
};

}  // namespace plumb::ui
