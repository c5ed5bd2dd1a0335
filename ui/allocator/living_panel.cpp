// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/living_panel.h"

#include "ui/theme/text.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/tone_label.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

LivingPanel::LivingPanel(Theme& theme, AllocatorState& state, QWidget* parent)
    : QWidget(parent),
      m_model(new LivingModel(state, this)),
      m_filter(new QLineEdit(this)),
      m_sum(new ToneLabel(theme, ColorRole::Text, this)),
      m_table(new QTableView(this)) {
    build();
    connect(m_filter, &QLineEdit::textChanged, m_model, &LivingModel::setFilter);
    connect(m_model, &LivingModel::deviceReplaced, this, [this] {
        m_selected.reset();
        emit selected(std::nullopt);
    });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] {
        showSum();
        keepSelection();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                // A row that is selected again after a reset is no news.
                if (!current.isValid() || m_selected == m_model->row(current.row())) return;
                m_selected = m_model->row(current.row());
                emit selected(m_selected);
            });
    showSum();
}

void LivingPanel::build() {
    m_filter->setObjectName(QStringLiteral("allocatorFilter"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter of what is alive"));
    m_filter->setClearButtonEnabled(true);
    connect(findKey(*this), &QShortcut::activated, m_filter, qOverload<>(&QWidget::setFocus));
    m_filter->setMaximumWidth(220);
    m_sum->setObjectName(QStringLiteral("allocatorSum"));
    m_sum->setElided();
    m_table->setObjectName(QStringLiteral("allocatorTable"));
    m_table->setAccessibleName(tr("What is alive at the cursor"));
    setUpDataTable(*m_table);
    m_table->setModel(m_model);
    new ColumnFit(*m_table, LivingModel::kPlace,
                  {LivingModel::kStream, LivingModel::kMade, LivingModel::kOperation});
    auto* head = new QHBoxLayout;
    head->addWidget(m_filter, 1);
    head->addWidget(m_sum, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
}

void LivingPanel::showSum() {
    const QString all =
        tr("%1 allocations · %2").arg(m_model->allCount()).arg(bytesText(m_model->allBytes()));
    const auto rows = static_cast<std::size_t>(m_model->rowCount());
    m_sum->showText(rows == m_model->allCount()
                        ? all
                        : tr("%1 · %2 of %3").arg(rows).arg(bytesText(m_model->bytes()), all));
}

void LivingPanel::select(std::uint32_t allocation) {
    const int row = m_model->rowOf(allocation);
    if (row >= 0 && row != m_table->currentIndex().row()) return m_table->selectRow(row);
    if (row < 0) m_table->clearSelection();
    m_selected = allocation;
    emit selected(m_selected);
}

void LivingPanel::keepSelection() {
    const int row = m_selected ? m_model->rowOf(*m_selected) : -1;
    if (row >= 0) {
        m_table->selectRow(row);
        return;
    }
    if (!m_selected) return;
    m_selected.reset();
    emit selected(std::nullopt);
}

}  // namespace plumb::ui
