// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/engine/engine_client.h"

#include <QObject>
#include <QString>

namespace plumb::ui {

class RunController;

/// What the Lab asks of the engine: the numbers of a tensor of the training that goes on, and the time of an
/// expression. Answers and refusals come as signals.
class LabEngine final : public QObject {
    Q_OBJECT
public:
    LabEngine(RunController& controller, EngineClient& engine, QObject* parent = nullptr);

    /// Asks for a tensor of the training that goes on, or a weight of the newest one that ended; does nothing
    /// while an earlier look is not answered. `saveTo`: the engine also writes it there, see
    /// protocol::Inspect.
    void inspect(TensorRole role, int layer, const QString& saveTo = {});
    [[nodiscard]] bool inspecting() const { return m_inspection != 0; }

    /// Empty when time() would work; else why not, as a sentence.
    [[nodiscard]] QString whyNotTime() const;
    void time(const QString& expression, const DimensionSizes& sizes, Dtype dtype);
    [[nodiscard]] bool timing() const { return m_timing != 0; }
    void cancelTiming();

signals:
    void inspected(const plumb::TensorInspection& inspection);
    void inspectionRefused(const QString& sentence);
    void timed(const plumb::protocol::EinsumTimed& result);
    void timingRefused(const QString& sentence);
    void changed();  ///< timing() or whyNotTime()

private:
    void take(const protocol::Event& event);
    void refuse(const QString& reason);

    RunController& m_controller;
    EngineClient& m_engine;
    std::int64_t m_inspection = 0;  ///< id of the command that waits for its answer; 0: none
    std::int64_t m_timing = 0;
};

}  // namespace plumb::ui
