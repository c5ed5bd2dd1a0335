// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/document_tab.h"

#include <QPointer>
#include <QStringList>
#include <QWidget>

#include <vector>

class QStackedLayout;

namespace plumb::ui {

class DocumentTabs;
class MainWindow;
class Settings;
class Theme;

/// A window with the documents that are open in it, each a MainWindow with a session of its own: view,
/// selection, undo and engine. One that nobody looked at yet is a path alone. A strip of tabs stands above
/// them where there are several.
class WindowFrame final : public QWidget {
    Q_OBJECT
public:
    /// Without a page; both outlive it.
    WindowFrame(Settings& settings, Theme& theme, QWidget* parent = nullptr);
    ~WindowFrame() override;

    [[nodiscard]] int count() const { return static_cast<int>(m_tabs.size()); }
    [[nodiscard]] int current() const;
    /// Pre: 0 <= tab < count(); makes it and opens its file where that was not done yet.
    MainWindow& page(int tab);
    [[nodiscard]] MainWindow& currentPage() { return page(current()); }

    /// Another document behind the last tab, which is shown; the files are opened in it.
    MainWindow& addPage(const QStringList& files = {});
    /// A document of another window.
    void adopt(MainWindow& page);
    /// A tab of a file that is read when it is shown first.
    void addLater(const QString& file);
    void goTo(int tab);
    /// Asks about unsaved results first. Of the last one the window closes.
    void closeTab(int tab);
    /// The files of the tabs, in their order.
    [[nodiscard]] QStringList paths() const;
    /// All pages anew, in other words.
    void rebuild();

signals:
    void pageMade(plumb::ui::MainWindow* page);     ///< with a session of its own
    void pageRebuilt(plumb::ui::MainWindow* page);  ///< in the place of one with the same session
    /// A document that wants a window of its own; it is nobody's child then.
    void windowWanted(plumb::ui::MainWindow* page);
    void closed();

protected:
    bool event(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    struct Tab {
        QPointer<MainWindow> page;
        QString later;  ///< file of a tab without a page

        [[nodiscard]] QString path() const;
        [[nodiscard]] QString name() const;
    };
    void follow(MainWindow& page);
    void fulfil(TabWish wish);
    /// In another tab, which goes again when none of them can be read.
    void openBeside(const QStringList& files);
    void moveToWindow(int tab);
    void describe(int tab);
    void forget(const MainWindow& page);
    void tellCount();
    void askNext(int tab);
    [[nodiscard]] int tabOf(const MainWindow& page) const;

    Settings& m_settings;
    Theme& m_theme;
    DocumentTabs* m_strip;
    QStackedLayout* m_pages;
    std::vector<Tab> m_tabs;
    bool m_isLeaving = false;  ///< the window closes when its last page has
};

}  // namespace plumb::ui
