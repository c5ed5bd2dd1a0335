// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/run/config_editor.h"
#include "ui/run/data_section.h"
#include "ui/workbench/view.h"

#include <QEvent>
#include <QWidget>

#include <memory>
#include <string_view>

namespace plumb::ui {

class ConfigHistory;
class RunController;

/// The left side of the window: what to run, where, whether it fits, and the buttons that run it. Its
/// sections add their rows to it and show the one state that it makes.
class RunPanel final : public QWidget {
    Q_OBJECT
public:
    using UsePath = DataSection::UsePath;
    using DataFile = DataSection::File;
    RunPanel(ViewContext context, RunController& controller, ConfigHistory& history,
             QWidget* parent = nullptr);
    ~RunPanel() override;

    [[nodiscard]] RunPanelState state() const { return makeRunPanelState(input()); }
    /// DataSection::choose().
    void chooseFile(DataFile which, const QString& path);
    /// Takes what is typed and not yet entered. False when something in the panel cannot be used; its
    /// sentence stands beside it, and nothing should run.
    [[nodiscard]] bool commitEntries();
    /// Gives the keyboard to the control of an option, which comes into sight.
    void focusSetting(std::string_view option);
    /// As the command line writes it, as if it were typed there by the user. Pre: setOption() takes it. A
    /// refusal stands at the control, or below.
    void enter(std::string_view option, const QString& value);
    /// Puts a button of the house's at the right of the first heading.
    void setCorner(QWidget* widget);

signals:
    void refusedUnseen(const plumb::Error& error);  ///< what the panel says of it is not in sight
    void entryRefused(QWidget* field);              ///< which is about to take the keyboard
    void shown(const plumb::ui::RunPanelState& state);
    void fileWanted(const QString& title, const plumb::ui::RunPanel::UsePath& use);
    void folderWanted(const QString& title, const plumb::ui::RunPanel::UsePath& use);
    void checkpointWanted(const QString& title, const plumb::ui::RunPanel::UsePath& use);

private:
    struct Sections;
    void connectSections();
    void refresh();
    void goToRefused();
    [[nodiscard]] RunPanelInput input() const;
    /// True when the event goes no further.
    [[nodiscard]] bool filterKey(QLineEdit& field, const QKeyEvent& key, QEvent::Type type);
    bool eventFilter(QObject* watched, QEvent* event) override;

    ViewContext m_context;
    RunController& m_controller;
    ConfigEditor m_editor;
    std::unique_ptr<Sections> m_sections;
};

}  // namespace plumb::ui
