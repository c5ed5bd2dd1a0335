// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tensor_steps.h"

#include "ui/lab/tensor_model.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/tone_label.h"

#include <QKeyEvent>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

TensorSteps::TensorSteps(Theme& theme, QWidget* parent) : QWidget(parent) {
    m_model = new TensorModel(theme, this);
    m_table = new QTableView(this);
    m_table->setObjectName(QStringLiteral("tensorStepTable"));
    m_table->setAccessibleName(tr("Steps", "done to a tensor"));
    m_table->setModel(m_model);
    setUpDataTable(*m_table);
    new ColumnFit(*m_table, TensorModel::Step, {TensorModel::Offset, TensorModel::Memory, TensorModel::Cost});
    m_table->setMinimumHeight(110);
    m_table->installEventFilter(this);
    m_failure = new ToneLabel(theme, ColorRole::Bad, this);
    m_failure->setObjectName(QStringLiteral("tensorFailure"));
    m_failure->setWordWrap(true);
    m_failure->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_failure->hide();
    m_summary = new ToneLabel(theme, ColorRole::TextMuted, this);
    m_summary->setObjectName(QStringLiteral("tensorSummary"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_table, 1);
    column->addWidget(m_failure);
    column->addWidget(m_summary);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &TensorSteps::currentRowChanged);
    connect(m_model, &TensorModel::stepEdited, this, &TensorSteps::stepEdited, Qt::QueuedConnection);
    connect(&theme, &Theme::changed, this, [this] { m_table->viewport()->update(); });
}

void TensorSteps::showState(const TensorState& state) {
    const int before = currentRow();
    const bool atEnd = before < 0 || before >= m_model->rowCount() - 1;
    m_model->setState(state);
    const int last = m_model->rowCount() - 1;
    setCurrentRow(atEnd ? last : std::min(before, last));
    const auto failed =
        std::ranges::find_if(state.rows, [](const TensorRow& row) { return !row.failure.isEmpty(); });
    m_failure->setVisible(failed != state.rows.end());
    if (failed != state.rows.end())
        m_failure->setText(QStringLiteral("%1: %2").arg(failed->step, failed->toolTip));
    m_summary->setText(state.summary);
}

int TensorSteps::currentRow() const { return m_table->currentIndex().row(); }

void TensorSteps::setCurrentRow(int row) { m_table->setCurrentIndex(m_model->index(row, 0)); }

bool TensorSteps::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool alt = key->modifiers().testFlag(Qt::AltModifier);
        if (key->key() == Qt::Key_Delete) return emit removeRequested(), true;
        if (alt && key->key() == Qt::Key_Up) return emit moveRequested(-1), true;
        if (alt && key->key() == Qt::Key_Down) return emit moveRequested(1), true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace plumb::ui
