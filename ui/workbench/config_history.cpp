// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/config_history.h"

#include "ui/workbench/workbench.h"

#include <QUndoCommand>

#include <utility>

namespace plumb::ui {
namespace {

constexpr int kConfigCommand = 1;
constexpr int kMostSteps = 500;

class ChangeConfig final : public QUndoCommand {
public:
    ChangeConfig(Workbench& workbench, RunConfig before, const QString& setting, int gesture)
        : QUndoCommand(setting),
          m_workbench(workbench),
          m_before(std::move(before)),
          m_after(workbench.config()),
          m_gesture(gesture) {}

    void undo() override { m_workbench.setConfig(m_before); }
    void redo() override { m_workbench.setConfig(m_after); }
    [[nodiscard]] int id() const override { return m_gesture == 0 ? -1 : kConfigCommand; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* newer = static_cast<const ChangeConfig*>(other);
        if (newer->m_gesture != m_gesture || newer->text() != text()) return false;
        m_after = newer->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    Workbench& m_workbench;
    RunConfig m_before;
    RunConfig m_after;
    int m_gesture;
};

}  // namespace

ConfigHistory::ConfigHistory(Workbench& workbench, QObject* parent)
    : QObject(parent), m_workbench(workbench) {
    m_stack.setUndoLimit(kMostSteps);
}

bool ConfigHistory::change(const RunConfig& config, const QString& setting, int gesture) {
    if (config == m_workbench.config()) return true;
    RunConfig before = m_workbench.config();
    m_workbench.setConfig(config);
    if (!(m_workbench.config() == config)) return false;  // refused, and said so
    m_stack.push(
        new ChangeConfig(m_workbench, std::move(before), setting, gesture));  // its redo() changes nothing
    return true;
}

}  // namespace plumb::ui
