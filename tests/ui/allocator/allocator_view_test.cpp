// SPDX-License-Identifier: GPL-3.0-or-later
// The view of memory snapshots, on the files of tests/data/memory.
#include "ui/allocator/allocator_view.h"

#include "tests/ui/charts/move_to.h"
#include "tests/ui/pictures.h"
#include "tests/ui/support.h"
#include "ui/allocator/allocator_bands.h"
#include "ui/allocator/allocator_chart.h"
#include "ui/allocator/compared_model.h"
#include "ui/allocator/compared_panel.h"
#include "ui/allocator/living_model.h"
#include "ui/allocator/segments_picture.h"
#include "ui/charts/legend_row.h"
#include "ui/opened/opened_files.h"
#include "ui/theme/text.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/tone_label.h"
#include "ui/workbench/workbench.h"

#include "test_paths.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QWheelEvent>

#include <numeric>

namespace plumb::ui::test {
namespace {

struct Bench {
    explicit Bench(const char* name = nullptr) {
        view.resize(1000, 700);
        view.show();
        if (name) open(name);
    }
    void open(const char* name) {
        file.open(QStringLiteral(PLUMB_TEST_DATA "/memory/") + QLatin1String(name));
        EXPECT_TRUE(waitFor([&] { return !file.isReading(); }));
        EXPECT_TRUE(file.isOpen());
        QCoreApplication::processEvents();
    }
    template <class T>
    T& at(const char* name) {
        return *child<T>(view, name);
    }
    [[nodiscard]] const OpenedDevice& device() { return *view.state().device(); }

