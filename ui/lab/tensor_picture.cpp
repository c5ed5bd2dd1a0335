// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tensor_picture.h"

#include "core/base/shape_text.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace plumb::ui {
namespace {

constexpr std::int64_t kMostRows = 32, kMostColumns = 48, kMostGrids = 24, kMostPlaces = 1024;
constexpr qreal kMostCell = 34, kLeastCell = 5, kTextFrom = 17;
constexpr qreal kGridGap = 14, kStorageGap = 22;
constexpr qreal kStorageShare = 0.34;  // of the height, for the line of memory
constexpr qreal kTitle = 20;

/// Between colours that readers with any kind of sight tell apart: blue, by way of purple, to orange.
QColor ramp(const Theme& theme, double at) {
    const QColor middle = theme.phaseColor(Phase::Optimizer);
    const QColor from = at < 0.5 ? theme.color(ColorRole::BitMantissa) : middle;
    const QColor to = at < 0.5 ? middle : theme.color(ColorRole::BitExponent);
    const auto share = static_cast<float>(at < 0.5 ? 2 * at : 2 * at - 1);
    const auto mix = [&](float a, float b) { return a + (b - a) * share; };
    return QColor::fromRgbF(mix(from.redF(), to.redF()), mix(from.greenF(), to.greenF()),
                            mix(from.blueF(), to.blueF()));
}

QString indexText(const std::vector<std::int64_t>& leading, std::size_t rest) {
    QStringList parts;
    for (const std::int64_t index : leading) parts << QString::number(index);
    for (std::size_t i = 0; i < rest; ++i) parts << QStringLiteral(":");
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

/// A tensor seen as grids: the last two dimensions, once for every index of those before.
struct Grids {
    std::vector<std::int64_t> leading;  ///< sizes before the last two
    std::int64_t count = 1, rows = 1, columns = 1;
};

Grids gridsOf(const lab::TensorLayout& layout) {
    Grids grids;
    const std::size_t rank = layout.rank();
    if (rank >= 1) grids.columns = layout.shape[rank - 1];
    if (rank >= 2) grids.rows = layout.shape[rank - 2];
    for (std::size_t i = 0; i + 2 < rank; ++i) {
        grids.leading.push_back(layout.shape[i]);
        grids.count *= layout.shape[i];
    }
    return grids;
}

std::vector<std::int64_t> unravel(std::int64_t number, const std::vector<std::int64_t>& sizes) {
    std::vector<std::int64_t> indices(sizes.size());
    for (std::size_t i = sizes.size(); i-- > 0;) {
        indices[i] = number % sizes[i];
        number /= sizes[i];
    }
    return indices;
}

std::int64_t positionOf(const lab::TensorLayout& layout, const std::vector<std::int64_t>& indices) {
    std::int64_t position = layout.offset;
    for (std::size_t i = 0; i < indices.size(); ++i) position += indices[i] * layout.strides[i];
    return position;
}

}  // namespace

TensorPicture::TensorPicture(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    setObjectName(QStringLiteral("tensorPicture"));
    setFocusPolicy(Qt::StrongFocus);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    connect(&m_pointer, &Pointer::hovered, this, &TensorPicture::point);
    connect(&m_pointer, &Pointer::pressed, this, &TensorPicture::chooseAt);
    connect(&m_pointer, &Pointer::left, this, [this] {
        m_hovered.reset();
        announce();
        update();
    });
}

void TensorPicture::showTensor(const lab::TensorLayout& layout, const QString& name) {
    m_layout = layout;
    m_name = name;
    m_hovered.reset();
    bool inside = m_chosen.size() == layout.rank();
    for (std::size_t i = 0; inside && i < m_chosen.size(); ++i) inside = m_chosen[i] < layout.shape[i];
    if (!inside) m_chosen.assign(layout.rank(), 0);
    setAccessibleName(tr("%1, shape %2").arg(name, toText(plumb::shapeText(layout.shape))));
    layOut();
    announce();
    update();
}

void TensorPicture::layOut() {
    m_grid.clear();
    m_storage.clear();
    m_texts.clear();
    m_leftOut.clear();
    const qreal storageHeight = std::max(70.0, height() * kStorageShare);
    const QRectF above(0, 0, width(), height() - storageHeight - 8);
    m_texts.push_back({{0, 0, static_cast<qreal>(width()), kTitle},
                       tr("%1   shape %2   strides %3   offset %4")
                           .arg(m_name, toText(plumb::shapeText(m_layout.shape)),
                                toText(plumb::shapeText(m_layout.strides)))
                           .arg(m_layout.offset)});
    layOutGrid(above.adjusted(0, kTitle + 2, 0, 0));
    // The line of memory stands right below a small grid, and at the bottom below a large one.
    qreal end = kTitle + 2;
    for (const Cell& cell : m_grid) end = std::max(end, cell.rect.bottom());
    const qreal top = m_grid.empty() ? above.bottom() + 8 : std::min(above.bottom() + 8, end + kStorageGap);
    const QRectF below(0, top, width(), std::min(height() - top, storageHeight));
    m_texts.push_back({{0, below.top(), below.width(), kTitle},
                       tr("storage %1: %2 elements in a line of memory%3")
                           .arg(m_layout.storage)
                           .arg(m_layout.storageElements)
                           .arg(m_layout.place == lab::Place::Gpu ? tr(", on the GPU") : QString())});
    layOutStorage(below.adjusted(0, kTitle + 2, 0, 0));
    std::set<std::int64_t> reached;
    for (const std::int64_t position : lab::storagePositions(m_layout, 1U << 16U)) reached.insert(position);
    for (Cell& cell : m_storage) cell.reached = reached.contains(cell.position);
}

void TensorPicture::layOutGrid(const QRectF& area) {
    const Grids all = gridsOf(m_layout);
    if (m_layout.elements() == 0) {
        m_texts.push_back({area, tr("A tensor without elements.")});
        return;
    }
    const std::int64_t rows = std::min(all.rows, kMostRows);
    const std::int64_t columns = std::min(all.columns, kMostColumns);
    std::int64_t count = std::min(all.count, kMostGrids);
    const bool titled = !all.leading.empty();
    const qreal title = titled ? kTitle - 2 : 0;
    // The largest cells with which all grids find room, side by side and below each other.
    qreal cell = kMostCell;
    std::int64_t across = 1;
    for (; cell > kLeastCell; cell -= 1) {
        const qreal wide = static_cast<qreal>(columns) * cell + kGridGap;
        const qreal high = static_cast<qreal>(rows) * cell + title + kGridGap / 2;
        across =
            std::clamp<std::int64_t>(static_cast<std::int64_t>((area.width() + kGridGap) / wide), 0, count);
        const auto down = static_cast<std::int64_t>((area.height() + kGridGap / 2) / high);
        if (across > 0 && across * down >= count) break;
    }
    across = std::max<std::int64_t>(across, 1);
    const qreal wide = static_cast<qreal>(columns) * cell + kGridGap;
    const qreal high = static_cast<qreal>(rows) * cell + title + kGridGap / 2;
    const auto down =
        std::max<std::int64_t>(1, static_cast<std::int64_t>((area.height() + kGridGap / 2) / high));
    count = std::min(count, across * down);
    for (std::int64_t grid = 0; grid < count; ++grid) {
        const std::vector<std::int64_t> leading = unravel(grid, all.leading);
        const QPointF corner(area.left() + 1 + static_cast<qreal>(grid % across) * wide,
                             area.top() + static_cast<qreal>(grid / across) * high);
        if (titled)
            m_texts.push_back({{corner.x(), corner.y(), std::max(wide, 60.0), title}, indexText(leading, 2)});
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t column = 0; column < columns; ++column) {
                Cell made;
                made.rect = {corner.x() + static_cast<qreal>(column) * cell,
                             corner.y() + title + static_cast<qreal>(row) * cell, cell, cell};
                made.indices = leading;
                if (m_layout.rank() >= 2) made.indices.push_back(row);
                if (m_layout.rank() >= 1) made.indices.push_back(column);
                made.position = positionOf(m_layout, made.indices);
                m_grid.push_back(std::move(made));
            }
    }
    if (rows < all.rows || columns < all.columns || count < all.count)
        m_leftOut = tr("the first %1 of %2 elements are drawn")
                        .arg(static_cast<qint64>(m_grid.size()))
                        .arg(m_layout.elements());
}

