// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_view.h"

#include "core/base/byte_units.h"
#include "tests/ui/operations/operations_support.h"
#include "tests/ui/support.h"
#include "ui/operations/operations_model.h"
#include "ui/operations/operations_query.h"
#include "ui/operations/operations_totals.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/theme/translations.h"
#include "ui/widgets/card.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/tree_table.h"

#include <QClipboard>
#include <QCompleter>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

#include <gtest/gtest.h>

#include <limits>

namespace plumb::ui::test {
namespace {

struct Fixture {
    explicit Fixture(ViewSize size = ViewSize::Full, bool measured = true,
                     const RunConfig& config = testConfig())
        : workbench(testWorkbench(config, measured)), view({*workbench, theme}, size) {
        view.resize(1100, 600);
        view.show();
        table = child<QTreeView>(view, "operationsTable");
    }
    QModelIndex row(const QString& id, const QModelIndex& parent = {}) const {
        const QAbstractItemModel& model = *table->model();
        for (int i = 0; i < model.rowCount(parent); ++i) {
            const QModelIndex index = model.index(i, 0, parent);
            if (index.data(OperationsModel::RowIdRole).toString() == id) return index;
            if (const QModelIndex below = row(id, index); below.isValid()) return below;
        }
        return {};
    }
    QString currentOp() const { return table->currentIndex().data(OperationsModel::OpIdRole).toString(); }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints"), QStringLiteral("raise()"),
                            QStringLiteral("grabbing the keyboard")}};  // not part of the offscreen platform
    Theme theme;
    std::unique_ptr<Workbench> workbench;
    OperationsView view;
    QTreeView* table = nullptr;
};

const QString kGroup = QStringLiteral("phase/backward/weight_gradient");

TEST(OperationsView, ExpansionSelectionAndScrollSurviveASliderMove) {
    Fixture f(ViewSize::Full, true, testConfig(64));
    f.table->expand(f.row(kGroup));
    f.table->collapse(f.row(QStringLiteral("phase/forward")));
    const QString op =
        f.row(kGroup).model()->index(40, 0, f.row(kGroup)).data(OperationsModel::OpIdRole).toString();
    f.workbench->selection().select(op);
    const int scroll = f.table->verticalScrollBar()->value();
    ASSERT_GT(scroll, 0);

    for (const std::int64_t batch : {300, 400, 500})
        EXPECT_TRUE(f.workbench->show(testConfig(64, 512, batch)).has_value());

    EXPECT_TRUE(f.table->isExpanded(f.row(kGroup)));
    EXPECT_FALSE(f.table->isExpanded(f.row(QStringLiteral("phase/forward"))));
    EXPECT_EQ(f.currentOp(), op);
    EXPECT_EQ(f.table->verticalScrollBar()->value(), scroll);
}

// In Chinese, whose titles are narrower than the texts below them.
TEST(OperationsView, PredictedTimesOfADataSheetAreWholeInBoldToo) {
    Translations translations(*qApp);
    translations.use(Language::SimplifiedChinese);
    for (const ViewSize size : {ViewSize::Full, ViewSize::Compact}) {
        Fixture f(size, false);
        f.theme.apply(*qApp);
        Machine machine = testMachine();
        machine.perOpOverhead.reset();  // known from a calibration alone
        ASSERT_TRUE(f.workbench->show({machine, cpuTraits()}).has_value());
        f.view.resize(size == ViewSize::Full ? QSize(950, 550) : QSize(560, 260));
        QCoreApplication::processEvents();
        QFont bold = f.table->font();
        bold.setWeight(QFont::DemiBold);
        constexpr int kPredicted = static_cast<int>(OperationColumn::Predicted);
        ASSERT_FALSE(f.table->isColumnHidden(kPredicted));
        const int margin = f.table->style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, f.table);
        const int room = f.table->header()->sectionSize(kPredicted) - TreeCells::kPadding - margin;
        const QAbstractItemModel& model = *f.table->model();
        for (int row = 0; row < model.rowCount(); ++row) {
            const QString text = model.index(row, kPredicted).data().toString();
            EXPECT_TRUE(text.startsWith(u'~')) << text.toStdString();
            EXPECT_LE(QFontMetrics(bold).horizontalAdvance(text), room) << text.toStdString();
        }
        EXPECT_LE(QFontMetrics(bold).horizontalAdvance(QStringLiteral("~38.6 µs")), room);
    }
}

