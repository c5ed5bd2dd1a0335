// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/legend_room.h"

#include "ui/charts/chart_panel.h"
#include "ui/charts/legend_row.h"

#include <QEvent>

namespace plumb::ui {

LegendRoom::LegendRoom(ChartPanel& chart, int leastPlot)
    : QObject(&chart), m_chart(chart), m_legend(*chart.findChild<LegendRow*>()), m_leastPlot(leastPlot) {
    chart.installEventFilter(this);
    fit();
}

void LegendRoom::fit() { m_chart.setMinimumHeight(m_leastPlot + m_legend.heightForWidth(m_chart.width())); }

bool LegendRoom::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) fit();
    return QObject::eventFilter(watched, event);
}

}  // namespace plumb::ui
