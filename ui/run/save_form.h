// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/run_controller.h"

#include <QWidget>

#include <functional>

class QLabel;
class QVBoxLayout;

namespace plumb::ui {

class FilePicker;
class SizeField;
class Theme;

/// Where the next training keeps its state, how often, and what it goes on from. What is chosen belongs to
/// the session and not to the configuration: a snapshot opened elsewhere must not write files there.
class SaveForm final : public QWidget {
    Q_OBJECT
public:
    using UsePath = std::function<void(const QString&)>;
    SaveForm(Theme& theme, RunController& controller, QWidget* parent = nullptr);

    /// The folder for new checkpoints, and the checkpoint to go on from; empty: none.
    void chooseFolder(const QString& path);
    void chooseResume(const QString& path);

signals:
    void folderWanted(const QString& title, const plumb::ui::SaveForm::UsePath& use);
    void checkpointWanted(const QString& title, const plumb::ui::SaveForm::UsePath& use);

private:
    void refresh();
    SizeField* addSize(QVBoxLayout& layout, const QString& label, const char* name, const QString& toolTip,
                       std::int64_t least, std::int64_t CheckpointOptions::*field);

    Theme& m_theme;
    RunController& m_controller;
    FilePicker *m_folder, *m_resume;
    QWidget* m_details;
    SizeField *m_saveEvery = nullptr, *m_keep = nullptr;
    QLabel *m_error, *m_newest;
};

}  // namespace plumb::ui