void TensorPicture::layOutStorage(const QRectF& area) {
    const std::int64_t count = std::min(m_layout.storageElements, kMostPlaces);
    if (count <= 0) return;
    qreal cell = kMostCell - 4;
    std::int64_t across = 1;
    for (; cell > kLeastCell; cell -= 1) {
        across = std::max<std::int64_t>(1, static_cast<std::int64_t>(area.width() / cell));
        if (static_cast<qreal>((count + across - 1) / across) * (cell + 2) <= area.height()) break;
    }
    for (std::int64_t position = 0; position < count; ++position) {
        Cell made;
        made.rect = {area.left() + 1 + static_cast<qreal>(position % across) * cell,
                     area.top() + static_cast<qreal>(position / across) * (cell + 2), cell, cell};
        if (made.rect.bottom() > area.bottom() + 1) break;
        made.position = position;
        m_storage.push_back(std::move(made));
    }
    const auto drawn = static_cast<std::int64_t>(m_storage.size());
    if (drawn < m_layout.storageElements)
        m_leftOut += (m_leftOut.isEmpty() ? QString() : QStringLiteral("; ")) +
                     tr("the first %1 of %2 places of the storage").arg(drawn).arg(m_layout.storageElements);
}

QColor TensorPicture::colorOf(std::int64_t position) const {
    const auto places = static_cast<double>(std::max<std::int64_t>(1, m_layout.storageElements - 1));
    return ramp(m_theme, std::clamp(static_cast<double>(position) / places, 0.0, 1.0));
}

