// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/overview_view.h"

#include "ui/memory/memory_view.h"
#include "ui/modules/modules_view.h"
#include "ui/operations/operations_view.h"
#include "ui/roofline/roofline_view.h"
#include "ui/training/training_view.h"
#include "ui/workbench/workbench.h"

#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace plumb::ui {

namespace {

constexpr int kGap = 8;  // between cards, logical pixels

/// A splitter whose handle is the gap between two cards.
QSplitter* makeSplitter(Qt::Orientation orientation, const QString& name, QWidget* parent) {
    auto* splitter = new QSplitter(orientation, parent);
    splitter->setObjectName(name);
    splitter->setHandleWidth(kGap);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

/// Sizes count as shares: the splitter scales them to the room that it has.
void addShared(QSplitter* splitter, QWidget* first, int firstShare, QWidget* second, int secondShare) {
    splitter->addWidget(first);
    splitter->addWidget(second);
    splitter->setStretchFactor(0, firstShare);
    splitter->setStretchFactor(1, secondShare);
    splitter->setSizes({firstShare * 100, secondShare * 100});
}

}  // namespace

OverviewView::OverviewView(ViewContext context, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("overviewView"));
    auto* rows = makeSplitter(Qt::Vertical, QStringLiteral("overviewRows"), this);
    auto* above = makeSplitter(Qt::Horizontal, QStringLiteral("overviewAbove"), rows);
    auto* below = makeSplitter(Qt::Horizontal, QStringLiteral("overviewBelow"), rows);
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
        card->setMinimumSize(240, 160);
    addShared(above, memory, 50, roofline, 50);
    addShared(below, operations, 62, last, 38);
    addShared(rows, above, 50, below, 50);

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
    connect(roofline, &RooflineView::calibrateRequested, this, &OverviewView::calibrateRequested);
}

}  // namespace plumb::ui
