// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>
#include <utility>
#include <vector>

namespace plumb::ui {

class ActionRegistry;
class FileActions;
class MainWindow;
class Settings;

/// What is asked of the tabs that documents stand in.
enum class TabWish { New, Open, Close, Next, Previous, ToWindow };

/// A document that is open beside another.
struct OpenDocument {
    QString name;
    QString path;  ///< empty: it is in no file
    std::function<void()> show;
};

/// A document as a tab among others: what the tab says of it, its actions, and how it is closed. Who holds
/// the tabs listens, and says how many there are; without such a holder no action can be used.
class DocumentTab final : public QObject {
    Q_OBJECT
public:
    DocumentTab(ActionRegistry& actions, Settings& settings, FileActions& files, MainWindow& window);

    /// 0: nobody holds tabs.
    void setCount(int count);
    [[nodiscard]] int count() const { return m_count; }

    /// Who holds the tabs says which others there are.
    void setOthers(std::function<std::vector<OpenDocument>()> others) { m_others = std::move(others); }
    [[nodiscard]] std::vector<OpenDocument> others() const {
        return m_others ? m_others() : std::vector<OpenDocument>();
    }

    /// Path of the document, or of the recorded step in front of it; empty: it is in no file.
    [[nodiscard]] QString path() const;
    /// What is open in it: a step, a run of the history, or else a file beside an untouched step; empty:
    /// nothing.
    [[nodiscard]] QString name() const;
    [[nodiscard]] bool isUnsaved() const;  ///< as the title of its window says

    /// Opens a file that was open when a window was closed last, with what its planner was asked then.
    void comeBack(const QString& path);
    /// What its planner was asked; empty: nothing yet.
    [[nodiscard]] QByteArray plan() const;

    [[nodiscard]] bool wouldLose() const;  ///< something, if it were closed now
    /// Runs `agreed` at once where nothing would be lost, else when the user has saved or let it go.
    void askToClose(const std::function<void()>& agreed);
    /// Closes what askToClose() was agreed for; closed() follows, later where the engine still saves.
    void closeAgreed();
    [[nodiscard]] bool isAgreed() const { return m_isAgreed; }

    /// Failures of the settings are told by failed() of this one from now on, or by whoever is next.
    void setHearing(bool on);
    [[nodiscard]] bool isHearing() const { return m_isHearing; }

signals:
    void wanted(plumb::ui::TabWish wish);
    void countChanged();
    void changed();  ///< path(), name() or isUnsaved()
    void closed();
    void failed(const plumb::Error& error);

private:
    ActionRegistry& m_actions;
    Settings& m_settings;
    FileActions& m_files;
    MainWindow& m_window;
    std::function<std::vector<OpenDocument>()> m_others;
    int m_count = 0;
    bool m_isAgreed = false;
    bool m_isHearing = false;
};

}  // namespace plumb::ui
