// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/late_view.h"

namespace plumb::ui {

void LateView::refresh() {
    m_isStale = false;
    catchUp();
}

void LateView::invalidate() {
    m_isStale = true;
    if (isVisible()) refresh();
}

void LateView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) refresh();
}

void LateView::paintEvent(QPaintEvent* event) {
    if (m_isStale) refresh();  // a picture of a view that was never shown
    QWidget::paintEvent(event);
}

}  // namespace plumb::ui
