// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/operations/operations_query.h"
#include "ui/workbench/op_range.h"

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace plumb::ui {

class SegmentedControl;
class Theme;
class ToneLabel;

/// Above the full table of operations: tree or list, the filter with its completions, and beside it how many
/// operations pass it or what is wrong with it, with a button that puts a slip right.
class OperationsFilterBar final : public QWidget {
    Q_OBJECT
public:
    explicit OperationsFilterBar(Theme& theme, QWidget* parent = nullptr);

    /// How many operations pass; a query with a mistake says that beside it instead.
    void showMatches(const OperationsQuery& query, int matches);
    /// That other views have narrowed the step to these, with the way back.
    void showRange(const OpSet& ops);
    void focusField();

signals:
    void queryChanged(const QString& text);
    void flatChosen(bool flat);
    void tableWanted();  ///< the hand goes on in the table
    void rangeCleared();

private:
    void buildField();

    SegmentedControl* m_shape;
    QLineEdit* m_field;
    QPushButton* m_range;
    ToneLabel* m_says;
};

}  // namespace plumb::ui
