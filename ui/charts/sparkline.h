// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QVector>
#include <QWidget>

#include <optional>
#include <utility>

namespace plumb::ui {

class Theme;

/// A curve of a few pixels without axes, under the number that it ends in.
class Sparkline final : public QWidget {
    Q_OBJECT
public:
    struct Content {
        QVector<QPointF> line;  ///< increasing x; a gap is a point that is not a number
        double low = 0;         ///< value at the lower edge
        double high = 1;
        std::optional<double> limit;                ///< a dashed line at this value
        QVector<std::pair<double, double>> marked;  ///< stretches of x with a bar at the lower edge
        bool operator==(const Content&) const = default;
    };
    explicit Sparkline(Theme& theme, QWidget* parent = nullptr);

    void setContent(const Content& content);
    [[nodiscard]] const Content& content() const { return m_content; }
    [[nodiscard]] QSize sizeHint() const override { return {96, 22}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
    Content m_content;
};

}  // namespace plumb::ui
