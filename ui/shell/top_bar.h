// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QMenuBar;
class QPushButton;
class QScrollArea;

namespace plumb::ui {

class Theme;

/// The line at the top: name, menus, the views as tabs, the device and the search.
class TopBar final : public QWidget {
    Q_OBJECT
public:
    TopBar(Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QMenuBar* menuBar() const { return m_menus; }
    void addTab(const QString& id, const QString& text);
    void setCurrentTab(int index);
    void setTabVisible(int index, bool visible);
    void setDevice(const QString& text, const QString& toolTip);
    /// Small: what has no room goes or scrolls, so that the bar makes no window wider.
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void tabChosen(int index);
    void searchRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    void elideDevice();

    Theme& m_theme;
    QMenuBar* m_menus;
    QLabel* m_device;
    QWidget* m_tabRow;
    QScrollArea* m_strip = nullptr;  ///< around the row of tabs
    QLabel* m_name = nullptr;
    QPushButton* m_search = nullptr;
    std::vector<QPushButton*> m_tabs;
    QString m_deviceText;
};

}  // namespace plumb::ui
