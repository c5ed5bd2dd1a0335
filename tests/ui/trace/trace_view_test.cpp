// SPDX-License-Identifier: GPL-3.0-or-later
// The view of a trace: lanes, window, steps, selection, search and ranges.
#include "ui/trace/trace_view.h"

#include "tests/core/trace/rank_jobs.h"
#include "tests/core/trace/trace_files.h"
#include "tests/ui/pictures.h"
#include "tests/ui/support.h"
#include "ui/charts/sparkline.h"
#include "ui/trace/trace_canvas.h"
#include "ui/workbench/workbench.h"

#include "test_paths.h"

#include <QAbstractButton>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <QWheelEvent>

#include <algorithm>

namespace plumb::ui {
namespace {
using test::child;
using test::waitFor;
using trace::test::document;
using trace::test::onHost;
using trace::test::slice;
using trace::test::times;

std::string kernel(std::string_view name, double ts, double dur) {
    return slice("kernel", name, "\"pid\": 0, \"tid\": 7", times(ts, dur), "\"device\": 0, \"stream\": 7");
}

/// A trace of two steps, with kernels that overlap on one stream, in a view of 1000 x 600.
struct Shown {
    Shown() {
        QFile file(folder.filePath(QStringLiteral("made.json")));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(document(
            {onHost("user_annotation", "ProfilerStep#1", 0, 100),
             onHost("user_annotation", "ProfilerStep#2", 100, 100), onHost("cpu_op", "aten::mm", 10, 50),
             kernel("sgemm_first", 20, 60), kernel("second", 40, 60), kernel("sgemm_third", 150, 30)})));
        file.close();
        opened.open(file.fileName());
        EXPECT_TRUE(waitFor([&] { return opened.isOpen(); }));
        view.resize(1000, 600);
        view.show();
        QCoreApplication::processEvents();
    }
    [[nodiscard]] std::uint32_t named(std::string_view name) const {
        const trace::Trace& read = *opened.content()->trace;
        for (std::uint32_t i = 0; i < read.slices.size(); ++i)
            if (read.name(i) == name) return i;
        ADD_FAILURE() << name;
        return 0;
    }
    [[nodiscard]] QTreeWidgetItem* section(const QString& start) const {
        auto* tables = child<QTreeWidget>(view, "traceTables");
        for (int i = 0; i < tables->topLevelItemCount(); ++i)
            if (tables->topLevelItem(i)->text(0).startsWith(start)) return tables->topLevelItem(i);
        return nullptr;
    }

    /// What a slice is drawn in, on a screen of any number of pixels.
    [[nodiscard]] QColor colourOf(std::string_view name) const {
        const QImage image = canvas.grab().toImage();
        const QPointF at = canvas.boxOf(named(name)).topLeft() + QPointF(2, 2);
        return image.pixelColor((at * image.devicePixelRatio()).toPoint());
    }