TEST(OperationsView, NoColumnGoesWithoutASignWhereTheTitlesHaveRoom) {
    Fixture f;
    const QHeaderView& header = *f.table->header();
    f.view.resize(3000, 500);
    QCoreApplication::processEvents();
    const int wanted = header.count() - header.hiddenSectionCount();
    for (int width = 500; width < 1400; width += 20) {
        f.view.resize(width, 500);
        QCoreApplication::processEvents();
        const int gone = wanted - (header.count() - header.hiddenSectionCount());
        const auto* sign = header.findChild<QLabel*>(QStringLiteral("goneColumns"));
        const bool isSaid = sign != nullptr && sign->isVisible();
        if (header.length() <= f.table->viewport()->width()) {
            EXPECT_EQ(isSaid, gone > 0) << width;
            if (isSaid) EXPECT_GE(sign->x(), header.length()) << width;
        }
    }
}

TEST(OperationsView, ExpansionAndSelectionSurviveAChangeOfDepth) {
    Fixture f;
    f.table->expand(f.row(kGroup));
    f.table->collapse(f.row(QStringLiteral("phase/forward")));
    const QString op =
        f.row(kGroup).model()->index(2, 0, f.row(kGroup)).data(OperationsModel::OpIdRole).toString();
    f.workbench->selection().select(op);

    EXPECT_TRUE(f.workbench->show(testConfig(12)).has_value());

    EXPECT_TRUE(f.table->isExpanded(f.row(kGroup)));
    EXPECT_FALSE(f.table->isExpanded(f.row(QStringLiteral("phase/forward"))));
    EXPECT_EQ(f.currentOp(), op);
    EXPECT_EQ(f.workbench->selection().op(), op);
}

TEST(OperationsView, WhatAKeyUnfoldedAtOnceStaysUnfoldedWhenTheDepthChanges) {
    Fixture f;
    f.table->expandAll();
    EXPECT_TRUE(f.workbench->show(testConfig(12)).has_value());
    EXPECT_TRUE(f.table->isExpanded(f.row(kGroup)));
    f.table->collapseAll();
    EXPECT_TRUE(f.workbench->show(testConfig(8)).has_value());
    EXPECT_FALSE(f.table->isExpanded(f.row(QStringLiteral("phase/backward"))));
}

/// Whether the operations of every group stand in falling order of measured time.
bool isSortedByMeasured(const Fixture& f) {
    const QAbstractItemModel& model = *f.table->model();
    const auto fall = [&](const QModelIndex& parent) {
        for (int i = 1; i < model.rowCount(parent); ++i) {
            const auto at = [&](int row) {
                return model.index(row, static_cast<int>(OperationColumn::Measured), parent)
                    .data(OperationsModel::RawValueRole)
                    .toDouble();
            };
            if (at(i - 1) < at(i)) return false;
        }
        return true;
    };
    return fall({}) && fall(f.row(kGroup)) && fall(f.row(QStringLiteral("phase/forward")));
}

/// The same reading with its operations' times turned round.
std::shared_ptr<const Reading> turnedRound(const Reading& reading) {
    auto turned = std::make_shared<Reading>(reading);
    for (std::size_t i = 0; i < reading.ops.size(); ++i)
        turned->ops[i].seconds = reading.ops[reading.ops.size() - 1 - i].seconds;
    return turned;
}

TEST(OperationsView, WhatIsSaidToBeSortedIsSortedWhenFiguresChangeAndRowsStay) {
    for (const ViewSize size : {ViewSize::Full, ViewSize::Compact}) {
        Fixture f(size);
        f.table->sortByColumn(static_cast<int>(OperationColumn::Measured), Qt::DescendingOrder);
        ASSERT_TRUE(isSortedByMeasured(f));
        // Another document of the same shape: new figures in the same rows.
        const auto plan = testPlan(testConfig());
        f.workbench->setMeasured(turnedRound(*f.workbench->scene()->measured->reading), plan);
        EXPECT_TRUE(isSortedByMeasured(f));
        // A what-if on the sliders keeps the run's order.
        EXPECT_TRUE(f.workbench->show(testConfig(8, 512, 300)).has_value());
        EXPECT_TRUE(isSortedByMeasured(f));
    }
}

