// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/overview_view.h"

#include "core/base/entry_at.h"
#include "ui/memory/memory_view.h"
#include "ui/modules/modules_view.h"
#include "ui/operations/operations_view.h"
#include "ui/roofline/roofline_view.h"
#include "ui/theme/scaled.h"
#include "ui/training/training_view.h"
#include "ui/widgets/splitter.h"
#include "ui/workbench/workbench.h"

#include <QStackedWidget>
#include <QVBoxLayout>

#include <array>

namespace plumb::ui {

namespace {

constexpr int kGap = 8;  // between cards, logical pixels
// A card that can be read: its chart, its legend in two lines.
constexpr int kLeastCard = 340, kLeastCardHeight = 270;
constexpr std::array kAboveShares{50, 50}, kBelowShares{62, 38};

/// Sizes count as shares: the splitter scales them to the room that it has.
void share(QSplitter& splitter, const std::array<int, 2>& shares) {
    QList<int> sizes;
    for (int i = 0; i < 2; ++i) {
        splitter.setStretchFactor(i, entryAt(shares, i));
        sizes << entryAt(shares, i) * 100;
    }
    splitter.setSizes(sizes);
}

}  // namespace

OverviewView::OverviewView(ViewContext context, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("overviewView"));
    auto* rows = makeSplitter(Qt::Vertical, QStringLiteral("overviewRows"), this, kGap);
    QSplitter* const above = m_above =
        makeSplitter(Qt::Horizontal, QStringLiteral("overviewAbove"), rows, kGap);
    QSplitter* const below = m_below =
        makeSplitter(Qt::Horizontal, QStringLiteral("overviewBelow"), rows, kGap);
    auto* memory = new MemoryView(context, ViewSize::Compact, above);
    auto* roofline = new RooflineView(context, ViewSize::Compact, above);
    auto* operations = new OperationsView(context, ViewSize::Compact, below);
    auto* last = new QStackedWidget(below);
    auto* training = new TrainingView(context, ViewSize::Compact, last);
    auto* modules = new ModulesView(context, ViewSize::Compact, last);
    last->addWidget(training);
    last->addWidget(modules);
    for (QWidget* card :
         {static_cast<QWidget*>(memory), static_cast<QWidget*>(roofline), static_cast<QWidget*>(operations),
          static_cast<QWidget*>(training), static_cast<QWidget*>(modules)})
        card->setMinimumSize(scaled(kLeastCard) / 2, scaled(kLeastCardHeight));
    modules->setMinimumWidth(scaled(kLeastCard));  // names and their shares
    above->addWidget(memory);
    above->addWidget(roofline);
    below->addWidget(operations);
    below->addWidget(last);
    rows->addWidget(above);
    rows->addWidget(below);
    share(*above, kAboveShares);
    share(*below, kBelowShares);
    share(*rows, kAboveShares);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(rows);

    connect(memory, &MemoryView::openRequested, this,
            [this] { emit openRequested(QStringLiteral("memory")); });
    connect(roofline, &RooflineView::openRequested, this,
            [this] { emit openRequested(QStringLiteral("roofline")); });
    connect(operations, &OperationsView::openRequested, this,
            [this] { emit openRequested(QStringLiteral("operations")); });
    connect(operations, &OperationsView::viewWanted, this, &OverviewView::openRequested);
    connect(training, &TrainingView::openRequested, this,
            [this] { emit openRequested(QStringLiteral("training")); });
    connect(modules, &ModulesView::openRequested, this,
            [this] { emit openRequested(QStringLiteral("modules")); });
    // A recorded step has modules; the trainings are those of the session behind it.
    const auto choose = [last, training, modules, &workbench = context.workbench] {
        last->setCurrentWidget(workbench.recording() == nullptr ? static_cast<QWidget*>(training) : modules);
    };
    connect(&context.workbench, &Workbench::sceneChanged, this, choose);
    choose();
}

// Cards beside each other, or where they would be too narrow to be read, one below the other.
void OverviewView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const auto wanted = width() < 2 * scaled(kLeastCard) + kGap ? Qt::Vertical : Qt::Horizontal;
    if (m_above->orientation() == wanted) return;
    const bool isOneColumn = wanted == Qt::Vertical;
    for (QSplitter* row : {m_above, m_below}) row->setOrientation(wanted);
    share(*m_above, kAboveShares);
    share(*m_below, isOneColumn ? kAboveShares : kBelowShares);
}

}  // namespace plumb::ui