    FailOnQtWarnings guard{
        {QStringLiteral("propagateSizeHints"), QStringLiteral("This plugin does not support")}};
    Theme theme;
    Workbench workbench;
    void compareWith(const char* name) {
        baseline.open(QStringLiteral(PLUMB_TEST_DATA "/memory/") + QLatin1String(name));
        EXPECT_TRUE(waitFor([&] { return !baseline.isReading() && !compared().isComparing(); }));
        EXPECT_TRUE(baseline.isOpen());
    }
    [[nodiscard]] ComparedPanel& compared() { return at<ComparedPanel>("allocatorCompared"); }
    [[nodiscard]] QAbstractItemModel& rows() { return *at<QTableView>("allocatorComparedTable").model(); }
    void click(const char* name) {
        QTest::mouseClick(&at<QAbstractButton>(name), Qt::LeftButton);
        EXPECT_TRUE(waitFor([&] { return !compared().isComparing(); }));
    }
    OpenedAs<OpenedSnapshot> file{readOpenedSnapshot};
    OpenedAs<OpenedSnapshot> baseline{readOpenedSnapshot};
    AllocatorView view{{workbench, theme}, file, baseline};
};

TEST(Allocator, FilesAreKnownByTheirContent) {
    const OpenedFiles files;
    EXPECT_TRUE(files.knows(QStringLiteral(PLUMB_TEST_DATA "/memory/before_2.1.pickle")));
    EXPECT_FALSE(files.knows(QStringLiteral(PLUMB_TEST_DATA "/memory/expected.json.none")));
}

TEST(Allocator, SaysWhatFileItIsAndBeginsAtThePeak) {
    Bench bench("step_protocol4.pickle");
    EXPECT_EQ(bench.at<ToneLabel>("allocatorName").text(), QStringLiteral("step_protocol4.pickle"));
    EXPECT_TRUE(bench.at<ToneLabel>("allocatorFacts").text().startsWith(QStringLiteral("72 entries")));
    EXPECT_TRUE(bench.at<QComboBox>("allocatorDevice").isHidden()) << "there is one device";
    EXPECT_EQ(bench.view.state().cursor(), 30);
    EXPECT_TRUE(bench.at<ToneLabel>("allocatorMoment").text().contains(QStringLiteral("58.8 MB live")));
    EXPECT_EQ(bench.view.findChildren<ToneLabel*>(QStringLiteral("allocatorGap")).size(),
              static_cast<qsizetype>(bench.device().gaps.size()));
}

TEST(Allocator, WithoutAFileOrAHistoryASentenceStandsThere) {
    Bench bench;
    EXPECT_FALSE(bench.at<AllocatorChart>("allocatorChart").emptyText().isEmpty());
    bench.open("segments_alone.pickle");
    EXPECT_TRUE(bench.at<AllocatorChart>("allocatorChart").emptyText().contains(QStringLiteral("history")));
    QTest::keyClick(&bench.at<AllocatorChart>("allocatorChart"), Qt::Key_Right);
    bench.open("step_protocol2.pickle");
    EXPECT_TRUE(bench.at<AllocatorChart>("allocatorChart").emptyText().isEmpty());
    QTest::mouseClick(&bench.at<QPushButton>("allocatorClose"), Qt::LeftButton);
    EXPECT_FALSE(bench.file.isOpen());
    EXPECT_FALSE(bench.at<AllocatorChart>("allocatorChart").emptyText().isEmpty());
}

TEST(Allocator, TheLegendAddsUpToTheLiveBytesUnderEveryKey) {
    Bench bench("step_protocol4.pickle");
    for (int key = 0; key < static_cast<int>(kCurveKeys.size()); ++key) {
        QTest::mouseClick(&bench.at<QPushButton>(qPrintable(QStringLiteral("allocatorKey%1").arg(key))),
                          Qt::LeftButton);
        EXPECT_EQ(bench.view.state().key(), key);
        const auto index = static_cast<std::size_t>(key);
        const MemoryGroups& groups = bench.device().groups[index];
        EXPECT_EQ(bench.view.findChild<LegendRow*>()->entries().size(),
                  static_cast<qsizetype>(groups.names.size() + 2));
        std::vector<Bytes> sums(groups.names.size() + 1);
        bench.device().curves[index].sumsAt(30, sums);
        EXPECT_EQ(std::accumulate(sums.begin(), sums.end() - 1, Bytes{0}), bench.device().replay.peakBytes);
    }
}

TEST(Allocator, KeysAndClicksMoveTheCursor) {
    Bench bench("step_protocol4.pickle");
    auto& chart = bench.at<AllocatorChart>("allocatorChart");
    QTest::keyClick(&chart, Qt::Key_Right);
    EXPECT_EQ(bench.view.state().cursor(), 31);
    QTest::keyClick(&chart, Qt::Key_Left, Qt::ShiftModifier);
    EXPECT_EQ(bench.view.state().cursor(), 21);
    QTest::keyClick(&chart, Qt::Key_Home);
    EXPECT_EQ(bench.view.state().cursor(), -1);
    QTest::keyClick(&chart, Qt::Key_Left);
    EXPECT_EQ(bench.view.state().cursor(), -1);
    QTest::keyClick(&chart, Qt::Key_End);
    EXPECT_EQ(bench.view.state().cursor(), 71);
    const QPoint peak(qRound(chart.xOf(30)), chart.height() / 2);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, peak);
    EXPECT_EQ(bench.device().history.liveAt(bench.view.state().cursor()), bench.device().replay.peakBytes);
}

TEST(Allocator, KeysZoomPanAndSayWhatIsUnderTheCursor) {
    Bench bench("step_protocol4.pickle");
    auto& chart = bench.at<AllocatorChart>("allocatorChart");
    const auto contains = [&](const QString& part) { return chart.accessibleDescription().contains(part); };
    const QString peak = bytesText(bench.device().replay.peakBytes);
    EXPECT_TRUE(contains(tr("live") + QLatin1Char(' ') + peak))
        << chart.accessibleDescription().toStdString();
    QTest::keyClick(&chart, Qt::Key_Home);
    EXPECT_TRUE(contains(tr("before the first entry"))) << chart.accessibleDescription().toStdString();
    EXPECT_TRUE(contains(peak)) << "the peak is said wherever the cursor is";
    ASSERT_NE(chart.cardShown(), nullptr) << "as with the mouse";
    EXPECT_EQ(chart.cardShown()->title, bench.view.state().momentText(-1));
    QTest::keyClick(&chart, Qt::Key_W);
    EXPECT_FALSE(chart.window().showsAll());
    const double from = chart.window().from;
    QTest::keyClick(&chart, Qt::Key_D);
    EXPECT_GT(chart.window().from, from);
    QTest::keyClick(&chart, Qt::Key_A);
    EXPECT_NEAR(chart.window().from, from, 1e-9);
    QTest::mouseClick(&bench.at<QPushButton>("allocatorToPeak"), Qt::LeftButton);
    const double x = chart.xOf(bench.view.state().cursor());
    EXPECT_GE(x, chart.window().left) << "brought into sight";
    EXPECT_LE(x, chart.window().left + chart.window().width);
    QTest::keyClick(&chart, Qt::Key_0);
    EXPECT_TRUE(chart.window().showsAll());
    QTest::mouseClick(&bench.at<QPushButton>("allocatorKey3"), Qt::LeftButton);
    EXPECT_TRUE(contains(groupText(kCurveKeys[3], bench.device().groups[3].names.front())))
        << chart.accessibleDescription().toStdString();
}

TEST(Allocator, TheWheelZoomsDraggingPansAndFFits) {
    Bench bench("step_protocol4.pickle");
    auto& chart = bench.at<AllocatorChart>("allocatorChart");
    ASSERT_TRUE(chart.window().showsAll());
    const QPointF at(chart.width() / 2.0, chart.height() / 2.0);
    const double fixed = chart.window().toTime(at.x());
    QWheelEvent wheel(at, chart.mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&chart, &wheel);
    EXPECT_FALSE(chart.window().showsAll());
    EXPECT_NEAR(chart.window().toTime(at.x()), fixed, chart.window().perPixel());
    const double from = chart.window().from;
    const std::int64_t cursor = bench.view.state().cursor();
    QTest::mousePress(&chart, Qt::LeftButton, {}, at.toPoint());
    moveTo(chart, at + QPointF(20, 0), Qt::LeftButton);
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, at.toPoint() + QPoint(20, 0));
    EXPECT_NEAR(chart.window().from, from - 20 * chart.window().perPixel(), 1e-9);
    EXPECT_EQ(bench.view.state().cursor(), cursor) << "a drag is no click";
    QTest::keyClick(&chart, Qt::Key_F);
    EXPECT_TRUE(chart.window().showsAll());
}

