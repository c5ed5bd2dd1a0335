// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QMenuBar;
class QPushButton;

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

signals:
    void tabChosen(int index);
    void searchRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void elideDevice();

    Theme& m_theme;
    QMenuBar* m_menus;
    QLabel* m_device;
    QWidget* m_tabRow;
    std::vector<QPushButton*> m_tabs;
    QString m_deviceText;
};

}  // namespace plumb::ui
