// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QMenu;
class QMenuBar;
class QPushButton;
class QShortcut;

namespace plumb::ui {

class GlyphButton;
class Theme;

/// The line at the top: name, menus, the views as tabs, the device and the search. Where room gets scarce the
/// device goes first, then the menus are behind one button, the search is a glyph, the name goes, and at last
/// tabs are in a list at their end; nothing is cut off.
class TopBar final : public QWidget {
    Q_OBJECT
public:
    TopBar(Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QMenuBar* menuBar() const { return m_menus; }
    /// What holds the menus now: their bar, or the button.
    [[nodiscard]] QWidget& menus() const;
    void addTab(const QString& id, const QString& text);
    void setCurrentTab(int index);
    void setTabVisible(int index, bool visible);
    /// `text` where there is room for it, else `shortText`, else nothing.
    void setDevice(const QString& text, const QString& shortText, const QString& toolTip);
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void tabChosen(int index);
    void tabMenuWanted(int index, const QPoint& at);
    void searchRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Tab {
        QPushButton* button;
        bool isThere = true;
    };
    void buildButtons();
    void fit();
    void showMenus(bool asBar);
    void showTabs(int room);
    void showDevice(int room);
    [[nodiscard]] int tabsWidth() const;
    void fillMore();
    void popUpMenus();
    void makeMenuKeys();
    void popUpMenu(QAction& menu);

    Theme& m_theme;
    QMenuBar* m_menus;
    GlyphButton* m_menuButton = nullptr;
    QLabel* m_name;
    QWidget* m_tabRow;
    QHBoxLayout* m_tabLayout;
    QPushButton* m_moreButton = nullptr;
    QMenu* m_moreTabs;
    QMenu* m_allMenus;
    QLabel* m_device;
    QPushButton* m_search = nullptr;
    GlyphButton* m_searchGlyph = nullptr;
    std::vector<Tab> m_tabs;
    std::vector<QShortcut*> m_menuKeys;  ///< Alt and a letter, which a bar that is hidden does not hear
    QString m_deviceText, m_shortDeviceText;
};

}  // namespace plumb::ui
