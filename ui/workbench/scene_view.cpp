// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/scene_view.h"

#include "ui/workbench/workbench.h"

namespace plumb::ui {

SceneView::SceneView(ViewContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    connect(&context.workbench, &Workbench::sceneChanged, this, &SceneView::sceneChanged);
}

void SceneView::refresh() {
    m_stale = false;
    showScene();
}

void SceneView::sceneChanged() {
    m_stale = true;
    if (isVisible()) refresh();
}

void SceneView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) refresh();
}

void SceneView::paintEvent(QPaintEvent* event) {
    if (m_stale) refresh();  // a picture of a view that was never shown
    QWidget::paintEvent(event);
}

}  // namespace plumb::ui
