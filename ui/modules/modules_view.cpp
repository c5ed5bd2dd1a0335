// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/modules/modules_view.h"

#include "ui/modules/modules_table.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/range_button.h"
#include "ui/workbench/first_focus.h"
#include "ui/workbench/workbench.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>

namespace plumb::ui {

ModulesView::ModulesView(ViewContext context, ViewSize size, QWidget* parent)
    : SceneView(context, size, QStringLiteral("modules"), tr("Modules"), parent) {
    m_model = new ModulesModel(this);
    m_table = new ModulesTable(context.theme, fontMetrics().height() + (isCompact() ? 14 : 10), this);
    m_table->setObjectName(QStringLiteral("modulesTable"));
    m_table->setAccessibleName(tr("Modules of the model"));
    m_table->setModel(m_model);
    // What the sum of others says goes first.
    m_table->setYielding({ModuleColumn::Optimizer, ModuleColumn::Measured, ModuleColumn::Parameters,
                          ModuleColumn::Predicted, ModuleColumn::Flops, ModuleColumn::Kept,
                          ModuleColumn::Backward, ModuleColumn::Forward});
    setFirstFocus(*this, m_table);
    m_card->setContent(m_table);
    m_card->setContentMargins(8, 6, 8, 8);
    connect(m_table, &ModulesTable::copyRequested, this,
            [this] { QGuiApplication::clipboard()->setText(csv()); });
    connect(m_model, &QAbstractItemModel::modelReset, this, &ModulesView::unfold);
    if (isCompact()) return;
    OpRange& range = context.workbench.selection().range();
    addRangeButton(*m_card, range, QStringLiteral("modulesClearRange"));
    connect(&range, &OpRange::changed, this, &ModulesView::invalidate);
}

void ModulesView::catchUp() {
    const Scene& scene = *m_context.workbench.scene();
    // The card of the Overview has all of the step, as that of the operations.
    m_model->setScene(scene, isCompact() ? OpSet() : m_context.workbench.selection().range().ops());
    const ModuleFigures& all = m_model->tree()->node(0).figures;
    const std::int64_t ofAll = m_model->tree()->whole().ops;
    QStringList parts;
    parts << (all.ops < ofAll ? tr("%1 of %2 operations").arg(all.ops).arg(ofAll)
              : all.ops == 1  ? tr("1 operation")
                              : tr("%1 operations").arg(all.ops));
    if (!scene.measured) parts << tr("not measured");
    if (all.parameters > 0) parts << tr("%1 of parameters").arg(bytesText(all.parameters));
    if (all.kept > 0) parts << tr("%1 kept for the way back").arg(bytesText(all.kept));
    const QString whole = parts.join(QStringLiteral(" · "));
    m_card->setSubtitle(isCompact() ? parts.first() : whole, whole);
}

void ModulesView::unfold() {
    constexpr int kMostRows = 24;  // of a level that is unfolded by itself
    for (QModelIndex at; m_model->rowCount(at) > 0;) {
        QModelIndex only;
        int withChildren = 0;
        for (int row = 0; row < m_model->rowCount(at); ++row) {
            const QModelIndex child = m_model->index(row, 0, at);
            if (m_model->rowCount(child) == 0 || m_model->rowCount(child) > kMostRows) continue;
            m_table->expand(child);
            only = child;
            ++withChildren;
        }
        if (withChildren != 1) return;
        at = only;
    }
}

QString ModulesView::csv() const {
    QModelIndexList rows;
    const QItemSelectionModel* selection = m_table->selectionModel();
    for (QModelIndex row = m_model->index(0, 0); row.isValid(); row = m_table->indexBelow(row))
        if (!selection->hasSelection() || selection->isSelected(row)) rows << row.siblingAtColumn(0);
    return modulesToCsv(rows);
}

}  // namespace plumb::ui