TEST(Allocator, ADeviceIsChosen) {
    Bench bench("two_devices.pickle");
    auto& devices = bench.at<QComboBox>("allocatorDevice");
    EXPECT_FALSE(devices.isHidden());
    devices.setCurrentIndex(1);
    emit devices.activated(1);
    EXPECT_EQ(&bench.device(), bench.view.state().memory()->devices()[1].get());
    EXPECT_EQ(bench.view.state().cursor(), bench.device().replay.peakPosition);
}

TEST(Allocator, TheTableHoldsWhatLivesAtTheCursorLargestFirst) {
    Bench bench("step_protocol4.pickle");
    const QAbstractItemModel& rows = *bench.at<QTableView>("allocatorTable").model();
    EXPECT_EQ(rows.rowCount(), 16);
    EXPECT_EQ(rows.index(0, 0).data().toString(), QStringLiteral("26.2 MB"));
    EXPECT_EQ(bench.at<ToneLabel>("allocatorSum").text(), QStringLiteral("16 allocations · 58.8 MB"));
    bench.view.state().setCursor(-1);
    EXPECT_EQ(bench.at<ToneLabel>("allocatorSum").text(), QStringLiteral("4 allocations · 32.1 MB"));
    QTest::mouseClick(&bench.at<QPushButton>("allocatorToPeak"), Qt::LeftButton);
    EXPECT_EQ(rows.rowCount(), 16);
    QTest::mouseClick(&bench.at<QPushButton>("allocatorToOutOfMemory"), Qt::LeftButton);
    EXPECT_EQ(bench.view.state().cursor(), bench.device().replay.outOfMemory.front().position);
}

TEST(Allocator, AFilterKeepsTheRowsAndTheirSum) {
    Bench bench("step_protocol4.pickle");
    bench.at<QLineEdit>("allocatorFilter").setText(QStringLiteral("optimizer"));
    EXPECT_GT(bench.at<QTableView>("allocatorTable").model()->rowCount(), 0);
    EXPECT_TRUE(bench.at<ToneLabel>("allocatorSum").text().contains(QStringLiteral("· 11.8 MB of 16")))
        << bench.at<ToneLabel>("allocatorSum").text().toStdString();
    bench.at<QLineEdit>("allocatorFilter").setText(QStringLiteral("optimizer nowhere"));
    EXPECT_EQ(bench.at<QTableView>("allocatorTable").model()->rowCount(), 0);
}