void TensorPicture::paintCell(QPainter& painter, const Cell& cell, std::optional<std::int64_t> marked) {
    const qreal inset = cell.rect.width() > 9 ? 1 : 0.5;
    const QRectF box = cell.rect.adjusted(inset, inset, -inset, -inset);
    const bool hit = marked && *marked == cell.position;
    if (cell.reached) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colorOf(cell.position));
    } else {
        painter.setPen(QPen(m_theme.color(ColorRole::FieldBorder), 1));
        painter.setBrush(Qt::NoBrush);
    }
    painter.drawRoundedRect(box, 2, 2);
    if (cell.rect.width() >= kTextFrom) {
        painter.setPen(m_theme.color(cell.reached ? ColorRole::Card : ColorRole::TextMuted));
        painter.drawText(box, Qt::AlignCenter, QString::number(cell.position));
    }
    if (hit) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_theme.color(ColorRole::TextStrong), 2));
        painter.drawRoundedRect(box, 2, 2);
    }
}

void TensorPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.color(ColorRole::TextMuted));
    for (const Text& text : m_texts)
        painter.drawText(text.rect, Qt::AlignLeft | Qt::AlignTop,
                         painter.fontMetrics().elidedText(text.text, Qt::ElideMiddle,
                                                          static_cast<int>(text.rect.width())));
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() - 2);
    painter.setFont(small);
    const std::optional<std::int64_t> marked = markedPosition();
    for (const Cell& cell : m_grid) paintCell(painter, cell, marked);
    for (const Cell& cell : m_storage) paintCell(painter, cell, marked);
    if (hasFocus()) {
        if (const auto cell = gridCell(m_chosen)) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(m_theme.color(ColorRole::Accent), 2));
            painter.drawRoundedRect(cell->adjusted(-1, -1, 1, 1), 3, 3);
        }
    }
}