TEST(OperationsView, WhileARunGoesOnRowsStayAndTheCardSaysSoUntilItEnds) {
    Fixture f;
    f.table->sortByColumn(static_cast<int>(OperationColumn::Measured), Qt::DescendingOrder);
    f.workbench->runs().beginRun(testConfig(), 0);
    f.workbench->setMeasured(turnedRound(*f.workbench->scene()->measured->reading),
                             f.workbench->scene()->measured->plan);
    const auto* card = child<Card>(f.view, "operationsCard");
    EXPECT_FALSE(isSortedByMeasured(f)) << "a table that reorders cannot be read";
    EXPECT_TRUE(card->subtitle().contains(QStringLiteral("of an earlier reading")))
        << card->subtitle().toStdString();
    EXPECT_TRUE(card->subtitle().contains(QStringLiteral(" s ago"))) << "how old the order is";
    auto* now = child<QPushButton>(f.view, "operationsSortNow");
    EXPECT_TRUE(now->isVisible());
    now->click();
    EXPECT_TRUE(isSortedByMeasured(f));
    EXPECT_FALSE(now->isVisible());
    f.workbench->setMeasured(turnedRound(*f.workbench->scene()->measured->reading),
                             f.workbench->scene()->measured->plan);
    EXPECT_FALSE(isSortedByMeasured(f));
    f.workbench->runs().endRun(TrainingEnd::Finished, QStringLiteral("finished"));
    EXPECT_TRUE(isSortedByMeasured(f));
    EXPECT_FALSE(card->subtitle().contains(QStringLiteral("earlier")));
}

TEST(OperationsView, SelectionIsSharedBothWaysAndAGroupStandsForItsFirstOperation) {
    Fixture f;
    const QString op = QString::fromStdString(opId(f.workbench->scene()->whatIf.plan->ops[2]));
    f.workbench->selection().select(op);
    EXPECT_EQ(f.currentOp(), op);
    EXPECT_TRUE(f.table->selectionModel()->isSelected(f.table->currentIndex()));

    const QModelIndex group = f.row(kGroup);
    f.table->setCurrentIndex(group);
    EXPECT_EQ(f.workbench->selection().op(),
              f.table->model()->index(0, 0, group).data(OperationsModel::OpIdRole).toString());
    EXPECT_FALSE(f.workbench->selection().op().isEmpty());
    EXPECT_EQ(f.table->currentIndex().siblingAtColumn(0), group) << "the row that the user stands on stays";
    EXPECT_TRUE(f.workbench->show(testConfig(6)).has_value());
    EXPECT_EQ(f.table->currentIndex().siblingAtColumn(0), f.row(kGroup)) << "also when rows come and go";
    EXPECT_TRUE(f.workbench->show(testConfig()).has_value());
    f.workbench->selection().select(op);
    EXPECT_EQ(f.currentOp(), op) << "another view's choice moves away from the group";

    f.table->expand(f.row(kGroup));
    const QModelIndex child = f.table->model()->index(1, 0, f.row(kGroup));
    f.table->setCurrentIndex(child);
    EXPECT_EQ(f.workbench->selection().op(), child.data(OperationsModel::OpIdRole).toString());

    f.workbench->selection().select({});
    EXPECT_FALSE(f.table->selectionModel()->hasSelection());
    f.workbench->selection().select(QStringLiteral("an op of another plan"));
    EXPECT_FALSE(f.table->selectionModel()->hasSelection());
}

TEST(OperationsView, KeyboardWalksTheTreeAndTheSelectionFollows) {
    Fixture f;
    f.table->setFocus();
    f.table->setCurrentIndex(f.row(QStringLiteral("phase/backward")));
    QTest::keyClick(f.table, Qt::Key_Left);
    EXPECT_FALSE(f.table->isExpanded(f.row(QStringLiteral("phase/backward"))));
    QTest::keyClick(f.table, Qt::Key_Right);
    EXPECT_TRUE(f.table->isExpanded(f.row(QStringLiteral("phase/backward"))));
    f.table->setCurrentIndex(f.row(kGroup));
    QTest::keyClick(f.table, Qt::Key_Right);
    QTest::keyClick(f.table, Qt::Key_Down);
    EXPECT_FALSE(f.workbench->selection().op().isEmpty());
    EXPECT_EQ(f.workbench->selection().op(), f.currentOp());
}

