// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/difference.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace plumb::ui {

/// A figure of two steps with what its repeats span.
struct FigureTileContent {
    DifferenceRow row;
    /// 10 % and 90 % of the repeats, of the baseline and of the other; absent: one value, or not known.
    std::array<std::optional<Spread>, 2> spreads;
};

/// The figures of the step at `index`, with `onlyReal` those that really differ, after step time and peak
/// memory, which are always there.
[[nodiscard]] std::vector<FigureTileContent> figureTiles(const Comparison& comparison, std::size_t index,
                                                         bool onlyReal);

/// One key figure of both steps, what became of it, and where both lie with their repeats as whiskers.
class FigureTile final : public QWidget {
    Q_OBJECT
public:
    FigureTile(Theme& theme, QWidget* parent);
    void show(const FigureTileContent& content);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
    /// As wide as the tile is to be for its name and what became of it.
    [[nodiscard]] int headWidth() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintWhiskers(QPainter& painter, const QRectF& area) const;

    Theme& m_theme;
    FigureTileContent m_content;
};

/// As many tiles as there are figures, in as many columns as there is room for.
class FigureTiles final : public QWidget {
    Q_OBJECT
public:
    explicit FigureTiles(Theme& theme, QWidget* parent = nullptr);
    void show(const std::vector<FigureTileContent>& contents);
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] int leastWidth() const;
    [[nodiscard]] int columnsFor(int width) const;
    void arrange();

    Theme& m_theme;
    std::vector<FigureTile*> m_tiles;
    std::size_t m_shown = 0;
};

}  // namespace plumb::ui
