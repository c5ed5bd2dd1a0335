// SPDX-License-Identifier: GPL-3.0-or-later
// The measurements of the session: all are kept, and one of them is shown.
#include "ui/shell/main_window.h"

#include <QMenu>

#include <algorithm>

namespace plumb::ui {
namespace {

/// "3 · D 256 · L 4 · B 256 · fp32 · AdamW · 20 steps of 1.21 ms": the number tells equal ones apart.
QString measurementTitle(const Measurement& measurement, std::size_t number) {
    QString title = MainWindow::tr("%1 · %2 · %3 steps")
                        .arg(number)
                        .arg(runTitle(measurement.config))
                        .arg(measurement.reading->stepsMeasured);
    if (measurement.reading->totals.seconds)
        title += MainWindow::tr(" of %1").arg(
            QString::fromStdString(formatQuantity(*measurement.reading->totals.seconds, "s")));
    return title;
}

}  // namespace

void MainWindow::fillMeasurements() {
    m_measurementsMenu->clear();
    for (const char* id : {"run.earlierMeasurement", "run.laterMeasurement"})
        m_measurementsMenu->addAction(m_actions->action(QLatin1String(id)));
    m_measurementsMenu->addSeparator();
    const auto& all = m_workbench.measurements();
    for (std::size_t i = all.size(); i-- > 0;) {
        QAction* entry = m_measurementsMenu->addAction(
            // A name of a file has no mnemonics.
            measurementTitle(all[i], i + 1).replace(QLatin1Char('&'), QStringLiteral("&&")), this,
            [this, i] { showMeasurement(i); });
        entry->setCheckable(true);
        entry->setChecked(m_workbench.shownMeasurement() == i);
        entry->setEnabled(!m_controller.busy());
        entry->setStatusTip(QString::fromStdString(all[i].target.machine.name));
    }
    if (all.empty()) m_measurementsMenu->addAction(tr("Nothing was measured yet"))->setEnabled(false);
}

void MainWindow::showMeasurement(std::size_t index) {
    if (index >= m_workbench.measurements().size() || m_controller.busy()) return;
    if (const Result<void> shown = m_workbench.showMeasurement(index); !shown.has_value())
        showError(shown.error());
}

void MainWindow::showMeasurementBeside(int steps) {
    const auto count = static_cast<std::ptrdiff_t>(m_workbench.measurements().size());
    const auto shown = m_workbench.shownMeasurement();
    const std::ptrdiff_t wanted = (shown ? static_cast<std::ptrdiff_t>(*shown) : count) + steps;
    if (wanted >= 0 && wanted < count) showMeasurement(static_cast<std::size_t>(wanted));
}

}  // namespace plumb::ui
