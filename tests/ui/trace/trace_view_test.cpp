// SPDX-License-Identifier: GPL-3.0-or-later
// The view of a trace: lanes, window, steps, selection, search and ranges.
#include "ui/trace/trace_view.h"

#include "tests/core/trace/rank_jobs.h"
#include "tests/core/trace/trace_files.h"
#include "tests/ui/pictures.h"
#include "tests/ui/support.h"
#include "ui/charts/donut_chart.h"
#include "ui/charts/sparkline.h"
#include "ui/charts/split_bar.h"
#include "ui/trace/headline_figures.h"
#include "ui/trace/range_table.h"
#include "ui/trace/trace_canvas.h"
#include "ui/trace/trace_cards.h"
#include "ui/trace/trace_facts.h"
#include "ui/trace/trace_masks.h"
#include "ui/trace/trace_scope.h"
#include "ui/trace/trace_sections.h"
#include "ui/widgets/card.h"
#include "ui/workbench/first_focus.h"
#include "ui/workbench/workbench.h"

#include "test_paths.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
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

/// A view and the files that are opened in it.
struct ViewOfFiles {
    /// The path of a new file.
    [[nodiscard]] QString write(const QString& name, const std::string& text) const {
        QFile file(folder.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(text));
        return file.fileName();
    }
    void open(const QStringList& paths, const QSize& size) {
        opened.open(paths);
        EXPECT_TRUE(waitFor([&] { return opened.isOpen(); }));
        view.resize(size);
        view.show();
    }

    QTemporaryDir folder;
    Theme theme;
    Workbench workbench;
    OpenedAs<OpenedTrace> opened{readOpenedTraces};
    TraceView view{{workbench, theme}, opened};
    TraceCanvas& canvas = *child<TraceCanvas>(view, "traceCanvas");
};

