// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/config_history.h"

#include "ui/workbench/workbench.h"

#include <QUndoCommand>

#include <utility>

namespace plumb::ui {
namespace {

constexpr int kConfigCommand = 1;
constexpr int kMostSteps = 500;

}  // namespace

class ConfigHistory::Change final : public QUndoCommand {
public:
    Change(ConfigHistory& history, RunConfig before, const QString& setting, int gesture)
        : QUndoCommand(setting),
          m_history(history),
          m_before(std::move(before)),
          m_after(history.m_workbench.config()),
          m_gesture(gesture) {}

    void undo() override { put(m_before); }
    void redo() override { put(m_after); }
    [[nodiscard]] int id() const override { return m_gesture == 0 ? -1 : kConfigCommand; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* newer = static_cast<const Change*>(other);
        if (newer->m_gesture != m_gesture || newer->text() != text()) return false;
        m_after = newer->m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    void put(const RunConfig& config) {
        if (const Result<void> shown = m_history.m_workbench.show(config); !shown.has_value())
            emit m_history.refused(shown.error());
    }

    ConfigHistory& m_history;
    RunConfig m_before;
    RunConfig m_after;
    int m_gesture;
};

ConfigHistory::ConfigHistory(Workbench& workbench, QObject* parent)
    : QObject(parent), m_workbench(workbench) {
    m_stack.setUndoLimit(kMostSteps);
}

Result<void> ConfigHistory::change(const RunConfig& config, const QString& setting, int gesture) {
    if (config == m_workbench.config()) return {};
    RunConfig before = m_workbench.config();
    PLUMB_CHECK(m_workbench.show(config));
    m_stack.push(new Change(*this, std::move(before), setting, gesture));  // its redo() changes nothing
    return {};
}

}  // namespace plumb::ui
