// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/tensor_layout.h"
#include "ui/charts/pointer.h"

#include <QRectF>
#include <QWidget>

#include <optional>
#include <vector>

namespace plumb::ui {

class Theme;

/// A tensor twice: as a grid of its elements and as the line of its storage, wrapped to the width. An element
/// has the same colour and the same number in both. Three and more dimensions are drawn as several grids.
///
/// The pointer or the arrow keys choose an element, which is then marked wherever it lies. Of a large tensor
/// the first elements are drawn, and a line says so.
class TensorPicture final : public QWidget {
    Q_OBJECT
public:
    explicit TensorPicture(Theme& theme, QWidget* parent = nullptr);

    void showTensor(const lab::TensorLayout& layout, const QString& name);
    /// Indices of the chosen element; empty for a tensor with a single one or none.
    [[nodiscard]] const std::vector<std::int64_t>& chosen() const { return m_chosen; }
    void choose(std::vector<std::int64_t> indices);

    /// Pixels of this widget, for tests: the cell of an element in the grid, or of a place in the storage.
    [[nodiscard]] std::optional<QRectF> gridCell(const std::vector<std::int64_t>& indices) const;
    [[nodiscard]] std::optional<QRectF> storageCell(std::int64_t position) const;
    /// What is not drawn, in words; empty when all is.
    [[nodiscard]] QString leftOut() const { return m_leftOut; }

    [[nodiscard]] QSize sizeHint() const override { return {460, 360}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {260, 220}; }

signals:
    /// An element was chosen or pointed at; empty indices: a place in the storage that no element is at.
    void elementShown(const std::vector<std::int64_t>& indices, qint64 position);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Cell {
        QRectF rect;
        std::int64_t position = 0;          ///< in the storage
        std::vector<std::int64_t> indices;  ///< indices of the element; empty in the line of storage
        bool reached = true;                ///< some element lies there
    };
    struct Text {
        QRectF rect;
        QString text;
    };
    void layOut();
    void layOutGrid(const QRectF& area);
    void layOutStorage(const QRectF& area);
    [[nodiscard]] const Cell* cellAt(const QPointF& position) const;
    [[nodiscard]] std::optional<std::int64_t> markedPosition() const;
    [[nodiscard]] QColor colorOf(std::int64_t position) const;
    void paintCell(QPainter& painter, const Cell& cell, std::optional<std::int64_t> marked);
    void announce();
    void point(const QPointF& at);
    void chooseAt(const QPointF& at);

    Theme& m_theme;
    lab::TensorLayout m_layout;
    QString m_name;
    std::vector<Cell> m_grid;
    std::vector<Cell> m_storage;
    std::vector<Text> m_texts;
    std::vector<std::int64_t> m_chosen;
    std::optional<std::int64_t> m_hovered;  ///< place in the storage
    QString m_leftOut;
    Pointer m_pointer{*this};
};

}  // namespace plumb::ui
