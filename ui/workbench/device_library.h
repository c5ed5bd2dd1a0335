// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/own_devices.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <map>
#include <string>
#include <vector>

namespace plumb::ui {

/// Texts of a sheet by the key of their row, as they were typed.
using DeviceTexts = std::map<std::string, QString>;

/// What was typed of a data sheet and is not saved.
struct DeviceDraft {
    Machine base;            ///< what is edited; without id when it is new
    DeviceTexts texts = {};  ///< none: nothing was typed yet
};

/// The devices that can be planned with, and the changes of the user's own: each is written to their
/// file at once and can be taken back.
class DeviceLibrary final : public QObject {
    Q_OBJECT
public:
    explicit DeviceLibrary(QObject* parent = nullptr);

    [[nodiscard]] const KnownDevices& known() const { return m_known; }
    [[nodiscard]] bool isOwn(const std::string& id) const;
    /// The device with this id, or null; `local` and gpus() are among them.
    [[nodiscard]] const Machine* find(const std::string& id) const;
    /// The GPUs that the engine lists, one of each kind, with their calibrations.
    [[nodiscard]] const std::vector<Machine>& gpus() const { return m_gpus; }
    void setGpus(const std::vector<Machine>& listed);
    /// This computer's processor, or one of gpus().
    [[nodiscard]] bool isHere(const std::string& id) const;
    [[nodiscard]] QUndoStack& stack() { return m_stack; }
    /// By the id of the device; empty: the new one. They outlive the dialog in which they were typed.
    [[nodiscard]] std::map<std::string, DeviceDraft>& drafts() { return m_drafts; }
    [[nodiscard]] const std::map<std::string, DeviceDraft>& drafts() const { return m_drafts; }

    /// Adds the device or replaces the one of its id. False, after failed(), when it cannot be kept.
    bool put(const Machine& machine);
    bool remove(const std::string& id);
    /// Adds every device of the file, those under another name that would replace one; one step to undo. The
    /// ids of what was added; empty, after failed(), when there is nothing.
    std::vector<std::string> importFrom(const QString& path);
    bool exportTo(const QString& path, const std::vector<Machine>& machines);
    /// Reads all of it anew: this machine was calibrated, or another window changed the file.
    void reload();

signals:
    void changed();
    void gpusChanged();
    void failed(const plumb::Error& error);

private:
    class Change;
    bool apply(const std::vector<Machine>& put, const std::vector<std::string>& removed);

    KnownDevices m_known;
    std::vector<Machine> m_gpus;
    QUndoStack m_stack;
    std::map<std::string, DeviceDraft> m_drafts;
    bool m_applied = true;  ///< what the newest command did
};

}  // namespace plumb::ui