TEST(OperationsView, SlashGoesToTheFilterWhichNarrowsRowsAndEscapeBringsThemBack) {
    Fixture f;
    f.view.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&f.view));
    f.table->setFocus();
    auto* filter = child<QLineEdit>(f.view, "operationsFilter");
    QTest::keyClick(f.table, Qt::Key_Slash);
    EXPECT_TRUE(waitFor([&] { return filter->hasFocus(); }));
    f.table->collapse(f.row(QStringLiteral("phase/backward")));
    QTest::keyClicks(filter, QStringLiteral("layer 3 weight"));
    EXPECT_EQ(child<QLabel>(f.view, "operationsMatches")->text(), QStringLiteral("1 operation"));
    EXPECT_FALSE(f.row(QStringLiteral("phase/optimizer")).isValid());
    const QModelIndex group = f.row(kGroup);
    ASSERT_TRUE(group.isValid());
    EXPECT_TRUE(f.table->isExpanded(group)) << "a match is visible without unfolding";
    EXPECT_TRUE(f.table->isExpanded(group.parent()));

    QTest::keyClick(filter, Qt::Key_Escape);
    EXPECT_TRUE(filter->text().isEmpty());
    EXPECT_TRUE(f.row(QStringLiteral("phase/optimizer")).isValid());
    EXPECT_FALSE(f.table->isExpanded(f.row(QStringLiteral("phase/backward"))))
        << "folded as before the filter";
}

TEST(OperationsView, AFilterThatHidesTheSelectedOperationDoesNotChangeItElsewhere) {
    Fixture f;
    const QString op = QString::fromStdString(opId(f.workbench->scene()->whatIf.plan->ops[2]));
    f.workbench->selection().select(op);
    child<QLineEdit>(f.view, "operationsFilter")->setText(QStringLiteral("optimizer"));
    EXPECT_EQ(f.workbench->selection().op(), op);
    child<QLineEdit>(f.view, "operationsFilter")->clear();
    EXPECT_EQ(f.currentOp(), op);
}

TEST(OperationsView, AMistakeInTheFilterIsToldBesideItAndTheOtherTermsHold) {
    Fixture f;
    auto* filter = child<QLineEdit>(f.view, "operationsFilter");
    auto* says = child<QLabel>(f.view, "operationsMatches");
    filter->setText(QStringLiteral("layer 3 tiem>1ms"));
    EXPECT_TRUE(says->text().contains(QStringLiteral("tiem"))) << says->text().toStdString();
    EXPECT_EQ(filter->accessibleDescription(), says->text());
    EXPECT_FALSE(f.row(QStringLiteral("phase/optimizer")).isValid()) << "layer 3 holds";
    auto* fix = child<FixButton>(f.view, "operationsMatchesFix");
    ASSERT_TRUE(fix->isVisible());
    QTest::mouseClick(fix, Qt::LeftButton);
    EXPECT_EQ(filter->text(), QStringLiteral("layer 3 time>1ms"));
    EXPECT_FALSE(fix->isVisible());
    filter->setText(QStringLiteral("layer 3 time>1ns"));
    EXPECT_TRUE(says->text().endsWith(QStringLiteral("operations"))) << says->text().toStdString();
}

TEST(OperationsView, ProposesTermsForTheLastWordAndAllOfThemWhenAsked) {
    Fixture f;
    auto* filter = child<QLineEdit>(f.view, "operationsFilter");
    QCompleter* completer = filter->completer();
    completer->setCompletionPrefix(QStringLiteral("layer 3 bou"));
    ASSERT_EQ(completer->completionCount(), 3);
    EXPECT_EQ(completer->currentCompletion(), QStringLiteral("layer 3 bound:compute"));
    completer->setCompletionPrefix(QStringLiteral("layer 3 "));
    EXPECT_EQ(completer->completionCount(), 0) << "a blank asks for nothing";
    for (const FilterTerm& term : filterTerms()) {
        const OperationsQuery query(term.term);
        EXPECT_TRUE(query.mistake().isEmpty()) << term.term.toStdString();
        EXPECT_FALSE(query.empty());
        EXPECT_FALSE(term.about.isEmpty());
    }
}

