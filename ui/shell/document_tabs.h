// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabBar>

class QPushButton;

namespace plumb::ui {

class Theme;

/// The strip of documents: there with two or more, in any order that they are dragged into. The middle button
/// closes one, a menu does what else can be done with it.
class DocumentTabs final : public QTabBar {
    Q_OBJECT
public:
    explicit DocumentTabs(Theme& theme, QWidget* parent = nullptr);

    /// What a tab says: a name, a dot where the document is not saved, and its path.
    void describe(int tab, const QString& name, const QString& path, bool isModified);

signals:
    void closeWanted(int tab);
    void windowWanted(int tab);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void tabInserted(int index) override;
    void tabRemoved(int index) override;
    [[nodiscard]] QSize minimumTabSizeHint(int index) const override;

private:
    [[nodiscard]] QPushButton* closeButton();

    Theme& m_theme;
};

}  // namespace plumb::ui