TEST(Allocator, TheStackOfTheSelectedRowStaysWhileItLives) {
    Bench bench("step_protocol4.pickle");
    auto& table = bench.at<QTableView>("allocatorTable");
    auto& stack = bench.at<QListWidget>("allocatorStack");
    bench.at<QLineEdit>("allocatorFilter").setText(QStringLiteral("backward"));
    table.selectRow(0);
    ASSERT_GT(stack.count(), 1);
    const QString innermost = stack.item(0)->text();
    QTest::keyClick(&bench.at<AllocatorChart>("allocatorChart"), Qt::Key_Left);
    EXPECT_EQ(stack.item(0)->text(), innermost);
    QTest::keyClick(&bench.at<AllocatorChart>("allocatorChart"), Qt::Key_Home);
    EXPECT_TRUE(stack.item(0)->text().startsWith(QStringLiteral("Select")));
}

TEST(Allocator, TheChosenPageStaysWhileTheCursorMoves) {
    Bench bench("two_devices.pickle");
    bench.at<QTableView>("allocatorTable").selectRow(3);
    EXPECT_TRUE(bench.at<QPushButton>("allocatorPage1").isChecked());
    QTest::mouseClick(&bench.at<QPushButton>("allocatorPage0"), Qt::LeftButton);
    QTest::keyClick(&bench.at<AllocatorChart>("allocatorChart"), Qt::Key_Left);
    EXPECT_TRUE(bench.at<QPushButton>("allocatorPage0").isChecked());
    emit bench.at<QComboBox>("allocatorDevice").activated(1);
    EXPECT_TRUE(bench.at<QPushButton>("allocatorPage0").isChecked());
    EXPECT_FALSE(bench.at<QTableView>("allocatorTable").currentIndex().isValid());
    EXPECT_TRUE(bench.at<QListWidget>("allocatorStack").item(0)->text().startsWith(QStringLiteral("Select")));
}

TEST(Allocator, AHistoryWithoutFailureSaysSo) {
    Bench bench("segments_alone.pickle");
    const auto& button = bench.at<QPushButton>("allocatorToOutOfMemory");
    EXPECT_FALSE(button.isEnabled());
    EXPECT_TRUE(button.toolTip().contains(QStringLiteral("No request failed")));
    EXPECT_GT(bench.at<QTableView>("allocatorTable").model()->rowCount(), 0) << "what lived at the end";
}

TEST(Allocator, TheSegmentsFollowTheCursorAndExplainAFailure) {
    Bench bench("step_protocol4.pickle");
    const auto& picture = bench.at<SegmentsPicture>("allocatorSegments");
    EXPECT_EQ(picture.layoutShown().position, 30);
    EXPECT_EQ(picture.layoutShown().sums.reserved, reservedAt(bench.device().replay, 30));
    EXPECT_TRUE(bench.at<ToneLabel>("allocatorFailure").isHidden());
    QTest::mouseClick(&bench.at<QPushButton>("allocatorToOutOfMemory"), Qt::LeftButton);
    EXPECT_EQ(picture.layoutShown().position, bench.view.state().cursor());
    const QString failure = bench.at<ToneLabel>("allocatorFailure").text();
    EXPECT_TRUE(failure.contains(QStringLiteral("80.0 GB were asked for"))) << failure.toStdString();
    EXPECT_TRUE(failure.contains(QStringLiteral("too few"))) << failure.toStdString();
    bench.view.state().setCursor(71);
    EXPECT_EQ(picture.layoutShown().sums.largestFree, 27262976) << "as expected.json says of the end";
    EXPECT_EQ(picture.layoutShown().sums.allocated + picture.layoutShown().sums.pending, 27060224);
}

TEST(Allocator, AClickOnABlockShowsItsStackAndItsRow) {
    Bench bench("step_protocol4.pickle");
    auto& picture = bench.at<SegmentsPicture>("allocatorSegments");
    const LayoutBlock* found = nullptr;
    QPoint at;
    for (std::size_t i = 0; i < picture.layoutShown().segments.size() && !found; ++i)
        for (int x = 0; x < picture.width() && !found; x += 2) {
            at = QPoint(x, qRound(picture.rowRect(i).center().y()));
            const LayoutBlock* block = picture.blockAt(at);
            if (block && block->allocation != UINT32_MAX) found = block;
        }
    ASSERT_NE(found, nullptr);
    const std::uint32_t allocation = found->allocation;
    QTest::mouseClick(&picture, Qt::LeftButton, {}, at);
    EXPECT_TRUE(bench.at<QPushButton>("allocatorPage1").isChecked());
    const auto& table = bench.at<QTableView>("allocatorTable");
    const auto& model = *qobject_cast<const LivingModel*>(table.model());
    ASSERT_TRUE(table.currentIndex().isValid());
    EXPECT_EQ(model.row(table.currentIndex().row()), allocation);
}