/// A trace of two steps, with kernels that overlap on one stream, in a view of 1000 x 600.
struct Shown : ViewOfFiles {
    Shown() {
        open({write(QStringLiteral("made.json"),
                    document({onHost("user_annotation", "ProfilerStep#1", 0, 100),
                              onHost("user_annotation", "ProfilerStep#2", 100, 100),
                              onHost("cpu_op", "aten::mm", 10, 50), kernel("sgemm_first", 20, 60),
                              kernel("second", 40, 60), kernel("sgemm_third", 150, 30)}))},
             {1000, 600});
        EXPECT_TRUE(waitFor([&] { return section(QStringLiteral("Modules")) != nullptr; }));
    }
    /// Works until no mask is being made.
    void settle() const {
        const auto* masks = view.findChild<TraceMasks*>();
        EXPECT_TRUE(waitFor([&] { return !masks->isFinding(); }));
        EXPECT_TRUE(waitFor([&] { return !masks->isShowing(); }));
    }
    /// What stands under a headline figure's name.
    [[nodiscard]] QString figure(const QString& name) const {
        for (const HeadlineFigures::Figure& one : child<HeadlineFigures>(view, "traceFigures")->figures())
            if (one.name == name) return one.value;
        return {};
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
};

TEST(TraceView, ShowsTheReportAndTheLanes) {
    Shown shown;
    const QString report = child<QLabel>(shown.view, "traceReport")->text();
    EXPECT_TRUE(report.contains(QStringLiteral("6 events, 0 lost"))) << report.toStdString();
    EXPECT_TRUE(report.startsWith(QStringLiteral("Kineto trace"))) << report.toStdString();
    EXPECT_EQ(firstFocusOf(shown.view), &shown.canvas) << "\"/\" would be typed into the filter";
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

TEST(TraceView, AStepIsShownAndItsFiguresToo) {
    Shown shown;
    auto* steps = child<QTreeWidget>(shown.view, "traceSteps");
    auto* scopes = child<QComboBox>(shown.view, "traceScope");
    ASSERT_EQ(steps->topLevelItemCount(), 2);
    EXPECT_EQ(shown.figure(QStringLiteral("trace")), QStringLiteral("200 µs"));
    EXPECT_EQ(shown.figure(QStringLiteral("kernels")), QStringLiteral("3"));
    QTest::mouseClick(steps->viewport(), Qt::LeftButton, {},
                      steps->visualItemRect(steps->topLevelItem(1)).center());
    EXPECT_EQ(shown.canvas.window(), (TraceWindow{100'000, 200'000}));
    EXPECT_EQ(scopes->currentIndex(), 2);
    const auto* scope = shown.view.findChild<TraceScope*>();
    ASSERT_TRUE(waitFor([&] { return scope->figures() != nullptr; }));
    EXPECT_EQ(shown.figure(QStringLiteral("step time")), QStringLiteral("100 µs"));
    EXPECT_EQ(shown.figure(QStringLiteral("GPU busy")), QStringLiteral("30.0 %"));
    EXPECT_EQ(shown.figure(QStringLiteral("kernels")), QStringLiteral("1"));
    const auto& idle = child<SplitBar>(shown.view, "traceIdle")->parts();
    ASSERT_EQ(idle.size(), 2);
    EXPECT_EQ(idle[0].value, QStringLiteral("50.0 µs"));
    EXPECT_EQ(idle[1].label, QStringLiteral("nothing followed"));
    EXPECT_EQ(idle[1].value, QStringLiteral("20.0 µs"));
    ASSERT_EQ(child<DonutChart>(shown.view, "traceCategories")->parts().size(), 1);
    EXPECT_TRUE(child<SplitBar>(shown.view, "tracePathBar")->parts().isEmpty());
    EXPECT_FALSE(child<SplitBar>(shown.view, "tracePathBar")->emptyText().isEmpty()) << "no op is in it";

    child<QPushButton>(shown.view, "traceMedian")->click();
    EXPECT_EQ(shown.canvas.window(), (TraceWindow{0, 100'000}));
    EXPECT_EQ(scopes->currentText(), QStringLiteral("ProfilerStep#1 (median)"));
    ASSERT_TRUE(waitFor([&] { return scope->figures() != nullptr; }));
    ASSERT_NE(shown.section(QStringLiteral("Critical path of ProfilerStep#1")), nullptr);
    EXPECT_EQ(child<SplitBar>(shown.view, "tracePathBar")->parts().size(), 1);
    scopes->setCurrentIndex(0);
    emit scopes->activated(0);
    EXPECT_EQ(shown.canvas.window(), shown.canvas.whole());
    ASSERT_TRUE(waitFor([&] { return scope->figures() != nullptr; }));
    EXPECT_EQ(shown.figure(QStringLiteral("kernels")), QStringLiteral("3"));
}

TEST(TraceView, OnlyTheLastOfSeveralChoicesIsShown) {
    Shown shown;
    auto* scope = shown.view.findChild<TraceScope*>();
    for (int i = 0; i < 20; ++i) scope->choose(static_cast<std::size_t>(i % 2));
    scope->choose(0);
    ASSERT_TRUE(waitFor([&] { return scope->figures() != nullptr; }));
    EXPECT_EQ(scope->figures()->step, std::size_t{0});
    QCoreApplication::processEvents();
    EXPECT_EQ(scope->figures()->step, std::size_t{0});
}

TEST(TraceView, CardsStandInAsManyColumnsAsThereIsRoomFor) {
    Shown shown;
    const auto* cards = child<TraceCards>(shown.view, "traceCards");
    EXPECT_EQ(cards->columns(), 1);
    const auto overlap = [&] {
        const auto all = cards->findChildren<Card*>();
        for (const Card* one : all)
            for (const Card* other : all)
                if (one != other && one->isVisible() && other->isVisible() &&
                    one->geometry().intersects(other->geometry()))
                    return true;
        return false;
    };
    for (const int width : {1900, 1300, 900, 780}) {
        shown.view.resize(width, 900);
        QCoreApplication::processEvents();
        EXPECT_FALSE(overlap()) << width;
        EXPECT_EQ(shown.view.width(), width);
    }
    EXPECT_EQ(cards->columns(), 2) << "under the lanes";
    EXPECT_GT(cards->mapTo(&shown.view, QPoint()).y(), shown.canvas.geometry().bottom());
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
    shown.settle();
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
    EXPECT_EQ(count->text(), QStringLiteral("looking…"));
    EXPECT_EQ(colour("second"), second) << "found on a worker: the lanes do not wait";
    shown.settle();
    EXPECT_EQ(count->text(), QStringLiteral("2 hits"));
    EXPECT_EQ(colour("sgemm_first"), first);
    EXPECT_NE(colour("second"), second);
    search->setText(QStringLiteral(">fast"));
    EXPECT_EQ(count->text(), QStringLiteral("not understood"));
    EXPECT_TRUE(count->toolTip().contains(QStringLiteral("fast")));
    search->clear();
    EXPECT_EQ(colour("second"), second);
    EXPECT_EQ(count->text(), QString());
    shown.view.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&shown.view));
    for (QWidget* where : {static_cast<QWidget*>(&shown.canvas),
                           static_cast<QWidget*>(child<QCheckBox>(shown.view, "tracePath"))}) {
        where->setFocus();
        ASSERT_EQ(shown.view.focusWidget(), where);
        QTest::keyClick(where, Qt::Key_Slash);
        EXPECT_EQ(shown.view.focusWidget(), search) << where->objectName().toStdString();
        EXPECT_EQ(search->text(), QString());
    }
    search->setText(QStringLiteral("sgemm"));
    QTest::keyClick(search, Qt::Key_Escape);  // gives up what is being looked for
    shown.settle();
    EXPECT_EQ(colour("second"), second);
    EXPECT_EQ(count->text(), QString());
    EXPECT_EQ(shown.view.focusWidget(), &shown.canvas);
}

TEST(TraceView, GroupsFoldByKeys) {
    Shown shown;
    const TraceLanes& lanes = shown.canvas.lanes();
    QTest::keyClick(&shown.canvas, Qt::Key_Left);
    EXPECT_FALSE(lanes.isFolded(0)) << "none is marked yet";
    QTest::keyClick(&shown.canvas, Qt::Key_Escape);
    QTest::keyClick(&shown.canvas, Qt::Key_Down);
    QTest::keyClick(&shown.canvas, Qt::Key_Left);
    EXPECT_TRUE(lanes.isFolded(0));
    EXPECT_TRUE(shown.canvas.accessibleDescription().startsWith(QStringLiteral("GPU 0, folded")));
    QTest::keyClick(&shown.canvas, Qt::Key_Down);
    QTest::keyClick(&shown.canvas, Qt::Key_PageDown);  // there is none below the last
    QTest::keyClick(&shown.canvas, Qt::Key_Space);
    EXPECT_TRUE(lanes.isFolded(1));
    QTest::keyClick(&shown.canvas, Qt::Key_Right);
    EXPECT_FALSE(lanes.isFolded(1));
    QTest::keyClick(&shown.canvas, Qt::Key_Up);
    QTest::keyClick(&shown.canvas, Qt::Key_Return);
    EXPECT_FALSE(lanes.isFolded(0));
    const QString hint = child<QLabel>(shown.view, "traceFacts")->text();
    EXPECT_TRUE(hint.contains(QStringLiteral("/ filters"))) << hint.toStdString();
}

TEST(TraceView, KeysGoThroughSlicesAndWorkWithTheOneThatIsSelected) {
    Shown shown;
    const auto key = [&](Qt::Key pressed) { QTest::keyClick(&shown.canvas, pressed); };
    const auto selected = [&] {
        const auto slice = shown.canvas.selected();
        return slice ? std::string(shown.opened.content()->trace->name(*slice)) : std::string();
    };
    EXPECT_TRUE(shown.canvas.accessibleDescription().contains(QStringLiteral("0 µs to 200 µs of 200 µs")))
        << shown.canvas.accessibleDescription().toStdString();
    key(Qt::Key_Down);  // the heading of the GPU
    EXPECT_EQ(selected(), "");
    key(Qt::Key_Down);
    EXPECT_EQ(selected(), "sgemm_first") << "nearest to the middle of what is in sight";
    EXPECT_TRUE(shown.canvas.accessibleDescription().startsWith(QStringLiteral("sgemm_first; ")))
        << shown.canvas.accessibleDescription().toStdString();
    EXPECT_TRUE(child<QLabel>(shown.view, "traceFacts")->text().contains(QStringLiteral("60.0 µs")));
    key(Qt::Key_Right);
    EXPECT_EQ(selected(), "sgemm_third") << "what overlaps lies a row below";
    key(Qt::Key_Right);
    EXPECT_EQ(selected(), "sgemm_third");
    key(Qt::Key_Home);
    EXPECT_EQ(selected(), "sgemm_first");
    key(Qt::Key_Down);
    EXPECT_EQ(selected(), "second");
    key(Qt::Key_Return);
    EXPECT_EQ(shown.canvas.window().length(), 60'000);
    key(Qt::Key_0);
    EXPECT_EQ(shown.canvas.window(), shown.canvas.whole());
    auto* table = child<QTreeWidget>(shown.view, "rangeRows");
    key(Qt::Key_M);
    EXPECT_TRUE(table->isVisible());
    key(Qt::Key_Escape);
    EXPECT_EQ(selected(), "");
    EXPECT_FALSE(table->isVisible());
    key(Qt::Key_Right);
    EXPECT_EQ(selected(), "sgemm_first") << "from nowhere the first in sight";
    key(Qt::Key_PageDown);
    key(Qt::Key_Down);
    EXPECT_EQ(selected(), "ProfilerStep#1");
    key(Qt::Key_Down);
    EXPECT_EQ(selected(), "aten::mm");
    key(Qt::Key_Down);
    EXPECT_EQ(selected(), "aten::mm") << "the last line";
}

TEST(TraceView, KeysPassOverWhatIsHiddenAndFolded) {
    Shown shown;
    const auto key = [&](Qt::Key pressed) { QTest::keyClick(&shown.canvas, pressed); };
    const trace::Trace& read = *shown.opened.content()->trace;
    shown.canvas.setShown(std::make_shared<const trace::RowMask>(
        read, [&](std::uint32_t slice) { return read.name(slice) != "sgemm_first"; }));
    key(Qt::Key_Right);
    EXPECT_EQ(shown.canvas.selected(), shown.named("sgemm_third"));
    key(Qt::Key_Left);
    EXPECT_EQ(shown.canvas.selected(), shown.named("sgemm_third"));
    key(Qt::Key_PageUp);
    key(Qt::Key_Left);
    ASSERT_TRUE(shown.canvas.lanes().isFolded(0));
    key(Qt::Key_Down);
    key(Qt::Key_Down);
    EXPECT_EQ(shown.canvas.selected(), shown.named("ProfilerStep#2")) << "the thread, where the slice was";
}

TEST(TraceView, ARowThatIsActivatedByKeysIsShownInTheLanes) {
    Shown shown;
    child<QPushButton>(shown.view, "tracePage1")->click();
    auto* tables = child<QTreeWidget>(shown.view, "traceTables");
    QTreeWidgetItem* found = nullptr;
    for (QTreeWidgetItemIterator at(tables); *at != nullptr && found == nullptr; ++at)
        if ((*at)->data(0, kSliceRole).isValid()) found = *at;
    ASSERT_NE(found, nullptr);
    tables->setCurrentItem(found);
    QTest::keyClick(tables, Qt::Key_Return);
    EXPECT_EQ(shown.canvas.selected(), found->data(0, kSliceRole).toUInt());
}

TEST(TraceView, EveryControlHasAName) {
    Shown shown;
    for (const QWidget* widget : shown.view.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
        if (widget->objectName().startsWith(QStringLiteral("qt_"))) continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        EXPECT_FALSE(widget->accessibleName().isEmpty() && (button == nullptr || button->text().isEmpty()))
            << widget->metaObject()->className() << ' ' << widget->objectName().toStdString();
    }
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
    shown.settle();
    EXPECT_NE(pixel("sgemm_first"), products);
    EXPECT_EQ(pixel("second"), other);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(pixel("sgemm_first"), products);

    child<QAbstractButton>(shown.view, "tracePath")->click();
    shown.settle();
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

TEST(TraceView, NamesTheGpuOfTheFiguresWhereThereAreSeveral) {
    const auto onGpu = [](int gpu, double ts) {
        return slice("kernel", "sgemm", "\"pid\": 0, \"tid\": 7", times(ts, 10),
                     QStringLiteral("\"device\": %1, \"stream\": 7").arg(gpu).toStdString());
    };
    ViewOfFiles shown;
    shown.open({shown.write(QStringLiteral("two.json"),
                            document({onGpu(0, 0), onGpu(0, 40), onGpu(1, 0), onGpu(1, 20), onGpu(1, 60)}))},
               {1200, 700});
    auto* card = child<QWidget>(shown.view, "traceFiguresCard");
    auto* devices = child<QComboBox>(shown.view, "traceDevice");
    ASSERT_TRUE(waitFor([&] { return devices->count() == 2; }));
    EXPECT_TRUE(card->isAncestorOf(devices)) << "beside the figures that are of one";
    EXPECT_TRUE(devices->isVisibleTo(card));
    const auto kernels = [&] {
        for (const HeadlineFigures::Figure& one :
             child<HeadlineFigures>(shown.view, "traceFigures")->figures())
            if (one.name == QStringLiteral("kernels")) return one.value;
        return QString();
    };
    const auto* idle = child<QLabel>(*child<QWidget>(shown.view, "traceIdleCard"), "cardSubtitle");
    EXPECT_EQ(kernels(), QStringLiteral("2"));
    EXPECT_TRUE(idle->text().startsWith(QStringLiteral("GPU 0"))) << idle->text().toStdString();
    devices->setCurrentIndex(1);
    emit devices->activated(1);
    EXPECT_EQ(kernels(), QStringLiteral("3"));
    EXPECT_TRUE(idle->text().startsWith(QStringLiteral("GPU 1"))) << idle->text().toStdString();
}

TEST(TraceView, ARangeIsSummed) {
    Shown shown;
    auto* table = child<QTreeWidget>(shown.view, "rangeRows");
    EXPECT_FALSE(table->isVisible());
    const QPoint from = shown.canvas.boxOf(shown.named("sgemm_first")).topLeft().toPoint() + QPoint(-8, 4);
    const QPoint to = shown.canvas.boxOf(shown.named("second")).topRight().toPoint() + QPoint(8, 4);
    QTest::mousePress(&shown.canvas, Qt::LeftButton, Qt::ShiftModifier, from);
    QTest::mouseMove(&shown.canvas, to);
    QTest::mouseRelease(&shown.canvas, Qt::LeftButton, Qt::ShiftModifier, to);
    ASSERT_TRUE(waitFor([&] { return table->topLevelItemCount() == 3; }));
    EXPECT_TRUE(table->isVisible());
    EXPECT_GT(test::coloursIn(test::picture(shown.view, QStringLiteral("trace-range"))), 8);
    EXPECT_EQ(table->topLevelItem(0)->text(1), QStringLiteral("2"));
    EXPECT_EQ(table->topLevelItem(0)->text(2), QStringLiteral("120 µs"));
    EXPECT_EQ(table->topLevelItem(1)->text(2), QStringLiteral("60.0 µs"));
    EXPECT_EQ(table->topLevelItem(1)->text(4), QStringLiteral("–")) << "no traffic";
    EXPECT_EQ(table->topLevelItem(1)->text(7), QStringLiteral("stream 7"));
    EXPECT_TRUE(
        child<Card>(shown.view, "rangeCard")->subtitle().contains(QStringLiteral("computes 80.0 µs")));
    EXPECT_EQ(child<RangeTable>(shown.view, "rangeTable")->text().count(QLatin1Char('\n')), 3);
    child<QPushButton>(shown.view, "rangeClose")->click();
    EXPECT_FALSE(table->isVisible());
}

TEST(TraceView, HasItsColoursInBothThemes) {
    test::inBothThemes([](Theme& theme) {
        Workbench workbench;
        OpenedAs<OpenedTrace> opened{readOpenedTrace};
        TraceView view{{workbench, theme}, opened};
        opened.open(QStringLiteral(PLUMB_TEST_DATA "/trace/cuda.json.gz"));
        ASSERT_TRUE(waitFor([&] { return opened.isOpen(); }));
        ASSERT_TRUE(waitFor([&] { return view.findChild<Sparkline*>() != nullptr; }));
        const Sparkline::Content& queue = child<Sparkline>(view, "traceQueue")->content();
        ASSERT_EQ(queue.line.size(), static_cast<qsizetype>(trace::kQueueParts));
        EXPECT_EQ(std::ranges::max(queue.line, {}, &QPointF::y).y(), queue.high);
        for (const QSize size : {QSize(1560, 900), QSize(900, 600)}) {
            view.resize(size);
            view.show();
            const QString name = QStringLiteral("trace-%1-%2").arg(test::themeName(theme)).arg(size.width());
            EXPECT_GT(test::coloursIn(test::picture(view, name)), 8);
            EXPECT_LE(view.minimumSizeHint().width(), size.width());
        }
    });
}

/// Four ranks of which the third one is slow, in a view of 1200 x 700.
struct ShownRanks : ViewOfFiles {
    ShownRanks() {
        trace::test::RankJob job;
        job.fill(100);
        job.offsets = {0, 5'000'000, -70'000, 12};
        for (int place = 0; place < 6; ++place) job.computeOf(2, place) = 130 + place;
        const auto events = eventsOf(job);
        QStringList paths;
        for (std::size_t rank = 0; rank < events.size(); ++rank) {
            paths << write(QStringLiteral("rank%1.json").arg(rank),
                           trace::test::rankDocument(events[rank], static_cast<int>(rank), 4));
        }
        open(paths, {1200, 700});
        QCoreApplication::processEvents();
    }
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
    EXPECT_TRUE(
        factsOf(*shown.opened.content(), slice).contains(QStringLiteral("rank 2, device 0, stream 20")));
    EXPECT_LE(shown.canvas.window().from, read.slices.begin[slice]);
}

TEST(RanksPanel, IsNotThereForOneTrace) {
    Shown shown;
    EXPECT_FALSE(child<QWidget>(shown.view, "ranksPanel")->isVisible());
}

}  // namespace
}  // namespace plumb::ui
