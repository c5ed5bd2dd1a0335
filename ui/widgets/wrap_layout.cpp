// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrap_layout.h"

#include "core/base/entry_at.h"

#include <QWidget>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

// Also of a widget that gives way where the line is its own: the hint of its item is none.
int wantedWidth(const QLayoutItem& item) {
    const QWidget* const widget = item.widget();
    const QSize hint = widget != nullptr && widget->minimumWidth() != widget->maximumWidth()
                           ? widget->sizeHint()
                           : item.sizeHint();
    return std::max(hint.width(), item.minimumSize().width());
}

bool growsAlong(const QLayoutItem& item) { return item.expandingDirections().testFlag(Qt::Horizontal); }

}  // namespace

WrapLayout::WrapLayout(QWidget* parent, int spacing) : QLayout(parent) {
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing);
}

// A layout that is deleted takes itself out of the one that it is in.
WrapLayout::~WrapLayout() {
    while (const std::unique_ptr<QLayoutItem> item{takeAt(0)}) {
    }
}

void WrapLayout::addItem(QLayoutItem* item) {
    m_items.emplace_back(item);
    invalidate();
}

void WrapLayout::addLayout(QLayout* part) {
    addChildLayout(part);
    addItem(part);
}

QLayoutItem* WrapLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? entryAt(m_items, index).get() : nullptr;
}

QLayoutItem* WrapLayout::takeAt(int index) {
    if (index < 0 || index >= count()) return nullptr;
    QLayoutItem* const taken = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    invalidate();
    return taken;
}

std::vector<WrapLayout::Line> WrapLayout::lines(int width) const {
    std::vector<Line> lines;
    for (const auto& item : m_items) {
        if (item->isEmpty()) continue;
        const int wanted = wantedWidth(*item);
        if (lines.empty() || lines.back().width + spacing() + wanted > width) lines.emplace_back();
        Line& line = lines.back();
        line.width += wanted + (line.items.empty() ? 0 : spacing());
        line.height = std::max(line.height, item->sizeHint().height());
        line.items.push_back(item.get());
    }
    return lines;
}

int WrapLayout::heightForWidth(int width) const {
    const QMargins margins = contentsMargins();
    int height = margins.top() + margins.bottom();
    const std::vector<Line> all = lines(width - margins.left() - margins.right());
    for (const Line& line : all) height += line.height;
    return height + std::max(0, static_cast<int>(all.size()) - 1) * spacing();
}

QSize WrapLayout::sizeHint() const {
    const std::vector<Line> all = lines(QLAYOUTSIZE_MAX);
    const QSize line = all.empty() ? QSize(0, 0) : QSize(all.front().width, all.front().height);
    return line.grownBy(contentsMargins());
}

QSize WrapLayout::minimumSize() const {
    QSize least(0, 0);
    for (const auto& item : m_items)
        if (!item->isEmpty()) least = least.expandedTo(item->minimumSize());
    return least.grownBy(contentsMargins());
}

void WrapLayout::place(const Line& line, const QRect& room) const {
    const auto growing = static_cast<int>(
        std::ranges::count_if(line.items, [](const QLayoutItem* item) { return growsAlong(*item); }));
    int left = std::max(0, room.width() - line.width), still = growing, x = room.left();
    for (QLayoutItem* item : line.items) {
        int width = std::min(wantedWidth(*item), room.width());
        if (still > 0 && growsAlong(*item)) {
            const int more = std::min(left / still--, item->maximumSize().width() - width);
            width += more;
            left -= more;
        }
        item->setGeometry({x, room.top(), width, room.height()});
        x += width + spacing();
    }
}

void WrapLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    const QRect inside = rect.marginsRemoved(contentsMargins());
    int y = inside.top();
    for (const Line& line : lines(inside.width())) {
        place(line, {inside.left(), y, inside.width(), line.height});
        y += line.height + spacing();
    }
}

}  // namespace plumb::ui