TEST(Allocator, KeysGoFromBlockToBlockAndChoose) {
    Bench bench("step_protocol4.pickle");
    auto& picture = bench.at<SegmentsPicture>("allocatorSegments");
    EXPECT_EQ(picture.accessibleDescription(), bench.at<ToneLabel>("allocatorSegmentSums").text());
    const auto& segments = picture.layoutShown().segments;
    ASSERT_GE(segments.size(), 2U);
    QTest::keyClick(&picture, Qt::Key_Right);
    ASSERT_NE(picture.cardShown(), nullptr);
    EXPECT_TRUE(picture.accessibleDescription().startsWith(picture.cardShown()->title + QLatin1Char(';')));
    EXPECT_EQ(picture.cardShown()->rows.front().values.front(), bytesText(segments[0].blocks[0].bytes));
    QTest::keyClick(&picture, Qt::Key_End);
    EXPECT_EQ(picture.cardShown()->rows.front().values.front(), bytesText(segments[0].blocks.back().bytes));
    for (std::size_t i = 0; i < segments.size() + 1; ++i) QTest::keyClick(&picture, Qt::Key_Down);
    QTest::keyClick(&picture, Qt::Key_Home);
    EXPECT_EQ(picture.cardShown()->rows.front().values.front(), bytesText(segments.back().blocks[0].bytes));
    // To the first one that somebody allocated.
    std::uint32_t allocation = UINT32_MAX;
    for (std::size_t i = segments.size(); i-- > 0 && allocation == UINT32_MAX;) {
        QTest::keyClick(&picture, Qt::Key_Home);
        for (const LayoutBlock& block : segments[i].blocks) {
            if (block.allocation != UINT32_MAX) allocation = block.allocation;
            if (block.allocation != UINT32_MAX) break;
            QTest::keyClick(&picture, Qt::Key_Right);
        }
        if (allocation == UINT32_MAX) QTest::keyClick(&picture, Qt::Key_Up);
    }
    ASSERT_NE(allocation, UINT32_MAX);
    QTest::keyClick(&picture, Qt::Key_Return);
    EXPECT_TRUE(bench.at<QPushButton>("allocatorPage1").isChecked());
    const auto& table = bench.at<QTableView>("allocatorTable");
    EXPECT_EQ(qobject_cast<const LivingModel*>(table.model())->row(table.currentIndex().row()), allocation);
    QTest::mouseClick(&bench.at<QPushButton>("allocatorPage0"), Qt::LeftButton);
    bench.view.state().setCursor(71);
    EXPECT_EQ(picture.accessibleDescription(), bench.at<ToneLabel>("allocatorSegmentSums").text())
        << "other segments: none is gone on from";
}

TEST(Allocator, AnnotatedStretchesStandBelowTheChartOnItsAxis) {
    Bench bench("step_protocol4.pickle");
    auto& bands = bench.at<AllocatorBands>("allocatorBands");
    auto& chart = bench.at<AllocatorChart>("allocatorChart");
    EXPECT_TRUE(bands.isVisible());
    ASSERT_EQ(bench.device().bands.size(), 1U);
    const AnnotationBand& band = bench.device().bands.front();
    EXPECT_EQ(band.name, "Optimizer.step#AdamW.step");
    ASSERT_EQ(bands.pieces().size(), 1U);
    const BandPiece piece = bands.pieces().front();
    EXPECT_NEAR(piece.left, chart.xOf(band.from), 1e-6);
    EXPECT_GE(piece.right, piece.left + 1);
    QTest::mouseClick(&bands, Qt::LeftButton, {}, bands.rectOf(piece).center().toPoint());
    EXPECT_GE(bench.view.state().cursor(), band.from);
    bench.view.state().setCursor(-1);
    QTest::keyClick(&bands, Qt::Key_Right);
    EXPECT_EQ(bench.view.state().cursor(), band.from);
    EXPECT_TRUE(bands.accessibleDescription().contains(QStringLiteral("Optimizer.step#AdamW.step")))
        << bands.accessibleDescription().toStdString();
    ASSERT_NE(bands.cardShown(), nullptr);
    EXPECT_EQ(bands.cardShown()->title, QStringLiteral("Optimizer.step#AdamW.step"));
    QTest::keyClick(&bands, Qt::Key_Return);
    EXPECT_FALSE(chart.window().showsAll());
    chart.fitAll();
    QTest::mouseDClick(&bands, Qt::LeftButton, {}, bands.rectOf(piece).center().toPoint());
    EXPECT_FALSE(chart.window().showsAll());
    EXPECT_NE(bands.pieces().front().right, piece.right) << "the stretch follows the zoom";
}

