// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/theme/text.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace plumb::ui {

/// A device that the run panel offers.
struct DeviceChoice {
    Target target;
    bool canRun = false;    ///< the engine runs on it; otherwise it is for prediction only, or not there
    bool enabled = true;    ///< false: listed by the engine but not available
    QString reason;         ///< why it cannot run, in core's words: the language can change
    bool ofEngine = false;  ///< listed by the engine, or this computer in its place
    CounterSupport counters = {};
    QString place = {};                  ///< name of the host that has it; empty: this computer, or none
    [[nodiscard]] QString name() const;  ///< "H100 on gpu-box"
    [[nodiscard]] QString reasonText() const { return coreText(reason.toStdString()); }
};

/// The devices that can be chosen: those of the engine, of data sheets and of opened files. The choice and
/// the scene are of one device at every moment.
class DeviceChoices final : public QObject {
    Q_OBJECT
public:
    explicit DeviceChoices(Workbench& workbench);

    [[nodiscard]] const std::vector<DeviceChoice>& all() const { return m_all; }
    [[nodiscard]] int currentIndex() const { return m_current; }
    [[nodiscard]] const DeviceChoice& current() const {
        return m_all.at(static_cast<std::size_t>(m_current));
    }
    /// The chosen one where it runs; null when it is for prediction only or not there.
    [[nodiscard]] const DeviceChoice* runnable() const;
    /// The device of the engine on which the chosen one runs: the machine of a file runs on one of its kind.
    [[nodiscard]] const DeviceChoice* ofEngine() const;

    /// Where the scene stays as it was, so does the choice.
    void choose(int index);
    /// Chooses the device of a scene that the caller shows next: one that is exactly that, else an entry of
    /// its own.
    void chooseFor(const Target& target);
    /// Takes what the engine lists; an empty list: there is no engine.
    /// `place`: name of the engine's host; empty: this computer.
    void offer(const std::vector<protocol::DeviceEntry>& listed, const QString& place = {});
    /// The user's own devices changed: they are read anew.
    void reloadOwnDevices();
    void recalibrate(const Machine& machine);

    [[nodiscard]] bool calibrated() const;  ///< the engine's own machine has ceilings
    [[nodiscard]] QString place() const;    ///< name of the host whose machine that is; empty: this computer
    /// How right the predictions of the device that runs were when checked; empty when they never were.
    [[nodiscard]] QString predictionErrorsText() const;

signals:
    void changed();
    void refused(const plumb::Error& error);  ///< what the sliders ask for cannot be planned on that device

private:
    /// Shows the scene on `target`. False where it stays as it was, which refused() says.
    bool show(const Target& target, std::optional<std::vector<Machine>> dataSheets = std::nullopt);
    /// Offers these, those of data sheets and those of files, and keeps the choice as far as it is there.
    void replaceOfEngine(std::vector<DeviceChoice> ofEngine);
    [[nodiscard]] bool canRunOn(const Machine& machine) const;
    /// Index of the offered device that is most like `target`; the first where none is.
    [[nodiscard]] int indexOf(const Target& target) const;

    Workbench& m_workbench;
    std::vector<DeviceChoice> m_all;
    std::vector<DeviceChoice> m_ofFiles;  ///< machines of opened files, last in m_all
    int m_current = 0;
    /// PyTorch's that was chosen when an engine began anew: it comes with the second list.
    std::optional<Target> m_returning;
};

}  // namespace plumb::ui