std::optional<std::int64_t> TensorPicture::markedPosition() const {
    if (m_hovered) return m_hovered;
    if (m_layout.elements() == 0 || m_chosen.size() != m_layout.rank()) return std::nullopt;
    return positionOf(m_layout, m_chosen);
}

std::optional<QRectF> TensorPicture::gridCell(const std::vector<std::int64_t>& indices) const {
    const auto found = std::ranges::find(m_grid, indices, &Cell::indices);
    return found == m_grid.end() ? std::nullopt : std::optional(found->rect);
}

std::optional<QRectF> TensorPicture::storageCell(std::int64_t position) const {
    const auto found = std::ranges::find(m_storage, position, &Cell::position);
    return found == m_storage.end() ? std::nullopt : std::optional(found->rect);
}

const TensorPicture::Cell* TensorPicture::cellAt(const QPointF& position) const {
    for (const auto* cells : {&m_grid, &m_storage})
        for (const Cell& cell : *cells)
            if (cell.rect.contains(position)) return &cell;
    return nullptr;
}

void TensorPicture::choose(std::vector<std::int64_t> indices) {
    if (indices.size() != m_layout.rank()) return;
    for (std::size_t i = 0; i < indices.size(); ++i)
        if (indices[i] < 0 || indices[i] >= m_layout.shape[i]) return;
    m_chosen = std::move(indices);
    m_hovered.reset();
    announce();
    update();
}

void TensorPicture::announce() {
    if (m_layout.elements() == 0) return;
    emit elementShown(m_chosen, positionOf(m_layout, m_chosen));
}

void TensorPicture::point(const QPointF& at) {
    const Cell* cell = cellAt(at);
    const auto hovered = cell ? std::optional(cell->position) : std::nullopt;
    if (hovered == m_hovered && !cell) return;
    m_hovered = hovered;
    if (!cell) {
        announce();
    } else if (!cell->indices.empty() || m_layout.rank() == 0) {
        emit elementShown(cell->indices, cell->position);
    } else {
        // A place in the storage: the first element that lies there.
        const auto first = std::ranges::find(m_grid, cell->position, &Cell::position);
        emit elementShown(first == m_grid.end() ? std::vector<std::int64_t>() : first->indices,
                          cell->position);
    }
    update();
}

void TensorPicture::chooseAt(const QPointF& at) {
    const Cell* cell = cellAt(at);
    if (!cell) return;
    const auto chosen = cell->indices.empty() ? std::ranges::find(m_grid, cell->position, &Cell::position)
                                              : std::ranges::find(m_grid, cell->indices, &Cell::indices);
    if (chosen != m_grid.end()) choose(std::vector<std::int64_t>(chosen->indices));
}

void TensorPicture::keyPressEvent(QKeyEvent* event) {
    if (m_layout.rank() == 0 || m_layout.elements() == 0) return QWidget::keyPressEvent(event);
    std::vector<std::int64_t> next = m_chosen;
    const auto move = [&](std::size_t fromEnd, std::int64_t by) {
        if (fromEnd > next.size()) return;
        // Beyond an edge lies the next grid, row or column.
        for (std::size_t i = next.size() - fromEnd + 1; i-- > 0;) {
            next[i] += by;
            if (next[i] >= 0 && next[i] < m_layout.shape[i]) return;
            if (i == 0) {
                next = m_chosen;
                return;
            }
            next[i] = by > 0 ? 0 : m_layout.shape[i] - 1;
        }
    };
    switch (event->key()) {
    case Qt::Key_Left:
        move(1, -1);
        break;
    case Qt::Key_Right:
        move(1, 1);
        break;
    case Qt::Key_Up:
        move(2, -1);
        break;
    case Qt::Key_Down:
        move(2, 1);
        break;
    case Qt::Key_Home:
        next.assign(next.size(), 0);
        break;
    case Qt::Key_End:
        for (std::size_t i = 0; i < next.size(); ++i) next[i] = m_layout.shape[i] - 1;
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    choose(std::move(next));
}

void TensorPicture::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
}

}  // namespace plumb::ui
