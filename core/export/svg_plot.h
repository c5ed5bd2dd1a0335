// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// The range of an axis, and how its ticks are said.
struct SvgAxis {
    double from = 0;
    double to = 1;  ///< above from
    bool isLog = false;
    std::string unit;
    std::string label;
};

/// A chart as an SVG element of a page: a plot with axes, whose colours come from the classes of the page's
/// style sheet. Positions are those of the viewBox.
class SvgPlot {
public:
    /// `title` is what is read out in place of the picture; `below` is room under the axis for more.
    SvgPlot(std::string_view title, SvgAxis x, SvgAxis y, double below = 0);

    [[nodiscard]] double x(double value) const { return position(m_x, value, m_left, m_right); }
    [[nodiscard]] double y(double value) const { return position(m_y, value, m_bottom, m_top); }
    [[nodiscard]] double left() const { return m_left; }
    [[nodiscard]] double right() const { return m_right; }
    [[nodiscard]] double top() const { return m_top; }
    [[nodiscard]] double bottom() const { return m_bottom; }

    /// Adds an element as it is.
    void add(std::string_view element) { m_body += element; }
    void path(std::string_view classes, std::string_view data);
    void text(double x, double y, std::string_view classes, std::string_view text);
    /// A dot, whose title shows on hover.
    void dot(double x, double y, std::string_view classes, std::string_view title);
    [[nodiscard]] std::string take();

private:
    static double position(const SvgAxis& axis, double value, double from, double to);
    void drawGrid();

    static constexpr double kWidth = 960;
    static constexpr double kHeight = 340;
    SvgAxis m_x, m_y;
    double m_left = 104, m_right = kWidth - 16, m_top = 14, m_bottom = kHeight - 44;
    double m_below;
    std::string m_body;
};

/// Where an axis has ticks: round values, or powers of ten.
[[nodiscard]] std::vector<double> ticksOf(const SvgAxis& axis, int most);

}  // namespace plumb
