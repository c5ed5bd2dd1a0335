// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench/view.h"

#include <QWidget>

namespace plumb::ui {

/// A view of the workbench's scene that follows it only while somebody looks: while it is hidden it does
/// nothing; it catches up when it is shown or painted.
class SceneView : public QWidget {
    Q_OBJECT
public:
    /// Brings the view up to the workbench's scene now, even while it is hidden.
    void refresh();

protected:
    SceneView(ViewContext context, QWidget* parent);
    /// Puts the workbench's scene on the screen.
    virtual void showScene() = 0;
    /// What is on the screen is of an older scene.
    [[nodiscard]] bool isStale() const { return m_stale; }
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

    ViewContext m_context;

private:
    void sceneChanged();

    bool m_stale = true;
};

}  // namespace plumb::ui