TEST(OperationsView, AsAListItSortsAllOperationsTogetherAndTheTreeComesBackAsItWas) {
    Fixture f;
    f.table->collapse(f.row(QStringLiteral("phase/forward")));
    f.table->expand(f.row(kGroup));
    QTest::mouseClick(child<QWidget>(f.view, "operationsShape1"), Qt::LeftButton);
    EXPECT_EQ(f.table->model()->rowCount(), static_cast<int>(f.workbench->scene()->whatIf.plan->ops.size()));
    f.table->sortByColumn(static_cast<int>(OperationColumn::Bytes), Qt::DescendingOrder);
    double before = std::numeric_limits<double>::infinity();
    for (int row = 0; row < f.table->model()->rowCount(); ++row) {
        const double bytes = f.table->model()
                                 ->index(row, static_cast<int>(OperationColumn::Bytes))
                                 .data(OperationsModel::RawValueRole)
                                 .toDouble();
        EXPECT_LE(bytes, before);
        before = bytes;
    }
    // What is chosen is unfolded: one of a phase that is open.
    int row = 0;
    while (f.table->model()->index(row, 0).data(OperationsModel::PhaseRole).toInt() !=
           static_cast<int>(Phase::Backward))
        ++row;
    f.table->setCurrentIndex(f.table->model()->index(row, 0));
    EXPECT_EQ(f.workbench->selection().op(), f.currentOp());
    const QString chosen = f.currentOp();
    QTest::mouseClick(child<QWidget>(f.view, "operationsShape0"), Qt::LeftButton);
    EXPECT_FALSE(f.table->isExpanded(f.row(QStringLiteral("phase/forward"))));
    EXPECT_TRUE(f.table->isExpanded(f.row(kGroup)));
    EXPECT_EQ(f.workbench->selection().op(), chosen);
}

TEST(OperationsView, TheTotalStandsBelowItsColumnAndFollowsTheFilter) {
    Fixture f;
    const auto* totals = child<OperationsTotals>(f.view, "operationsTotals");
    const auto flops = static_cast<int>(OperationColumn::Flops);
    EXPECT_EQ(totals->text(flops),
              quantityText(static_cast<double>(f.workbench->scene()->whatIf.plan->flops), ""));
    const QString whole = totals->text(0);
    child<QLineEdit>(f.view, "operationsFilter")->setText(QStringLiteral("phase:forward"));
    EXPECT_EQ(totals->text(flops),
              f.row(QStringLiteral("phase/forward")).siblingAtColumn(flops).data().toString());
    EXPECT_NE(totals->text(0), whole);
    EXPECT_TRUE(totals->accessibleDescription().contains(totals->text(flops)));
}

TEST(OperationsView, ARangeOfAnotherViewNarrowsTheRowsAndOneClickWidensThem) {
    Fixture f;
    auto* button = child<QPushButton>(f.view, "operationsSpan");
    EXPECT_FALSE(button->isVisible());
    f.workbench->selection().range().select(OpSpan{2, 4});
    EXPECT_TRUE(button->isVisible());
    EXPECT_TRUE(button->text().contains(QStringLiteral("3–5"))) << button->text().toStdString();
    EXPECT_EQ(child<QLabel>(f.view, "operationsMatches")->text(), QStringLiteral("3 operations"));
    child<QLineEdit>(f.view, "operationsFilter")->setText(QStringLiteral("layer 4"));
    EXPECT_EQ(child<QLabel>(f.view, "operationsMatches")->text(), QStringLiteral("1 operation"))
        << "both must hold";
    child<QLineEdit>(f.view, "operationsFilter")->clear();
    button->click();
    EXPECT_FALSE(f.workbench->selection().range().span());
    EXPECT_FALSE(button->isVisible());

    f.workbench->selection().range().select(OpSet(std::vector<int>{0, 3, 5}));
    EXPECT_EQ(button->text(), QStringLiteral("3 operations chosen ✕"));
    EXPECT_EQ(child<QLabel>(f.view, "operationsMatches")->text(), QStringLiteral("3 operations"));
    button->click();
    EXPECT_TRUE(f.row(QStringLiteral("phase/optimizer")).isValid());
}

