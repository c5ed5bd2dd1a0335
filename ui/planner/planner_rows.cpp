// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_rows.h"

#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/slider_row.h"

#include <QAbstractItemView>
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QStyle>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kTitleBeside = 74;
constexpr int kColumnWidth = 280;  // of the panel, without margins and scroll bar

constexpr int kListSides = 20;  // beside the names of a list

/// Its list is as wide as its longest name, wherever the field itself has to be narrow.
class WideListBox final : public QComboBox {
public:
    using QComboBox::QComboBox;

    void showPopup() override {
        const int bar = count() > maxVisibleItems() ? style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0;
        int widest = 0;
        for (int i = 0; i < count(); ++i)
            widest = std::max(widest, view()->fontMetrics().horizontalAdvance(itemText(i)));
        view()->setMinimumWidth(widest + kListSides + bar);
        QComboBox::showPopup();
    }
};

}  // namespace

QComboBox* addPlannerCombo(QVBoxLayout& layout, QWidget& panel, Theme& theme, const QString& label,
                           const char* name, QWidget** row) {
    auto* line = new QWidget(&panel);
    // Names of recipes and devices want the whole width, a row of the panel's has a side for its title.
    auto* column = new QBoxLayout(row ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom, line);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(row ? 6 : 2);
    auto* title = new QLabel(label, line);
    followColor(title, theme, ColorRole::Text);
    auto* box = new WideListBox(line);
    box->setObjectName(QString::fromLatin1(name));
    box->setAccessibleName(label);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(10);
    box->setMaxVisibleItems(24);
    title->setBuddy(box);
    if (row) title->setFixedWidth(scaled(kTitleBeside));
    column->addWidget(title);
    column->addWidget(box, 1);
    layout.addWidget(line);
    if (row) *row = line;
    return box;
}

PlannerBoxes addPlannerBoxes(QVBoxLayout& layout, QWidget& panel, Theme& theme, const QString& label,
                             const char* name, const QStringList& labels) {
    PlannerBoxes made;
    made.row = new QWidget(&panel);
    made.row->setObjectName(QString::fromLatin1(name));
    auto* grid = new QGridLayout(made.row);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(2);
    auto* title = new QLabel(label, made.row);
    followColor(title, theme, ColorRole::Text);
    int widest = 1;
    for (const QString& text : labels) {
        auto* box = new QCheckBox(text, made.row);
        box->setObjectName(QString::fromLatin1(name) + capitalised(text));
        box->setAccessibleName(label + QStringLiteral(": ") + text);
        widest = std::max(widest, box->sizeHint().width() + grid->horizontalSpacing());
        made.boxes.push_back(box);
    }
    const int columns = std::clamp(kColumnWidth / widest, 1, 4);
    grid->addWidget(title, 0, 0, 1, columns);
    for (int i = 0; i < static_cast<int>(made.boxes.size()); ++i)
        grid->addWidget(made.boxes[static_cast<std::size_t>(i)], 1 + i / columns, i % columns);
    grid->setColumnStretch(columns - 1, 1);
    layout.addWidget(made.row);
    return made;
}

}  // namespace plumb::ui
