// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QObject>
#include <QPointer>

#include <functional>

class QBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;

namespace plumb::ui {

class ActionRegistry;
class FileActions;
class PresetActions;
class Settings;
class Theme;
class ViewStack;
class WorkProgress;
struct Session;

/// What the first page leads to. All outlive it.
struct WelcomeScope {
    ActionRegistry& actions;
    Session& session;
    ViewStack& views;
    FileActions& files;
    PresetActions& presets;
    Settings& settings;
    Theme& theme;
    WorkProgress& progress;
    QWidget& window;
};

/// What there is to begin with: an example that runs by one click, the calibration with its progress,
/// lessons, samples and the files of last time. The window behind it can be used meanwhile.
class WelcomeDialog final : public QDialog {
    Q_OBJECT
public:
    explicit WelcomeDialog(const WelcomeScope& scope);

private:
    void buildWays(QBoxLayout& layout);
    void buildFiles(QBoxLayout& layout);
    [[nodiscard]] QPushButton* addWay(QBoxLayout& layout, const QString& text, const char* name,
                                      const QString& says, const std::function<void()>& go);
    void runExample();
    void follow();
    void grow();  ///< to what is in it, as far as the screen goes

    WelcomeScope m_scope;
    QScrollArea* m_page = nullptr;
    QPushButton *m_run = nullptr, *m_calibrate = nullptr, *m_cancel = nullptr;
    QLabel *m_calibrateSays = nullptr, *m_runSays = nullptr;
    QProgressBar* m_bar = nullptr;
    bool m_runsWhenReady = false;
};

/// Help, Welcome.
class WelcomeActions final : public QObject {
    Q_OBJECT
public:
    explicit WelcomeActions(const WelcomeScope& scope);

private:
    void open();

    WelcomeScope m_scope;
    QPointer<WelcomeDialog> m_dialog;
};

}  // namespace plumb::ui
