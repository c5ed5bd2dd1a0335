// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/operations_tree.h"
#include "ui/operations/operations_text.h"
#include "ui/workbench/marked_ops.h"

#include <QAbstractItemModel>
#include <QHash>

namespace plumb::ui {

/// Read-only tree of the operations of a step: phase > group of like operations > operation; columns are
/// OperationColumn. As a list it has the operations alone, in the order of execution, by their whole names.
///
/// Data: shares the workbench's immutable scene. setScene() emits dataChanged while the operations are the
/// same ones (expansion, selection and scroll position survive a slider) and resets when they are not. All
/// text is made in data(), for the rows on screen only. GUI thread only.
class OperationsModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role {
        RawValueRole =
            Qt::UserRole + 1,  ///< double, unrounded SI; invalid when not known or text: sort by it
        OpIdRole,              ///< QString: opId() of an operation, empty for phases and groups
        RowIdRole,             ///< QString: stable across scenes for every row
        KindRole,              ///< int: OperationsTree::Kind
        PhaseRole,             ///< int: plumb::Phase
        BoundRole,             ///< int: plumb::Bound; invalid when mixed
        FullNameRole,          ///< QString: the name that stands alone
        TierRole,              ///< QString: tierName() of the predicted time, empty where there is none
        MarkRole,              ///< QString: titles of its bookmarks; invalid: it has none
    };
    explicit OperationsModel(QObject* parent = nullptr);

    void setScene(const ScenePtr& scene);
    /// Bookmarks at its operations, and so at the groups around them.
    void setMarks(const std::vector<MarkedOps>& marks);
    void setFlat(bool flat);
    [[nodiscard]] bool isFlat() const { return m_flat; }
    [[nodiscard]] const OperationsTree& tree() const { return m_tree; }
    /// Index of the operation with this opId(), invalid if there is none.
    [[nodiscard]] QModelIndex indexOfOp(const QString& opId) const;
    [[nodiscard]] const OperationsTree::Node& node(const QModelIndex& index) const;

    /// Returns what a row of any model on top of this one is.
    [[nodiscard]] static OperationsTree::Kind kindOf(const QModelIndex& index) {
        return static_cast<OperationsTree::Kind>(index.data(KindRole).toInt());
    }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    void announceFigures();

    /// The nodes below one, as rows.
    [[nodiscard]] const std::vector<std::int32_t>& children(const QModelIndex& parent) const;
    [[nodiscard]] QModelIndex indexOf(std::int32_t node) const;
    void listOps();

    OperationsTree m_tree;
    bool m_flat = false;
    QHash<std::int32_t, QString> m_marks;  ///< titles by node
    std::vector<std::int32_t> m_ops;       ///< nodes of the operations, in the order of execution
};

/// How the cells of a table are set apart on the clipboard.
enum class CopyFormat : std::uint8_t {
    Csv,  ///< RFC 4180
    Tsv,  ///< tabs, which spreadsheets paste into cells
};
/// Text of these rows of any model on top of an OperationsModel: raw values in SI units, not rounded, empty
/// where unknown; predicted times with their tier in a column of its own. The first row names the columns.
[[nodiscard]] QString operationsToText(const QModelIndexList& rows, const QList<OperationColumn>& columns,
                                       CopyFormat format);

}  // namespace plumb::ui