TEST(OperationsView, TheMenuOfACellSaysWhyCopiesAndGoesToOtherViews) {
    Fixture f;
    QSignalSpy wanted(&f.view, &OperationsView::viewWanted);
    const auto open = [&](OperationColumn column) {
        const QModelIndex cell = f.row(kGroup).siblingAtColumn(static_cast<int>(column));
        f.table->setCurrentIndex(cell);
        emit f.table->customContextMenuRequested(f.table->visualRect(cell).center());
        return child<QMenu>(f.view, "operationsMenu");
    };
    QMenu* menu = open(OperationColumn::Bytes);
    child<QAction>(*menu, "operationsShow.roofline")->trigger();
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_EQ(wanted.front().front().toString(), QStringLiteral("roofline"));
    child<QAction>(*menu, "operationsCopyRows")->trigger();
    EXPECT_EQ(QGuiApplication::clipboard()->text().count(u'\n'), 2);
    child<QAction>(*menu, "operationsCopyTable")->trigger();
    EXPECT_GT(QGuiApplication::clipboard()->text().count(u'\n'), 4);
    child<QAction>(*menu, "operationsWhy")->trigger();
    const auto* page = f.view.findChild<QTextBrowser*>();
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(page->toPlainText().contains(columnHelp(OperationColumn::Bytes)));
    delete menu;
    menu = open(OperationColumn::Name);
    EXPECT_GT(child<QMenu>(*menu, "operationsWhyOf")->actions().size(), 5)
        << "keys choose rows: every figure of the row can be asked about";
    delete menu;
}

TEST(OperationsView, WhyOfEveryFigureHasItsMeaningAndItsTier) {
    Fixture f;
    const OperationsTree& tree = f.view.model().tree();
    const OperationsTree::Node& node = tree.node(tree.find(opId(f.workbench->scene()->whatIf.plan->ops[2])));
    for (int i = 1; i < kOperationColumns; ++i) {
        const auto column = static_cast<OperationColumn>(i);
        const QString page = cellPage(tree, node, column);
        EXPECT_TRUE(page.contains(columnHelp(column).toHtmlEscaped())) << i;
        EXPECT_EQ(page.contains(QStringLiteral("Tier: ")), cellText(tree, node, column) != absentText()) << i;
    }
    EXPECT_TRUE(cellPage(tree, node, OperationColumn::Measured).contains(QStringLiteral("source: ")));
}

TEST(OperationsView, CopiesSelectedRowsAsCsvInRawUnits) {
    Fixture f;
    f.view.resize(1300, 600);  // room for every column
    f.table->setFocus();
    f.table->setCurrentIndex(f.row(QStringLiteral("phase/optimizer")));
    QTest::keyClick(f.table, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines =
        QGuiApplication::clipboard()->text().split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 2);
    EXPECT_TRUE(
        lines[0].startsWith(QStringLiteral("operation,flops,bytes,flops_per_byte,predicted_seconds")));
    const QStringList cells = lines[1].split(u',');
    // Those of hardware counters are hidden, since nothing was counted. The tier has no column on screen.
    ASSERT_EQ(cells.size(), static_cast<int>(OperationColumn::Bound) + 2);
    EXPECT_EQ(cells[1].toDouble(), static_cast<double>(f.workbench->scene()->whatIf.plan->ops.back().flops));
}

TEST(OperationsView, HeaderMenuHidesAndShowsColumns) {
    Fixture f;
    QHeaderView* header = f.table->header();
    emit header->customContextMenuRequested(QPoint(5, 5));
    auto* menu = child<QMenu>(f.view, "operationsColumns");
    ASSERT_NE(menu, nullptr);
    QAction* bytes = menu->actions().at(1);
    ASSERT_EQ(bytes->text(), columnTitle(OperationColumn::Bytes));
    bytes->setChecked(false);
    EXPECT_TRUE(f.table->isColumnHidden(static_cast<int>(OperationColumn::Bytes)));
    bytes->setChecked(true);
    EXPECT_FALSE(f.table->isColumnHidden(static_cast<int>(OperationColumn::Bytes)));
    menu->close();
}

