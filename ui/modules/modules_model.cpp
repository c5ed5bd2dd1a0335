// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/modules/modules_model.h"

#include "core/base/entry_at.h"
#include "core/io/csv_writer.h"
#include "ui/theme/text.h"
#include "ui/workbench/step_text.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace plumb::ui {

void ModulesModel::setScene(const Scene& scene, const OpSet& ops) {
    const bool isOfThis = scene.measured && scene.measured->step->isSameStep(*scene.whatIf.step);
    m_step = scene.whatIf.step;
    std::function<bool(std::int32_t)> isIn;
    if (!ops.empty()) isIn = [&ops](std::int32_t op) { return ops.contains(op); };
    ModuleTree tree(scene.whatIf, isOfThis ? &*scene.measured : nullptr, isIn);
    if (keepsRows(tree)) {
        m_tree = std::move(tree);
        for (const ModuleNode& each : m_tree->nodes()) {
            if (each.children.empty()) continue;
            emit dataChanged(createIndex(0, 0, static_cast<quintptr>(each.children.front())),
                             createIndex(static_cast<int>(each.children.size()) - 1, kModuleColumns - 1,
                                         static_cast<quintptr>(each.children.back())));
        }
        return;
    }
    beginResetModel();
    m_tree = std::move(tree);
    endResetModel();
}

bool ModulesModel::keepsRows(const ModuleTree& tree) const {
    return m_tree &&
           std::ranges::equal(m_tree->nodes(), tree.nodes(), {}, &ModuleNode::path, &ModuleNode::path);
}

const ModuleNode& ModulesModel::node(const QModelIndex& index) const {
    return m_tree->node(index.isValid() ? static_cast<std::int32_t>(index.internalId()) : 0);
}

QModelIndex ModulesModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, static_cast<quintptr>(entryAt(node(parent).children, row)));
}

QModelIndex ModulesModel::parent(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    const std::int32_t above = node(index).parent;
    if (above <= 0) return {};
    const std::vector<std::int32_t>& siblings = m_tree->node(m_tree->node(above).parent).children;
    const auto row = std::ranges::find(siblings, above) - siblings.begin();
    return createIndex(static_cast<int>(row), 0, static_cast<quintptr>(above));
}

int ModulesModel::rowCount(const QModelIndex& parent) const {
    return m_tree && parent.column() <= 0 ? static_cast<int>(node(parent).children.size()) : 0;
}

QVariant ModulesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const ModuleNode& row = node(index);
    const auto column = static_cast<ModuleColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return column == ModuleColumn::Name ? moduleName(*m_step, row) : moduleText(*m_tree, row, column);
    case Qt::ToolTipRole:
        if (column != ModuleColumn::Name) return moduleCellHelp(row, column);
        return row.path.empty() ? moduleName(*m_step, row) : modulePathText(*m_step, row.path);
    case Qt::AccessibleTextRole:
        return column == ModuleColumn::Name
                   ? modulePathText(*m_step, row.path)
                   : moduleColumnTitle(column) + u' ' + moduleText(*m_tree, row, column);
    case Qt::TextAlignmentRole:
        return static_cast<int>((column == ModuleColumn::Name ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    case RawValueRole: {
        const std::optional<double> value = moduleValue(*m_tree, row, column);
        return value ? QVariant(*value) : QVariant();
    }
    case PathRole:
        return toText(row.path);
    default:
        return {};
    }
}

QVariant ModulesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kModuleColumns) return {};
    const auto column = static_cast<ModuleColumn>(section);
    switch (role) {
    case Qt::DisplayRole:
        return moduleColumnTitle(column);
    case Qt::ToolTipRole:
        return moduleColumnHelp(column);
    case Qt::TextAlignmentRole:
        return static_cast<int>((column == ModuleColumn::Name ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    default:
        return {};
    }
}

QString modulesToCsv(const QModelIndexList& rows) {
    CsvWriter csv;
    for (int column = 0; column < kModuleColumns; ++column)
        csv.cell(moduleColumnKey(static_cast<ModuleColumn>(column)));
    csv.endRow();
    for (const QModelIndex& row : rows) {
        csv.cell(row.data(ModulesModel::PathRole).toString().toStdString());
        for (int column = 1; column < kModuleColumns; ++column) {
            const QVariant value = row.siblingAtColumn(column).data(ModulesModel::RawValueRole);
            csv.cell(value.isValid() ? std::optional(value.toDouble()) : std::nullopt);
        }
        csv.endRow();
    }
    return toText(csv.take());
}

}  // namespace plumb::ui