    QTemporaryDir folder;
    Theme theme;
    Workbench workbench;
    OpenedAs<OpenedTrace> opened{readOpenedTrace};
    TraceView view{{workbench, theme}, opened};
    TraceCanvas& canvas = *child<TraceCanvas>(view, "traceCanvas");
};

TEST(TraceView, ShowsTheReportAndTheLanes) {
    Shown shown;
    const QString report = child<QLabel>(shown.view, "traceReport")->text();
    EXPECT_TRUE(report.contains(QStringLiteral("6 events, 0 lost"))) << report.toStdString();
    EXPECT_TRUE(report.startsWith(QStringLiteral("Kineto trace"))) << report.toStdString();
    EXPECT_GT(test::coloursIn(shown.canvas.grab().toImage()), 4);
    shown.opened.close();
    EXPECT_EQ(child<QTreeWidget>(shown.view, "traceTables")->topLevelItemCount(), 0);
}

TEST(TraceView, SlicesThatOverlapLieBelowEachOther) {
    Shown shown;
    const QRectF first = shown.canvas.boxOf(shown.named("sgemm_first"));
    const QRectF second = shown.canvas.boxOf(shown.named("second"));
    EXPECT_FALSE(first.intersects(second));
    EXPECT_LT(first.top(), second.top());
    EXPECT_GT(first.right(), second.left());
}

TEST(TraceView, TheWheelZoomsAtThePointerAndDraggingMoves) {
    Shown shown;
    const TraceWindow whole = shown.canvas.window();
    EXPECT_EQ(whole, (TraceWindow{0, 200'000}));
    const QPointF at = shown.canvas.boxOf(shown.named("sgemm_third")).topLeft() + QPointF(0, 4);
    QWheelEvent wheel(at, shown.canvas.mapToGlobal(at), {}, {0, 480}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&shown.canvas, &wheel);
    const TraceWindow zoomed = shown.canvas.window();
    EXPECT_LT(zoomed.length(), whole.length() / 2);
    EXPECT_NEAR(shown.canvas.boxOf(shown.named("sgemm_third")).left(), at.x(), 1);

    QTest::keyClick(&shown.canvas, Qt::Key_A);
    EXPECT_LT(shown.canvas.window().from, zoomed.from);
    EXPECT_EQ(shown.canvas.window().length(), zoomed.length());
    QTest::keyClick(&shown.canvas, Qt::Key_Escape);
    EXPECT_EQ(shown.canvas.window(), whole);
}

TEST(TraceView, AStepIsWindowedTo) {
    Shown shown;
    auto* tables = child<QTreeWidget>(shown.view, "traceTables");
    QTreeWidgetItem* steps = shown.section(QStringLiteral("Steps"));
    ASSERT_EQ(steps->childCount(), 2);
    emit tables->itemClicked(steps->child(1), 0);
    EXPECT_EQ(shown.canvas.window(), (TraceWindow{100'000, 200'000}));
}

TEST(TraceView, AClickSelectsAndEnterFindsTheNext) {
    Shown shown;
    const QRectF box = shown.canvas.boxOf(shown.named("second"));
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, box.center().toPoint());
    EXPECT_EQ(shown.canvas.selected(), shown.named("second"));
    const QString facts = child<QLabel>(shown.view, "traceFacts")->text();
    EXPECT_TRUE(facts.contains(QStringLiteral("60.0 µs"))) << facts.toStdString();

    auto* search = child<QLineEdit>(shown.view, "traceSearch");
    search->setText(QStringLiteral("SGEMM"));
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(shown.canvas.selected(), shown.named("sgemm_third"));
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_EQ(shown.canvas.selected(), shown.named("sgemm_first"));
    auto* count = child<QLabel>(shown.view, "traceHits");
    EXPECT_EQ(count->text(), QStringLiteral("1 of 2"));
    QTest::keyClick(search, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(shown.canvas.selected(), shown.named("sgemm_third"));
    EXPECT_EQ(count->text(), QStringLiteral("2 of 2"));
}

TEST(TraceView, AFilterMakesAllElsePale) {
    Shown shown;
    auto* search = child<QLineEdit>(shown.view, "traceSearch");
    auto* count = child<QLabel>(shown.view, "traceHits");
    const auto colour = [&](std::string_view name) { return shown.colourOf(name); };
    const QColor first = colour("sgemm_first");
    const QColor second = colour("second");
    search->setText(QStringLiteral("cat:kernel sgemm"));
    EXPECT_EQ(count->text(), QStringLiteral("2 hits"));
    EXPECT_EQ(colour("sgemm_first"), first);
    EXPECT_NE(colour("second"), second);
    search->setText(QStringLiteral(">fast"));
    EXPECT_EQ(count->text(), QStringLiteral("not understood"));
    EXPECT_TRUE(count->toolTip().contains(QStringLiteral("fast")));
    search->clear();
    EXPECT_EQ(colour("second"), second);
    EXPECT_EQ(count->text(), QString());
    QTest::keyClick(&shown.canvas, Qt::Key_Slash);
    EXPECT_EQ(shown.view.focusWidget(), search);
}

TEST(TraceView, GroupsOfLanesFold) {
    Shown shown;
    const TraceLanes& lanes = shown.canvas.lanes();
    ASSERT_EQ(lanes.groups(), 2U);
    EXPECT_EQ(lanes.nameOf(0), QStringLiteral("GPU 0"));
    const int before = lanes.height();
    const double op = shown.canvas.boxOf(shown.named("aten::mm")).top();
    QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, QPoint(300, 30));
    EXPECT_TRUE(lanes.isFolded(0));
    EXPECT_LT(lanes.height(), before);
    EXPECT_LT(shown.canvas.boxOf(shown.named("aten::mm")).top(), op);
    EXPECT_TRUE(shown.canvas.boxOf(shown.named("second")).isEmpty());
    shown.canvas.select(shown.named("second"));  // what is selected is shown
    EXPECT_FALSE(lanes.isFolded(0));
    EXPECT_EQ(lanes.height(), before);
}

TEST(TraceView, TheLegendHidesATone) {
    Shown shown;
    const auto pixel = [&](std::string_view name) { return shown.colourOf(name); };
    const QColor products = pixel("sgemm_first");
    const QColor other = pixel("second");
    auto* button =
        shown.view.findChild<QAbstractButton*>(QStringLiteral("legend.%1").arg(int(TraceTone::Products)));
    ASSERT_NE(button, nullptr);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_NE(pixel("sgemm_first"), products);
    EXPECT_EQ(pixel("second"), other);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(pixel("sgemm_first"), products);

    child<QAbstractButton>(shown.view, "tracePath")->click();
    EXPECT_NE(pixel("second"), other) << "no launch joins it with the step";
    child<QAbstractButton>(shown.view, "tracePath")->click();
    EXPECT_EQ(pixel("second"), other);
}

TEST(TraceView, SaysWhyFiguresAreAbsent) {
    Shown shown;
    const auto sentence = [&](const QString& name) {
        QTreeWidgetItem* section = shown.section(name);
        return section != nullptr && section->childCount() == 1 ? section->child(0)->text(0) : QString();
    };
    EXPECT_TRUE(sentence(QStringLiteral("Modules")).contains(QStringLiteral("with_stack")));
    EXPECT_TRUE(sentence(QStringLiteral("Launches")).startsWith(QStringLiteral("No launch")));
    ASSERT_NE(shown.section(QStringLiteral("Top ops")), nullptr);
    EXPECT_EQ(shown.section(QStringLiteral("Top ops"))->child(0)->text(0), QStringLiteral("aten::mm"));
    QTreeWidgetItem* path = shown.section(QStringLiteral("Critical path of ProfilerStep#1"));
    ASSERT_NE(path, nullptr);
    ASSERT_EQ(path->childCount(), 1);
    emit child<QTreeWidget>(shown.view, "traceTables")->itemClicked(path->child(0)->child(0), 0);
    EXPECT_EQ(shown.canvas.selected(), shown.named("aten::mm"));
}

TEST(TraceView, ARangeIsSummed) {
    Shown shown;
    EXPECT_EQ(shown.section(QStringLiteral("Range")), nullptr);
    const QPoint from = shown.canvas.boxOf(shown.named("sgemm_first")).topLeft().toPoint() + QPoint(-8, 4);
    const QPoint to = shown.canvas.boxOf(shown.named("second")).topRight().toPoint() + QPoint(8, 4);
    QTest::mousePress(&shown.canvas, Qt::LeftButton, Qt::ShiftModifier, from);
    QTest::mouseMove(&shown.canvas, to);
    QTest::mouseRelease(&shown.canvas, Qt::LeftButton, Qt::ShiftModifier, to);
    QTreeWidgetItem* range = shown.section(QStringLiteral("Range"));
    ASSERT_NE(range, nullptr);
    EXPECT_EQ(range->child(0)->text(1), QStringLiteral("80.0 µs"));
    EXPECT_EQ(range->child(1)->text(1), QStringLiteral("120 µs"));
}

TEST(TraceView, HasItsColoursInBothThemes) {
    test::inBothThemes([](Theme& theme) {
        Workbench workbench;
        OpenedAs<OpenedTrace> opened{readOpenedTrace};
        TraceView view{{workbench, theme}, opened};
        opened.open(QStringLiteral(PLUMB_TEST_DATA "/trace/cuda.json.gz"));
        ASSERT_TRUE(waitFor([&] { return opened.isOpen(); }));
        const Sparkline::Content& queue = child<Sparkline>(view, "traceQueue")->content();
        ASSERT_EQ(queue.line.size(), static_cast<qsizetype>(trace::kQueueParts));
        EXPECT_EQ(std::ranges::max(queue.line, {}, &QPointF::y).y(), queue.high);
        for (const QSize size : {QSize(1560, 900), QSize(980, 540)}) {
            view.resize(size);
            view.show();
            const QString name = QStringLiteral("trace-%1-%2").arg(test::themeName(theme)).arg(size.width());
            EXPECT_GT(test::coloursIn(test::picture(view, name)), 8);
            EXPECT_LE(view.minimumSizeHint().width(), size.width());
        }
    });
}

/// Four ranks of which the third one is slow, in a view of 1200 x 700.
struct ShownRanks {
    ShownRanks() {
        trace::test::RankJob job;
        job.fill(100);
        job.offsets = {0, 5'000'000, -70'000, 12};
        for (int place = 0; place < 6; ++place) job.computeOf(2, place) = 130 + place;
        const auto events = eventsOf(job);
        QStringList paths;
        for (std::size_t rank = 0; rank < events.size(); ++rank) {
            QFile file(folder.filePath(QStringLiteral("rank%1.json").arg(rank)));
            EXPECT_TRUE(file.open(QIODevice::WriteOnly));
            file.write(QByteArray::fromStdString(
                trace::test::rankDocument(events[rank], static_cast<int>(rank), 4)));
            paths << file.fileName();
        }
        opened.open(paths);
        EXPECT_TRUE(waitFor([&] { return opened.isOpen(); }));
        view.resize(1200, 700);
        view.show();
        QCoreApplication::processEvents();
    }
    QTemporaryDir folder;
    Theme theme;
    Workbench workbench;
    OpenedAs<OpenedTrace> opened{readOpenedTraces};
    TraceView view{{workbench, theme}, opened};
    TraceCanvas& canvas = *child<TraceCanvas>(view, "traceCanvas");
};

TEST(RanksPanel, ShowsRanksAsOneDocumentUnderOneClock) {
    ShownRanks shown;
    const OpenedTrace& opened = *shown.opened.content();
    auto* table = child<QTreeWidget>(shown.view, "ranksTable");
    ASSERT_EQ(table->topLevelItemCount(), 4);
    EXPECT_EQ(table->topLevelItem(2)->text(0), QStringLiteral("2"));
    EXPECT_EQ(table->topLevelItem(2)->text(5), QStringLiteral("6 of 6"));
    EXPECT_EQ(table->topLevelItem(0)->text(5), QStringLiteral("0 of 6"));
    EXPECT_TRUE(
        child<QLabel>(shown.view, "ranksVerdict")->text().startsWith(QStringLiteral("Rank 2 is last")));
    EXPECT_EQ(child<QTreeWidget>(shown.view, "ranksCollectives")->topLevelItemCount(), 6);
    EXPECT_EQ(opened.overview.devices.size(), 4U);
    EXPECT_EQ(opened.overview.steps.size(), 2U) << "those of the first rank";
    EXPECT_LT(opened.overview.end - opened.overview.begin, 3'000'000) << "clocks of seconds apart are joined";
    EXPECT_EQ(opened.links.unlaunched, 0) << "launches and work of each rank belong together";
    std::vector<std::int64_t> ranks;
    for (const trace::Track& track : opened.trace->tracks) ranks.push_back(track.rank);
    EXPECT_TRUE(std::ranges::is_sorted(ranks));
    EXPECT_EQ(ranks.back(), 3);
    EXPECT_GT(test::coloursIn(shown.canvas.grab().toImage()), 4);
    shown.opened.close();
    EXPECT_FALSE(child<QWidget>(shown.view, "ranksPanel")->isVisible());
}

TEST(RanksPanel, AClickedCollectiveIsChosenOnTheRankThatCameLast) {
    ShownRanks shown;
    auto* table = child<QTreeWidget>(shown.view, "ranksCollectives");
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                      table->visualItemRect(table->topLevelItem(0)).center());
    ASSERT_TRUE(shown.canvas.selected());
    const trace::Trace& read = *shown.opened.content()->trace;
    const std::uint32_t slice = *shown.canvas.selected();
    EXPECT_EQ(read.tracks[read.slices.track[slice]].rank, 2);
    ASSERT_NE(read.collectiveOf(slice), 0U);
    EXPECT_EQ(read.collectives.sequence[read.collectiveOf(slice)], 105) << "the slowest of them";
    EXPECT_TRUE(shown.canvas.factsOf(slice).contains(QStringLiteral("rank 2, device 0, stream 20")));
    EXPECT_LE(shown.canvas.window().from, read.slices.begin[slice]);
}

TEST(RanksPanel, IsNotThereForOneTrace) {
    Shown shown;
    EXPECT_FALSE(child<QWidget>(shown.view, "ranksPanel")->isVisible());
}

}  // namespace
}  // namespace plumb::ui