TEST(OperationsView, SaysWhenTheMeasuredColumnIsOfAnotherConfiguration) {
    Fixture f;
    auto* card = child<Card>(f.view, "operationsCard");
    EXPECT_FALSE(card->subtitle().contains(QStringLiteral("what-if")));
    EXPECT_TRUE(f.workbench->show(testConfig(8, 512, 1024)).has_value());
    EXPECT_TRUE(card->subtitle().contains(QStringLiteral("run: D 512 · L 8 · B 256")))
        << card->subtitle().toStdString();
    EXPECT_TRUE(f.workbench->show(testConfig()).has_value());
    EXPECT_FALSE(card->subtitle().contains(QStringLiteral("what-if")));
}

TEST(OperationsView, BytesInPowersOfTwoHaveRoomForAllOfTheirLetters) {
    setByteUnits(ByteUnits::Binary);
    const auto restore = qScopeGuard([] { setByteUnits(ByteUnits::Si); });
    const Fixture f;
    QFont strong = f.table->font();
    strong.setWeight(QFont::DemiBold);
    EXPECT_GE(f.table->columnWidth(static_cast<int>(OperationColumn::Bytes)) - TreeCells::kPadding,
              QFontMetrics(strong).horizontalAdvance(QStringLiteral("1023 MiB")));
}

TEST(OperationsView, CompactShowsEssentialColumnsAndDropsSomeRatherThanSqueezeNames) {
    Fixture f(ViewSize::Compact);
    f.view.resize(800, 400);
    EXPECT_FALSE(f.table->isColumnHidden(static_cast<int>(OperationColumn::Intensity)));
    EXPECT_TRUE(f.table->isColumnHidden(static_cast<int>(OperationColumn::Bound)));
    EXPECT_TRUE(f.table->isExpanded(f.row(QStringLiteral("phase/backward"))));
    EXPECT_FALSE(f.table->isExpanded(f.row(kGroup)));
    f.view.resize(420, 400);
    EXPECT_TRUE(f.table->isColumnHidden(static_cast<int>(OperationColumn::Intensity)));
    EXPECT_FALSE(f.table->isColumnHidden(static_cast<int>(OperationColumn::Measured)));
    EXPECT_GE(f.table->columnWidth(0), 170);
    f.view.resize(800, 400);
    EXPECT_FALSE(f.table->isColumnHidden(static_cast<int>(OperationColumn::Intensity)))
        << "room brings columns back";
}

TEST(OperationsView, CompactShowsTheGroupOfAnOperationThatWasChosenElsewhere) {
    Fixture f(ViewSize::Compact);
    const QModelIndex group = f.row(kGroup);
    const QString op = f.table->model()->index(3, 0, group).data(OperationsModel::OpIdRole).toString();
    f.workbench->selection().select(op);
    EXPECT_EQ(f.table->currentIndex().siblingAtColumn(0), group);
    EXPECT_FALSE(f.table->isExpanded(group));
    EXPECT_EQ(f.workbench->selection().op(), op);
}

TEST(OperationsView, DoesNothingWhileHiddenAndCatchesUpWhenShown) {
    Fixture f;
    f.view.hide();
    EXPECT_TRUE(f.workbench->show(testConfig(20)).has_value());
    EXPECT_NE(f.view.model().tree().scene(), f.workbench->scene());
    f.view.show();
    EXPECT_EQ(f.view.model().tree().scene(), f.workbench->scene());
}

TEST(OperationsView, InteractiveWidgetsHaveNames) {
    Fixture f;
    for (const QWidget* widget : f.view.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || widget->objectName().startsWith(QStringLiteral("qt_")))
            continue;
        if (qobject_cast<const QTreeView*>(widget) || qobject_cast<const QLineEdit*>(widget)) {
            EXPECT_FALSE(widget->objectName().isEmpty());
            EXPECT_FALSE(widget->accessibleName().isEmpty()) << widget->objectName().toStdString();
        }
    }
}

TEST(Card, ADoubleClickOnTheTitleAndTheButtonOpenTheFullView) {
    Fixture f(ViewSize::Compact);
    QSignalSpy opened(&f.view, &OperationsView::openRequested);
    auto* title = child<QLabel>(f.view, "cardTitle");
    QTest::mouseDClick(title, Qt::LeftButton);
    EXPECT_EQ(opened.count(), 1);
    QTest::mouseClick(child<QToolButton>(f.view, "cardOpen"), Qt::LeftButton);
    EXPECT_EQ(opened.count(), 2);
}

}  // namespace
}  // namespace plumb::ui::test