TEST(Allocator, WithoutAnnotationsNoRoomIsLeftForThem) {
    Bench bench("two_devices.pickle");
    EXPECT_TRUE(bench.device().bands.empty());
    EXPECT_TRUE(bench.at<AllocatorBands>("allocatorBands").isHidden());
    bench.open("step_protocol4.pickle");
    EXPECT_FALSE(bench.at<AllocatorBands>("allocatorBands").isHidden());
}

TEST(Allocator, ASecondSnapshotSaysWhatGrewAndWhatIsNew) {
    Bench bench("step_protocol4.pickle");
    EXPECT_TRUE(bench.at<SegmentedControl>("allocatorLower").isHidden());
    bench.compareWith("segments_alone.pickle");
    EXPECT_TRUE(bench.compared().isVisible());
    ASSERT_GT(bench.rows().rowCount(), 0)
        << bench.at<ToneLabel>("allocatorComparedNothing").text().toStdString();
    const QString head = bench.at<ToneLabel>("allocatorComparedHead").text();
    EXPECT_TRUE(head.startsWith(QStringLiteral("From segments_alone.pickle to step_protocol4.pickle")))
        << head.toStdString();
    EXPECT_TRUE(head.contains(bytesText(bench.device().replay.peakBytes))) << head.toStdString();
    for (int key = 0; key < 5; ++key) {
        bench.click(qPrintable(QStringLiteral("allocatorComparedKey%1").arg(key)));
        const auto by = kMemoryKeyNames.at(static_cast<std::size_t>(key)).first;
        const OpenedMemory& before = *bench.baseline.content()->memory;
        const MemoryReplay& replay = before.devices().front()->replay;
        auto expected = compareMemory(by, {replay, before.sites(), replay.peakPosition},
                                      {bench.device().replay, bench.view.state().memory()->sites(),
                                       bench.device().replay.peakPosition});
        std::erase_if(expected, [](const SiteComparison& row) { return row.before == row.after; });
        ASSERT_EQ(bench.rows().rowCount(), static_cast<int>(expected.size()));
        EXPECT_EQ(bench.rows().index(0, ComparedModel::kPlace).data().toString().toStdString(),
                  expected.front().site);
        EXPECT_EQ(bench.rows().index(0, ComparedModel::kDifference).data().toString(),
                  signedBytesText(expected.front().difference()));
        EXPECT_EQ(bench.rows().index(0, ComparedModel::kWhat).data().toString(),
                  changeText(expected.front().change()));
    }
    bench.click("allocatorComparedSwap");
    EXPECT_TRUE(bench.at<ToneLabel>("allocatorComparedHead")
                    .text()
                    .startsWith(QStringLiteral("From step_protocol4.pickle to segments_alone.pickle")));
    bench.click("allocatorComparedClose");
    EXPECT_FALSE(bench.baseline.isOpen());
    EXPECT_TRUE(bench.at<QTableView>("allocatorTable").isVisible());
}

TEST(Allocator, TwoSnapshotsOfTheSameStepDifferInNothing) {
    Bench bench("step_protocol4.pickle");
    bench.compareWith("step_protocol5.pickle");
    EXPECT_EQ(bench.rows().rowCount(), 0);
    const auto& nothing = bench.at<ToneLabel>("allocatorComparedNothing");
    EXPECT_TRUE(nothing.isVisible());
    EXPECT_TRUE(nothing.text().startsWith(QStringLiteral("Nothing differs"))) << nothing.text().toStdString();
    bench.click("allocatorComparedShown1");
    EXPECT_GT(bench.rows().rowCount(), 0);
    EXPECT_FALSE(nothing.isVisible());
    bench.click("allocatorComparedAt1");
    EXPECT_GT(bench.rows().rowCount(), 0);
}

