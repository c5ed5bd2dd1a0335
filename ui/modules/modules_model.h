// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/module_tree.h"
#include "core/measure/scene.h"
#include "ui/modules/module_columns.h"
#include "ui/workbench/op_range.h"

#include <QAbstractItemModel>

#include <memory>
#include <optional>

namespace plumb::ui {

/// Read-only tree of the modules of a step; columns are ModuleColumn. The root of the tree, the whole model,
/// is no row. setScene() emits dataChanged while the modules are the same, and resets when they are not.
class ModulesModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role {
        RawValueRole = Qt::UserRole + 1,  ///< double, moduleValue(); invalid where it is not known
        PathRole                          ///< QString: path of the module
    };
    explicit ModulesModel(QObject* parent = nullptr) : QAbstractItemModel(parent) {}

    /// Shows what was measured where it is of the step that the scene asks for. `ops`: those that count;
    /// empty: all.
    void setScene(const Scene& scene, const OpSet& ops = {});
    [[nodiscard]] const std::optional<ModuleTree>& tree() const { return m_tree; }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& /*parent*/ = {}) const override {
        return kModuleColumns;
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] const ModuleNode& node(const QModelIndex& index) const;
    [[nodiscard]] bool keepsRows(const ModuleTree& tree) const;

    std::shared_ptr<const Step> m_step;  ///< names the modules
    std::optional<ModuleTree> m_tree;
};

/// RFC 4180 text of these rows: paths, and raw values in SI units.
[[nodiscard]] QString modulesToCsv(const QModelIndexList& rows);

}  // namespace plumb::ui
