// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/lab/lab_support.h"
#include "tests/ui/pictures.h"
#include "ui/lab/bit_strip.h"
#include "ui/lab/block_model.h"
#include "ui/lab/block_panel.h"
#include "ui/lab/dtype_page.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/live_panel.h"
#include "ui/lab/range_chart.h"
#include "ui/lab/tensor_page.h"
#include "ui/widgets/tone_label.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>

#include <cmath>
#include <set>

namespace plumb::ui::test {
namespace {

std::size_t rowOf(std::string_view name) {
    const auto formats = numberFormats();
    for (std::size_t i = 0; i < formats.size(); ++i)
        if (formats[i].name == name) return i;
    ADD_FAILURE() << name;
    return 0;
}

DtypeState stateOf(const char* text) {
    auto state = makeDtypeState({QString::fromLatin1(text), std::nullopt});
    EXPECT_TRUE(state.has_value()) << text;
    return std::move(state).value();
}

TEST(DtypeState, NamesUnderflowAndOverflowInWords) {
    const DtypeState small = stateOf("1e-8");
    EXPECT_EQ(small.rows[rowOf("fp16")].verdict, QStringLiteral("underflow: becomes 0"));
    EXPECT_EQ(small.rows[rowOf("fp16")].value, QStringLiteral("0"));
    EXPECT_EQ(small.rows[rowOf("bf16")].verdict, QStringLiteral("rounded"));
    const DtypeState large = stateOf("70000");
    EXPECT_EQ(large.rows[rowOf("fp16")].verdict, QStringLiteral("overflow: becomes infinity"));
    EXPECT_EQ(large.rows[rowOf("fp16")].value, QStringLiteral("∞"));
    EXPECT_EQ(large.rows[rowOf("fp8_e4m3")].verdict, QStringLiteral("overflow: becomes NaN"));
    EXPECT_EQ(large.rows[rowOf("fp4_e2m1")].verdict, QStringLiteral("overflow: saturates"));
    EXPECT_EQ(large.rows[rowOf("fp32")].verdict, QStringLiteral("exact"));
}

TEST(DtypeState, ABitTurnedOverTwiceIsTheSameCode) {
    DtypeState state = stateOf("0.1");
    for (std::size_t row = 0; row < state.rows.size(); ++row)
        for (int bit = 0; bit < state.rows[row].format.bits(); ++bit) {
            const std::uint64_t before = state.rows[row].stored.code;
            const auto once = makeDtypeState(withFlippedBit(state, row, bit));
            ASSERT_TRUE(once.has_value());
            EXPECT_EQ((*once).rows[row].stored.code, before ^ (std::uint64_t{1} << bit));
            const auto twice = makeDtypeState(withFlippedBit(*once, row, bit));
            ASSERT_TRUE(twice.has_value());
            EXPECT_EQ((*twice).rows[row].stored.code, before);
            // What that format says is what every other one is given.
            EXPECT_EQ((*twice).value, (*twice).rows[row].stored.value);
        }
}

TEST(DtypeState, KeepsTheCodeOfANanThatWasMadeBitByBit) {
    const std::size_t row = rowOf("fp16");
    const auto state = makeDtypeState(withCode(row, 0x7C01));
    ASSERT_TRUE(state.has_value());
    EXPECT_TRUE(std::isnan((*state).value));
    EXPECT_EQ((*state).rows[row].code, QStringLiteral("0x7C01"));
}

TEST(DtypeState, EveryPresetCanBeShown) {
    for (const DtypePreset& preset : dtypePresets()) EXPECT_EQ(stateOf(preset.text).rows.size(), 10U);
}

TEST(SignificantDigits, AgreeWithTheSpacingOfTheFormat) {
    for (const NumberFormat& format : numberFormats()) {
        for (double magnitude = format.leastSubnormal(); magnitude < format.largest() / 2; magnitude *= 4) {
            const auto stored = store(format, magnitude);
            ASSERT_TRUE(stored.above);
            const double spacing = *stored.above - stored.value;
            // Bits from the leading 1 to the last place.
            EXPECT_NEAR(significantDigits(format, magnitude),
                        (std::floor(std::log2(magnitude / spacing)) + 1) * std::log10(2.0), 1e-9)
                << format.name << " at " << magnitude;
        }
        EXPECT_EQ(significantDigits(format, format.leastSubnormal() / 2), 0);
        if (format.bits() < 64) {
            EXPECT_EQ(significantDigits(format, format.largest() * 2), 0);
        }
    }
}

TEST(BlockState, AgreesWithTheCoreBlockByBlock) {
    const auto state = makeBlockState(0.1, blockPreset(1));
    ASSERT_TRUE(state.has_value());
    ASSERT_EQ((*state).numbers.size(), 32U);
    for (const BlockColumn& column : (*state).columns) {
        EXPECT_EQ(column.blocks.size(), 32U / static_cast<std::size_t>(column.format.block));
        for (std::size_t i = 0; i < 32; ++i)
            EXPECT_DOUBLE_EQ(column.value(i), column.element(i).value * column.blockOf(i).scale);
    }
    EXPECT_FALSE(makeBlockState(0.1, QStringLiteral("1, two")).has_value());
    EXPECT_FALSE(makeBlockState(std::nan(""), {}).has_value());
    EXPECT_FALSE(makeBlockState(0.1, blockPreset(0) + QStringLiteral(", 1")).has_value());
    EXPECT_TRUE(makeBlockState(0.1, {}).has_value());
}

class DtypePageTest : public ::testing::Test {
protected:
    DtypePageTest() {
        page.resize(1200, 900);
        page.show();
        page.activateWindow();  // or nothing takes the focus
    }
    BitStrip& bits(const char* format) {
        return *child<BitStrip>(page, (QByteArray(format) + "Bits").constData());
    }
    QString text(const char* name) { return child<ToneLabel>(page, name)->text(); }
    QLineEdit& value() { return *child<QLineEdit>(page, "dtypeValue"); }
    void type(QLineEdit& field, const char* what, bool enter = true) {
        field.setFocus();
        field.selectAll();
        QTest::keyClicks(&field, QString::fromLatin1(what));
        if (enter) QTest::keyClick(&field, Qt::Key_Return);
    }
    LabBench bench;
    DtypePage page{bench.context()};
};

TEST_F(DtypePageTest, EveryRowFollowsWhileAValueIsTyped) {
    type(value(), "1e-8", false);
    EXPECT_EQ(text("fp16Verdict"), QStringLiteral("underflow: becomes 0"));
    EXPECT_EQ(bits("fp16").code(), 0U);
    EXPECT_NE(bits("bf16").code(), 0U);
    EXPECT_EQ(bench.history.stack().count(), 0);
    QTest::keyClick(&value(), Qt::Key_Return);
    EXPECT_EQ(bench.history.stack().count(), 1);
    bench.history.stack().undo();
    EXPECT_EQ(value().text(), QStringLiteral("0.1"));
    EXPECT_EQ(text("fp64Verdict"), QStringLiteral("errors count from it")) << "fp64 has no 0.1 either";
    bench.history.stack().redo();
    EXPECT_EQ(bits("fp16").code(), 0U);
    type(value(), "0.5", false);
    EXPECT_EQ(text("fp64Verdict"), QStringLiteral("exact"));
}

TEST_F(DtypePageTest, AClickOnABitChangesEveryRow) {
    BitStrip& strip = bits("bf16");
    const std::uint64_t before = strip.code();
    QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.cellRect(15).center().toPoint());
    EXPECT_EQ(strip.code(), before ^ 0x8000U);
    EXPECT_LT(page.state().value, 0);
    EXPECT_EQ(bits("fp32").code(), (before ^ 0x8000U) << 16U);
    bench.history.stack().undo();
    EXPECT_EQ(strip.code(), before);
}

TEST_F(DtypePageTest, BitsAreReachedAndTurnedOverByKeys) {
    BitStrip& strip = bits("fp16");
    strip.setFocus();
    QTest::keyClick(&strip, Qt::Key_End);
    EXPECT_EQ(strip.currentBit(), 0);
    const std::uint64_t before = strip.code();
    QTest::keyClick(&strip, Qt::Key_Space);
    EXPECT_EQ(strip.code(), before ^ 1U);
    QTest::keyClick(&strip, Qt::Key_Left);
    EXPECT_EQ(strip.currentBit(), 1);
    QTest::keyClick(&strip, Qt::Key_Home);
    EXPECT_EQ(strip.currentBit(), 15);
    QTest::keyClick(&strip, Qt::Key_1);
    EXPECT_EQ(strip.code() >> 15U, 1U);
    EXPECT_EQ(strip.currentBit(), 14);
    QTest::keyClick(&strip, Qt::Key_Down);
    EXPECT_EQ(page.focusWidget(), &bits("bf16"));
    QTest::keyClick(&bits("bf16"), Qt::Key_Up);
    EXPECT_EQ(page.focusWidget(), &strip);
}

TEST_F(DtypePageTest, TakesACodeInHexadecimalAndRefusesABadOneAtTheField) {
    auto& code = *child<QLineEdit>(page, "fp16Code");
    type(code, "0x7BFF");
    EXPECT_EQ(page.state().value, 65504);
    EXPECT_EQ(value().text(), QStringLiteral("65504"));
    type(code, "0x12345");
    EXPECT_TRUE(text("dtypeNote").contains(QStringLiteral("Too many bits for fp16")));
    EXPECT_EQ(page.state().value, 65504);
    EXPECT_EQ(code.text(), QStringLiteral("0x7BFF"));
}

TEST_F(DtypePageTest, SaysAtTheFieldWhatCannotBeReadAndGreysTheRows) {
    type(value(), "banana");
    EXPECT_TRUE(text("dtypeNote").contains(QStringLiteral("banana")));
    EXPECT_FALSE(child<QWidget>(page, "dtypeTable")->isEnabled());
    EXPECT_EQ(bench.history.stack().count(), 0);
    type(value(), "1/3");
    EXPECT_TRUE(child<QWidget>(page, "dtypeTable")->isEnabled());
    EXPECT_DOUBLE_EQ(page.state().value, 1.0 / 3);
}

TEST_F(DtypePageTest, PresetsBlocksAndTheClipboardFollowTheValue) {
    QTest::mouseClick(child<QPushButton>(page, "dtypePreset 70000"), Qt::LeftButton);
    EXPECT_EQ(page.state().value, 70000);
    EXPECT_EQ(child<BlockPanel>(page, "blockPanel")->state().numbers.front(), 70000);
    QTest::mouseClick(child<QPushButton>(page, "dtypeCopy"), Qt::LeftButton);
    const QString copied = QApplication::clipboard()->text();
    EXPECT_EQ(copied.count(QLatin1Char('\n')), 11);
    EXPECT_TRUE(copied.contains(QStringLiteral("overflow: becomes infinity")));
}

TEST_F(DtypePageTest, NeighboursAreCheckedUndoneAndKept) {
    auto& field = *child<QLineEdit>(page, "blockNeighbours");
    type(field, "1 2 x");
    EXPECT_TRUE(text("blockNote").contains(QStringLiteral("x")));
    type(field, "1, 2, 4");
    EXPECT_EQ(child<BlockPanel>(page, "blockPanel")->state().numbers.size(), 4U);
    EXPECT_EQ(bench.settings.lab().neighbours, QStringLiteral("1, 2, 4"));
    const LabSettings kept = bench.settings.lab();
    DtypePage again(bench.context());
    EXPECT_EQ(child<BlockPanel>(again, "blockPanel")->neighbours(), kept.neighbours);
    EXPECT_EQ(again.input().text, kept.value);
}

TEST_F(DtypePageTest, FitsBesideTheLessonsWithoutScrollingSideways) {
    const auto fits = [&](int width) {
        page.resize(width, 700);
        page.show();
        QCoreApplication::processEvents();
        const auto& scroll = *child<QScrollArea>(page, "dtypeScroll");
        return waitFor([&] { return scroll.horizontalScrollBar()->maximum() == 0; });
    };
    type(value(), "0.1");
    for (const int width : {760, 800, 900, 960, 1200}) EXPECT_TRUE(fits(width)) << width;
    EXPECT_TRUE(waitFor([&] { return child<QWidget>(page, "fp16Above")->isVisible(); }));
    EXPECT_TRUE(fits(760));
    EXPECT_TRUE(waitFor([&] { return !child<QWidget>(page, "fp16Above")->isVisible(); }));
    EXPECT_TRUE(child<QWidget>(page, "fp16Stored")->toolTip().contains(QStringLiteral("between 0.09991")));
    EXPECT_TRUE(child<QWidget>(page, "dtypePreset 1e-8")->isVisible());
}

TEST_F(DtypePageTest, TheBlockTableIsASoundModel) {
    auto* table = child<QTableView>(page, "blockTable");
    const QAbstractItemModelTester tester(table->model(),
                                          QAbstractItemModelTester::FailureReportingMode::Warning);
    type(value(), "3.7");
    EXPECT_EQ(table->model()->rowCount(), BlockModel::kSummaryRows + 32);
    EXPECT_EQ(table->model()->index(BlockModel::kSummaryRows, 0).data(BlockModel::kRawRole).toDouble(), 3.7);
    for (int row = 0; row < table->model()->rowCount(); ++row)
        for (int column = 0; column < table->model()->columnCount(); ++column)
            EXPECT_FALSE(table->model()->index(row, column).data().toString().isEmpty());
}

// A row of fields breaks where it has too little room: it must not when an error makes the page higher.
TEST(LabView, PagesAreNoNarrowerWhereTheyScroll) {
    LabBench bench;
    LabView view(bench.context());
    view.setPage(1);
    const auto* const page = child<TensorPage>(view, "tensorPage");
    view.resize(1200, 1600);
    view.show();
    QCoreApplication::processEvents();
    const int wide = page->width();
    view.resize(1200, 300);
    QCoreApplication::processEvents();
    EXPECT_EQ(page->width(), wide);
}

TEST(LabView, DrawsInBothThemesAtTwoSizes) {
    std::vector<float> values;
    for (int i = 1; i < 4000; ++i)
        values.push_back(1e-6F * std::sin(static_cast<float>(i)) / static_cast<float>(i % 37 + 1));
    const TensorInspection inspection{.role = TensorRole::Gradient,
                                      .layer = 2,
                                      .steps = 40,
                                      .rows = 3999,
                                      .columns = 1,
                                      .histogram = histogramOf(values)};
    inBothThemes([&](const Theme& theme) {
        LabBench bench;
        bench.theme.setMode(theme.mode());
        for (const QSize size : {QSize(1310, 1010), QSize(940, 640)}) {
            LabView view(bench.context());
            view.setAutoFillBackground(true);
            view.resize(size);
            view.show();
            for (int page = 0; page < LabView::pageIds().size(); ++page) {
                view.setPage(page);
                child<LivePanel>(view, "livePanel")->showInspection(inspection);
                for (const int part : {0, 1, 2}) {
                    if (page == 0)
                        QTest::mouseClick(
                            child<QPushButton>(view, ("dtypePart" + QByteArray::number(part)).constData()),
                            Qt::LeftButton);
                    else if (part > 0)
                        continue;
                    QTest::qWait(1);  // sizes that follow from texts are settled by the event loop
                    const QImage image = picture(view, QStringLiteral("lab-%1-%2-%3-%4")
                                                           .arg(LabView::pageIds().at(page))
                                                           .arg(part)
                                                           .arg(themeName(theme))
                                                           .arg(size.width()));
                    EXPECT_GT(coloursIn(image), 20);
                }
            }
        }
    });
}

}  // namespace
}  // namespace plumb::ui::test