TEST(Allocator, ADeviceThatTheOtherSnapshotLacksIsSaid) {
    Bench bench("two_devices.pickle");
    bench.compareWith("step_protocol4.pickle");
    const auto& nothing = bench.at<ToneLabel>("allocatorComparedNothing");
    EXPECT_EQ(bench.rows().rowCount(), 0);
    EXPECT_TRUE(nothing.text().startsWith(QStringLiteral("step_protocol4.pickle says nothing of device 1")))
        << nothing.text().toStdString();
    emit bench.at<QComboBox>("allocatorDevice").activated(1);
    EXPECT_TRUE(nothing.text().contains(QStringLiteral("device 2"))) << nothing.text().toStdString();
    bench.compareWith("two_devices.pickle");
    ASSERT_TRUE(waitFor([&] { return !bench.compared().isComparing(); }));
    EXPECT_TRUE(nothing.text().startsWith(QStringLiteral("Nothing differs"))) << nothing.text().toStdString();
    bench.file.close();
    EXPECT_FALSE(bench.baseline.isOpen()) << "nothing is left to compare it with";
}

TEST(Allocator, OfTwoSnapshotsOpenedTogetherTheLastIsShownAndComparedWithTheFirst) {
    OpenedFiles files;
    const auto path = [](const char* name) {
        return QStringLiteral(PLUMB_TEST_DATA "/memory/") + QLatin1String(name);
    };
    EXPECT_TRUE(files.open(QStringList{path("two_devices.pickle"), path("step_protocol4.pickle")}).isEmpty());
    EXPECT_TRUE(waitFor([&] { return files.memory.isOpen() && files.memoryBaseline.isOpen(); }));
    EXPECT_TRUE(files.memory.path().endsWith(QStringLiteral("step_protocol4.pickle")));
    EXPECT_TRUE(files.memoryBaseline.path().endsWith(QStringLiteral("two_devices.pickle")));
}

TEST(Allocator, TheComparisonIsDrawnInBothThemes) {
    inBothThemes([&](Theme& theme) {
        Workbench workbench;
        OpenedAs<OpenedSnapshot> file{readOpenedSnapshot}, baseline{readOpenedSnapshot};
        AllocatorView view({workbench, theme}, file, baseline);
        file.open(QStringLiteral(PLUMB_TEST_DATA "/memory/step_protocol4.pickle"));
        baseline.open(QStringLiteral(PLUMB_TEST_DATA "/memory/segments_alone.pickle"));
        const auto& compared = *child<ComparedPanel>(view, "allocatorCompared");
        ASSERT_TRUE(waitFor([&] { return file.isOpen() && baseline.isOpen() && !compared.isComparing(); }));
        view.resize(1200, 720);
        view.show();
        const QImage image = picture(view, QStringLiteral("allocator_compared_%1").arg(themeName(theme)));
        EXPECT_GT(coloursIn(image), 8);
    });
}

TEST(Allocator, IsDrawnInBothThemes) {
    for (const char* name : {"step_protocol4.pickle", "two_devices.pickle", "segments_alone.pickle"})
        inBothThemes([&](Theme& theme) {
            Workbench workbench;
            OpenedAs<OpenedSnapshot> file{readOpenedSnapshot};
            OpenedAs<OpenedSnapshot> baseline{readOpenedSnapshot};
            AllocatorView view({workbench, theme}, file, baseline);
            file.open(QStringLiteral(PLUMB_TEST_DATA "/memory/") + QLatin1String(name));
            ASSERT_TRUE(waitFor([&] { return file.isOpen(); }));
            view.resize(1000, 640);
            view.show();
            const QImage image = picture(
                view,
                QStringLiteral("allocator_%1_%2").arg(QLatin1String(name).chopped(7), themeName(theme)));
            EXPECT_GT(coloursIn(image), 8);
        });
}

}  // namespace
}  // namespace plumb::ui::test
