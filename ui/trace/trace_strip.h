// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/pointer.h"
#include "ui/opened/opened_trace.h"
#include "ui/trace/trace_window.h"

#include <QWidget>

#include <algorithm>
#include <vector>

namespace plumb::ui {

class Theme;

/// The whole trace with its steps, and the window that the lanes show; dragging moves it.
class TraceStrip final : public QWidget {
    Q_OBJECT
public:
    explicit TraceStrip(Theme& theme, QWidget* parent = nullptr);
    void setTrace(std::shared_ptr<const OpenedTrace> opened);
    void setWindow(TraceWindow window);

signals:
    void windowChosen(plumb::ui::TraceWindow window);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] TimeAxis axis() const { return {m_whole, 0, static_cast<double>(std::max(1, width()))}; }
    void center(double x);
    /// Says to screen readers how much there is and what of it the lanes show.
    void describe();
    void layWork();

    Theme& m_theme;
    std::shared_ptr<const OpenedTrace> m_opened;
    TraceWindow m_whole;
    TraceWindow m_window;
    std::vector<float> m_busy;  ///< of each column of pixels the share in which a GPU works; of this width
    Pointer m_pointer{*this};
};

}  // namespace plumb::ui
