// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProcess>

#include <memory>

namespace plumb::ui {

/// Engines that were told to end and have not yet. Each ends in its own time: nobody waits for it or hears of
/// it any more; one that takes too long is killed, and none is left when this object goes.
class EndedEngines final : public QObject {
    Q_OBJECT
public:
    enum class Ending {
        Quits,  ///< was asked to and has nothing to save
        Away,   ///< the same through a connection, which takes longer
        Saves,  ///< writes the last state of a training first, which is waited for
        Hangs   ///< is killed
    };

    EndedEngines();
    ~EndedEngines() override;

    /// How long an engine with nothing to save may take before it is killed.
    void setQuitTimeout(int milliseconds) { m_quitMs = milliseconds; }
    void take(std::unique_ptr<QProcess> process, Ending ending);
    /// Some of them save; saved() says when the last has.
    [[nodiscard]] bool saving() const { return m_saving > 0; }
    void killSaving();  ///< what they write is lost, and the checkpoints of before stay

signals:
    void saved();

private:
    int m_quitMs;
    int m_saving = 0;  ///< processes that may still write the last state of theirs
};

}  // namespace plumb::ui
