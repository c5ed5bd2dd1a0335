// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_style.h"
#include "tests/ui/lab/lab_support.h"
#include "ui/charts/chart_panel.h"
#include "ui/lab/einsum_page.h"
#include "ui/theme/translations.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/tone_label.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QTextLayout>

#include <algorithm>

namespace plumb::ui::test {
namespace {

Machine roundDevice() {
    return Machine{.id = "round",
                   .name = "Round",
                   .backend = "cuda",
                   .bandwidthBytesPerSecond = 1e12,
                   .peakFlopPerSecond = {{Dtype::Fp32, 1e13}, {Dtype::Bf16, 1e14}},
                   .source = "test"};
}

EinsumState einsumStateOf(const char* text, const DimensionSizes& sizes = {}, Dtype dtype = Dtype::Bf16) {
    return makeEinsumState({QString::fromLatin1(text), sizes, dtype, QStringLiteral("round")},
                           {roundDevice()});
}

TEST(EinsumState, AMatrixProductIsCountedAsTheCoreCountsIt) {
    const EinsumState state =
        einsumStateOf("batch in, in out -> batch out", {{"batch", 64}, {"in", 128}, {"out", 256}});
    ASSERT_TRUE(state.valid());
    EXPECT_EQ(state.cost.flops, 2LL * 64 * 128 * 256);
    EXPECT_EQ(state.cost.bytes, 2LL * (64 * 128 + 128 * 256 + 64 * 256));
    ASSERT_TRUE(state.bound);
    EXPECT_DOUBLE_EQ(state.bound->balance, 100);
    ASSERT_EQ(state.gradients.size(), 2);
    EXPECT_TRUE(state.order.isEmpty());
    EXPECT_EQ(state.dimensions.size(), 3U);
}

TEST(EinsumState, NoPointLiesAboveTheRoof) {
    const EinsumState state = einsumStateOf("a b, b c -> a c");
    int ladder = 0, own = 0, gradients = 0;
    for (const EinsumPoint& point : state.points) {
        EXPECT_LE(point.rate, 1e14 * (1 + 1e-9));
        EXPECT_LE(point.rate, point.intensity * 1e12 * (1 + 1e-9));
        ladder += point.kind == EinsumPoint::Kind::Ladder ? 1 : 0;
        own += point.kind == EinsumPoint::Kind::Expression ? 1 : 0;
        gradients += point.kind == EinsumPoint::Kind::Gradient ? 1 : 0;
    }
    EXPECT_EQ(own, 1);
    EXPECT_EQ(gradients, 2);
    EXPECT_GE(ladder, 5);
}

TEST(EinsumState, ADeviceWithoutTheDtypeGivesAReasonAndNoPoint) {
    const EinsumState state = einsumStateOf("a b, b c -> a c", {}, Dtype::Fp8E4M3);
    ASSERT_TRUE(state.valid());
    EXPECT_FALSE(state.bound);
    EXPECT_FALSE(state.whyNoBound.isEmpty());
    EXPECT_TRUE(state.points.isEmpty());
    EXPECT_GT(state.cost.flops, 0);
}

TEST(EinsumState, FindsTheBestOrderOfThree) {
    const EinsumState state =
        einsumStateOf("a b, b c, c d -> a d", {{"a", 4096}, {"b", 16}, {"c", 4096}, {"d", 16}});
    ASSERT_EQ(state.order.size(), 2);
    EXPECT_TRUE(state.orderNote.contains(QStringLiteral("times as many")));
}

TEST(EinsumState, BadExpressionsSayWhyAndShowNothing) {
    for (const char* text : {"", "a b, b c -> z", "a b -> z", "a b -> a a", "a (b -> a b", "fly: a b"}) {
        const EinsumState state = einsumStateOf(text);
        if (state.valid()) {
            ADD_FAILURE() << "accepted: " << text;
            continue;
        }
        EXPECT_TRUE(state.figures.isEmpty());
        EXPECT_TRUE(state.points.isEmpty());
    }
    EXPECT_FALSE(
        einsumStateOf("a b, b c -> a c", {{"a", 4'000'000'000}, {"b", 4'000'000'000}, {"c", 4'000'000'000}})
            .valid());
}

TEST(EinsumState, EveryPresetIsValidAndItsSizesReadBack) {
    EXPECT_GE(einsumPresets().size(), 10U);
    for (const EinsumPreset& preset : einsumPresets()) {
        const EinsumState state = makeEinsumState(
            {preset.text, preset.sizes, Dtype::Bf16, QStringLiteral("round")}, {roundDevice()});
        EXPECT_TRUE(state.valid()) << preset.title.toStdString() << ": " << state.error.toStdString();
        EXPECT_EQ(sizesFromText(sizesText(preset.sizes)), preset.sizes);
        EXPECT_FALSE(state.loops.isEmpty());
    }
}

TEST(EinsumMeasurement, IsDrawnOnTheDeviceWhereItRanAndForOneLoopNestOnly) {
    const EinsumInput product{QStringLiteral("m k, k n -> m n"),
                              {{"m", 64}, {"k", 64}, {"n", 64}},
                              Dtype::Fp32,
                              QStringLiteral("round")};
    const Machine device = roundDevice();
    const EinsumState state = makeEinsumState(product, {device});
    EinsumMeasurement measured{product, {}, device};
    measured.result.median = 1e-3;
    EXPECT_TRUE(measured.isOf(product));
    ASSERT_TRUE(measured.rateOn(device, state).has_value());
    EXPECT_DOUBLE_EQ(*measured.rateOn(device, state), static_cast<double>(state.cost.flops) / 1e-3);
    Machine other = device;
    other.id = "other";
    EXPECT_FALSE(measured.rateOn(other, state).has_value());
    EinsumInput half = product;
    half.dtype = Dtype::Bf16;
    EXPECT_FALSE(measured.isOf(half));
    half = product;
    half.device = QStringLiteral("other");
    EXPECT_TRUE(measured.isOf(half)) << "it is compared with another device";
    EinsumState chain = state;
    chain.workFlops = state.cost.flops / 2;
    EXPECT_FALSE(measured.rateOn(device, chain).has_value()) << "it ran in the best order";
}

class EinsumPageTest : public ::testing::Test {
protected:
    EinsumPageTest() {
        EXPECT_TRUE(bench.workbench.show({roundDevice(), cpuTraits()}).has_value());
        page = std::make_unique<EinsumPage>(bench.context());
        page->resize(1200, 800);
        page->show();
        page->activateWindow();
        choose("einsumDevice", 0);
    }
    void type(QLineEdit* field, const char* what) {
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QString::fromLatin1(what));
        QTest::keyClick(field, Qt::Key_Return);
    }
    void type(const char* name, const char* what) { type(child<QLineEdit>(*page, name), what); }
    void choose(const char* name, int index) {
        auto* box = child<QComboBox>(*page, name);
        box->setCurrentIndex(index);
        emit box->activated(index);
    }
    LabBench bench;
    std::unique_ptr<EinsumPage> page;
};

TEST_F(EinsumPageTest, TheSizesFollowTheExpressionAndAreKept) {
    type("einsumText", "m k, k n -> m n");
    EXPECT_TRUE(child<SizeField>(*page, "einsumSize m")->isVisible());
    EXPECT_FALSE(child<SizeField>(*page, "einsumSize batch")->isVisible());
    type("einsumSize k", "4Ki");
    EXPECT_EQ(page->input().sizes.at("k"), 4096);
    EXPECT_EQ(page->state().cost.points, 256LL * 4096 * 256);
    type("einsumText", "batch k -> batch");
    EXPECT_EQ(page->state().dimensions.size(), 2U);
    EXPECT_EQ(page->input().sizes.at("k"), 4096);
    bench.history.stack().undo();
    EXPECT_EQ(page->input().text, QStringLiteral("m k, k n -> m n"));
    const EinsumPage again(bench.context());
    EXPECT_EQ(again.input(), page->input());
}

TEST_F(EinsumPageTest, SaysAtTheFieldWhatIsWrong) {
    const EinsumInput before = page->input();
    type("einsumText", "a b, c -> d");
    EXPECT_TRUE(child<ToneLabel>(*page, "einsumError")->isVisible());
    EXPECT_FALSE(child<QWidget>(*page, "einsumSplit")->isEnabled());
    EXPECT_EQ(page->input(), before);
    type("einsumText", "maen: a b -> a");
    auto* fix = child<FixButton>(*page, "einsumErrorFix");
    ASSERT_TRUE(fix->isVisible());
    QTest::mouseClick(fix, Qt::LeftButton);
    EXPECT_EQ(page->input().text, QStringLiteral("mean: a b -> a"));
    EXPECT_FALSE(fix->isVisible());
    type("einsumText", "a b -> a");
    EXPECT_FALSE(child<ToneLabel>(*page, "einsumError")->isVisible());
    type("einsumSize a", "0");
    EXPECT_TRUE(child<ToneLabel>(*page, "einsumError")->isVisible());
    EXPECT_EQ(page->input().sizes.count("a"), 0U);
}

TEST_F(EinsumPageTest, APointOfTheLadderCanBeTaken) {
    const auto& points = page->state().points;
    const auto ladder = std::find_if(points.begin(), points.end(), [](const EinsumPoint& point) {
        return point.kind == EinsumPoint::Kind::Ladder;
    });
    ASSERT_NE(ladder, points.end());
    const QString text = ladder->text;
    auto* chart = child<ChartPanel>(*page, "einsumRoofline");
    QTest::mouseClick(child<QAbstractScrollArea>(*chart, "chartCanvas")->viewport(), Qt::LeftButton, {},
                      chart->toPixel({ladder->intensity, ladder->rate}).toPoint());
    EXPECT_NE(page->input().text, QStringLiteral("batch in, in out -> batch out"));
    bench.history.stack().undo();
    EXPECT_EQ(page->input().text, QStringLiteral("batch in, in out -> batch out"));
}

TEST_F(EinsumPageTest, AGradientBecomesTheExpressionAndAllCanBeCopied) {
    auto* table = child<QTableView>(*page, "einsumGradients");
    emit table->activated(table->model()->index(1, 0));
    EXPECT_EQ(page->input().text,
              page->state().expression.inputs.size() == 2 ? page->input().text : QString());
    EXPECT_NE(page->input().text, QStringLiteral("batch in, in out -> batch out"));
    QTest::mouseClick(child<QPushButton>(*page, "einsumCopy"), Qt::LeftButton);
    EXPECT_TRUE(QApplication::clipboard()->text().contains(QStringLiteral("FLOP")));
    EXPECT_FALSE(child<QPlainTextEdit>(*page, "einsumLoops")->toPlainText().isEmpty());
}

TEST_F(EinsumPageTest, ASizeTakesGroupsByEitherMarkAndSaysWhenItMayBeTwo) {
    const NumberStyle before = numberStyle();
    auto* const field = child<SizeField>(*page, "einsumSize in");
    for (const char* decimal : {".", ","}) {
        setNumberStyle({.decimal = decimal});
        for (const char* typed : {"2,048", "2.048", "2 048"}) {
            type(field, "64");
            type(field, typed);
            EXPECT_EQ(page->input().sizes.at("in"), 2048) << typed << " with " << decimal;
        }
    }
    type(field, "2,000");
    EXPECT_EQ(page->input().sizes.at("in"), 2048);
    EXPECT_EQ(child<QLabel>(*page, "einsumError")->text().toStdString(),
              "\"2,000\" can be read as two numbers: write 2 or 2\u2009000.");
    setNumberStyle(before);
}

TEST_F(EinsumPageTest, ItsLettersOfOneWidthFollowTheSizeThatIsChosenForAll) {
    const QFont before = QApplication::font();
    QFont large = before;
    large.setPointSizeF(1.5 * before.pointSizeF());
    QApplication::setFont(large);
    const EinsumPage other(bench.context());
    EXPECT_EQ(child<QLineEdit>(other, "einsumText")->font().pointSizeF(), large.pointSizeF());
    EXPECT_EQ(child<QPlainTextEdit>(other, "einsumLoops")->font().pointSizeF(), large.pointSizeF());
    QApplication::setFont(before);
}

// Another font has the letters of a name that ours has not, with a higher line.
TEST_F(EinsumPageTest, AFigureStandsOnTheLineOfItsName) {
    Translations translations(*qApp);
    translations.use(Language::SimplifiedChinese);
    EinsumPage chinese(bench.context());
    chinese.resize(1200, 800);
    chinese.show();
    QCoreApplication::processEvents();
    const auto baseline = [&](const QLabel& label) {
        QTextLayout text(label.text(), label.font());
        text.beginLayout();
        QTextLine line = text.createLine();
        line.setLineWidth(QWIDGETSIZE_MAX);
        text.endLayout();
        return label.mapTo(&chinese, QPoint()).y() + label.contentsMargins().top() + qRound(line.ascent());
    };
    for (int row = 0; row < 4; ++row) {
        const QByteArray number = QByteArray::number(row);
        const auto* const value = child<QLabel>(chinese, ("einsumFigure" + number).constData());
        const auto* const formula = child<QLabel>(chinese, ("einsumFormula" + number).constData());
        EXPECT_EQ(formula->alignment() & Qt::AlignVertical_Mask, Qt::AlignTop);
        EXPECT_EQ(baseline(*value), baseline(*formula)) << row;
        const auto others =
            value->parentWidget()->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly);
        const auto name = std::ranges::find_if(others, [&](const QLabel* label) {
            return label->objectName().isEmpty() && label->isVisible() &&
                   std::abs(label->geometry().center().y() - value->geometry().center().y()) <
                       value->height() / 2;
        });
        ASSERT_NE(name, others.end()) << row;
        EXPECT_EQ(baseline(**name), baseline(*value)) << row;
    }
}

TEST_F(EinsumPageTest, RowsOfTheCostsAreNoHigherThanTheirTexts) {
    page->resize(600, 500);
    QApplication::processEvents();
    page->resize(1600, 900);
    const int line = QFontMetrics(page->font()).lineSpacing();
    for (const char* row : {"einsumFormula1", "einsumFormula6"})
        EXPECT_TRUE(waitFor([&] { return child<QLabel>(*page, row)->height() < 2 * line; })) << row;
}

}  // namespace
}  // namespace plumb::ui::test
