// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSlider>

#include <cstdint>
#include <optional>
#include <vector>

namespace plumb::ui {

class Theme;

/// Powers of two and the values half way between them, from `low` to `high`: what a log slider stops at.
[[nodiscard]] std::vector<std::int64_t> niceStops(std::int64_t low, std::int64_t high);
/// All divisors of `value`, in order. O(sqrt(value)).
[[nodiscard]] std::vector<std::int64_t> divisors(std::int64_t value);
/// Index of the stop that is nearest to `value` on a log axis. Pre: stops are positive, sorted, not empty.
[[nodiscard]] int nearestStop(const std::vector<std::int64_t>& stops, std::int64_t value);

/// A slider over given stops, evenly spaced. It may show a value between them (typed into a field): the knob
/// then stands at the nearest stop. The ghost marks another value, that of the run that goes on.
class StopSlider final : public QSlider {
    Q_OBJECT
public:
    explicit StopSlider(Theme& theme, QWidget* parent = nullptr);

    void setStops(const std::vector<std::int64_t>& stops);
    void showValue(std::int64_t value);  ///< emits nothing
    void setGhost(std::optional<std::int64_t> value);
    [[nodiscard]] std::optional<std::int64_t> ghost() const { return m_ghost; }
    [[nodiscard]] const std::vector<std::int64_t>& stops() const { return m_stops; }

signals:
    void stopChosen(qint64 value);  ///< by the user; while dragging at every stop passed

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
    std::vector<std::int64_t> m_stops{1};
    std::optional<std::int64_t> m_ghost;
    bool m_showing = false;  ///< showValue() moves the knob: nobody chose
};

}  // namespace plumb::ui
