// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_page.h"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>
#include <QStyle>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr QSize kLeastPage(200, 120);

QSize leastSizeOf(const QWidget& view) {
    return view.minimumSizeHint().expandedTo(view.minimumSize()).expandedTo(QSize(0, 0));
}

/// The least height that the view needs at this width; a scroll area of Qt takes the one that it likes.
int leastHeightOf(const QWidget& view, int width) {
    const QLayout* const layout = view.layout();
    const int height = leastSizeOf(view).height();
    if (layout == nullptr || !layout->hasHeightForWidth()) return height;
    return std::max(height, layout->totalMinimumHeightForWidth(width));
}

}  // namespace

ViewPage::ViewPage(QWidget& view, QWidget* parent) : QScrollArea(parent) {
    setObjectName(view.objectName() + QStringLiteral("Page"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    setWidget(&view);
    view.setAutoFillBackground(false);
    view.installEventFilter(this);
}

QSize ViewPage::minimumSizeHint() const { return kLeastPage; }
QSize ViewPage::sizeHint() const { return widget()->sizeHint(); }

void ViewPage::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    fit();
}

bool ViewPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) fit();
    return QScrollArea::eventFilter(watched, event);
}

// A view whose least height is that of its width asks once more when it has it.
void ViewPage::fit() {
    QWidget& view = *widget();
    const bool isScrolled = leastHeightOf(view, std::max(width(), leastSizeOf(view).width())) > height();
    const auto policy = isScrolled ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff;
    // Setting the same again lays all out again.
    if (policy != verticalScrollBarPolicy()) setVerticalScrollBarPolicy(policy);
    const int width = std::max(viewport()->width(), leastSizeOf(view).width());
    view.resize(width, std::max(viewport()->height(), leastHeightOf(view, width)));
}

}  // namespace plumb::ui
