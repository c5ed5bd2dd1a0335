// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/lab/lab_support.h"
#include "ui/lab/tensor_model.h"
#include "ui/lab/tensor_page.h"
#include "ui/lab/tensor_picture.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/tone_label.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <set>

namespace plumb::ui::test {
namespace {

TensorState stateOf(const QString& shape, const QString& steps, const Machine& host = {}) {
    return makeTensorState({shape, steps, Dtype::Fp32, QString(), QStringLiteral("pcie5")}, host, {});
}

TEST(TensorState, EveryPresetHoldsAndOnlyThoseThatSaySoFail) {
    int failing = 0;
    for (const TensorPreset& preset : tensorPresets()) {
        const TensorState state =
            stateOf(QString::fromLatin1(preset.shape), QString::fromLatin1(preset.steps));
        ASSERT_TRUE(state.valid()) << preset.title;
        EXPECT_EQ(state.rows.size(), state.steps.size() + 1);
        if (state.chain.failure) ++failing;
    }
    EXPECT_EQ(failing, 1) << "the transpose that cannot be viewed";
}

TEST(TensorState, SaysInTorchsWordsWhyAViewFails) {
    const TensorState state =
        stateOf(QStringLiteral("4, 6"), QStringLiteral(".transpose(0, 1).view(-1).triu()"));
    ASSERT_EQ(state.rows.size(), 4U);
    EXPECT_TRUE(state.rows[1].failure.isEmpty());
    EXPECT_TRUE(state.rows[2].failure.contains(
        QStringLiteral("view size is not compatible with input tensor's size and stride")));
    EXPECT_FALSE(state.rows[3].reached);
    EXPECT_EQ(state.reachedRows(), 2);
    EXPECT_EQ(state.name(3), QStringLiteral("x.transpose(0, 1)"));
}

TEST(TensorState, PricesACopyAtTheMemorysRateAndNothingWhereItIsNotKnown) {
    Machine host;
    host.name = "host";
    host.bandwidthBytesPerSecond = 1e9;
    const QString steps = QStringLiteral(".transpose(0, 1).contiguous()");
    const TensorState state = stateOf(QStringLiteral("100, 100"), steps, host);
    EXPECT_EQ(state.rows[1].cost, QString());
    EXPECT_EQ(state.rows[2].cost, QStringLiteral("80.0 kB · 80.0 µs"));  // read and written
    EXPECT_EQ(stateOf(QStringLiteral("100, 100"), steps).rows[2].cost, QStringLiteral("80.0 kB"));
}

TEST(TensorState, ShowsAnswersWritesAndTheValuesOfSmallTensors) {
    TensorInput input;
    input.shape = QStringLiteral("2, 3");
    input.steps = QStringLiteral("x[:, 1:] += 10");
    TensorState state = makeTensorState(input, Machine{}, {});
    ASSERT_EQ(state.rows.size(), 3U);
    EXPECT_EQ(state.rows[2].memory, QStringLiteral("written into storage 0"));
    EXPECT_EQ(state.rows[2].cost, QStringLiteral("32 B"));
    EXPECT_TRUE(state.rows[0].toolTip.contains(QStringLiteral("values [[0, 1, 2], [3, 4, 5]]")))
        << state.rows[0].toolTip.toStdString();
    EXPECT_TRUE(state.rows[0].toolTip.contains(QStringLiteral("after all steps [[0, 11, 12], [3, 14, 15]]")));
    EXPECT_TRUE(state.rows[2].toolTip.contains(QStringLiteral("values [[11, 12], [14, 15]]")));
    input.steps = QStringLiteral(".T.stride()");
    state = makeTensorState(input, Machine{}, {});
    EXPECT_EQ(state.rows[2].memory, QStringLiteral("(1, 3)"));
    input.shape = QStringLiteral("4096, 4096");
    EXPECT_FALSE(makeTensorState(input, Machine{}, {}).rows[0].toolTip.contains(QStringLiteral("values")));
}

TEST(TensorState, ReadsShapesAsPeopleWriteThem) {
    const std::vector<std::int64_t> wanted{4, 6};
    for (const char* text : {"4, 6", "[4, 6]", "(4,6)", "4 6", "4x6", " 4 × 6 "}) {
        const auto shape = parseShape(QString::fromUtf8(text));
        ASSERT_TRUE(shape.has_value()) << text;
        EXPECT_EQ(*shape, wanted) << text;
    }
    EXPECT_FALSE(parseShape(QStringLiteral("4, six")).has_value());
    EXPECT_FALSE(stateOf(QStringLiteral("1e9, 1e9, 1e9, 1e9"), {}).shapeError.isEmpty());
    EXPECT_FALSE(stateOf(QStringLiteral("4"), QStringLiteral(".fly()")).stepsError.isEmpty());
}

TEST(TensorPicture, DrawsAnElementOnceInTheGridAndWhereItLiesInTheStorage) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    TensorPicture picture(theme);
    picture.resize(500, 400);
    picture.show();
    for (const char* steps :
         {"", ".transpose(0, 1)", "[1:, ::2]", ".view(2, 2, 6)", "[0]", ".unsqueeze(0).expand(3, 4, 6)"}) {
        const TensorState state = stateOf(QStringLiteral("4, 6"), QString::fromLatin1(steps));
        ASSERT_FALSE(state.chain.failure) << steps;
        const lab::TensorLayout& layout = state.chain.last();
        picture.showTensor(layout, QStringLiteral("x"));
        EXPECT_TRUE(picture.leftOut().isEmpty()) << steps;
        std::vector<QRectF> cells;
        for (std::int64_t i = 0; i < layout.elements(); ++i) {
            std::vector<std::int64_t> indices(layout.rank());
            std::int64_t rest = i;
            for (std::size_t d = layout.rank(); d-- > 0;) {
                indices[d] = rest % layout.shape[d];
                rest /= layout.shape[d];
            }
            const auto cell = picture.gridCell(indices);
            ASSERT_TRUE(cell) << steps << " element " << i;
            for (const QRectF& other : cells)
                EXPECT_FALSE(cell->intersects(other.adjusted(0.1, 0.1, -0.1, -0.1)));
            cells.push_back(*cell);
            EXPECT_TRUE(QRectF(picture.rect()).contains(*cell));
        }
        for (std::int64_t position = 0; position < layout.storageElements; ++position)
            EXPECT_TRUE(picture.storageCell(position));
    }
}

TEST(TensorPicture, SaysWhatOfALargeTensorIsNotDrawn) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    TensorPicture picture(theme);
    picture.resize(500, 400);
    const auto big = lab::newTensor({8192, 4096});
    ASSERT_TRUE(big.has_value());
    picture.showTensor(*big, QStringLiteral("x"));
    EXPECT_TRUE(picture.leftOut().contains(QStringLiteral("33554432")));
    const auto none = lab::newTensor({4, 0});
    ASSERT_TRUE(none.has_value());
    picture.showTensor(*none, QStringLiteral("x"));
    EXPECT_FALSE(picture.grab().isNull());
}

class TensorPageTest : public ::testing::Test {
protected:
    TensorPageTest() {
        page.resize(1200, 800);
        page.show();
        page.activateWindow();
    }
    QString text(const char* name) { return child<ToneLabel>(page, name)->text(); }
    QTableView& table() { return *child<QTableView>(page, "tensorStepTable"); }
    TensorPicture& picture() { return *child<TensorPicture>(page, "tensorPicture"); }
    void type(const char* name, const char* what) {
        auto* field = child<QLineEdit>(page, name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QString::fromLatin1(what));
        QTest::keyClick(field, Qt::Key_Return);
    }
    void choose(const char* name, int index) {
        auto* box = child<QComboBox>(page, name);
        box->setCurrentIndex(index);
        emit box->activated(index);
    }
    LabBench bench;
    TensorPage page{bench.context()};
};

TEST_F(TensorPageTest, StepsAreTypedAddedEditedMovedAndRemoved) {
    const QAbstractItemModelTester tester(table().model(),
                                          QAbstractItemModelTester::FailureReportingMode::Warning);
    type("tensorSteps", "[1:, ::2].transpose(0, 1)");
    ASSERT_EQ(page.state().rows.size(), 3U);
    EXPECT_EQ(page.state().rows[1].shape, QStringLiteral("[3, 3]"));
    EXPECT_EQ(page.state().rows[1].offset, QStringLiteral("6"));
    EXPECT_EQ(page.currentRow(), 2);
    choose("tensorAdd", child<QComboBox>(page, "tensorAdd")->findText(QStringLiteral(".contiguous()")));
    EXPECT_EQ(page.input().steps, QStringLiteral("[1:, ::2].transpose(0, 1).contiguous()"));
    EXPECT_EQ(page.currentRow(), 3);
    QTest::mouseClick(child<QPushButton>(page, "tensorUp"), Qt::LeftButton);
    EXPECT_EQ(page.input().steps, QStringLiteral("[1:, ::2].contiguous().transpose(0, 1)"));
    table().model()->setData(table().model()->index(1, 0), QStringLiteral("[2:]"), Qt::EditRole);
    ASSERT_TRUE(waitFor([&] { return page.input().steps.startsWith(QStringLiteral("[2:]")); }));
    table().setCurrentIndex(table().model()->index(2, 0));
    QTest::keyClick(&table(), Qt::Key_Delete);
    EXPECT_EQ(page.input().steps, QStringLiteral("[2:].transpose(0, 1)"));
    for (int i = 0; i < 5; ++i) bench.history.stack().undo();
    EXPECT_EQ(page.input().steps, QStringLiteral(".transpose(0, 1)"));
}

TEST_F(TensorPageTest, AFailingStepSaysWhyAndTheOnesBeforeItStayInSight) {
    choose("tensorPresets", 2);
    EXPECT_TRUE(text("tensorFailure").contains(QStringLiteral("view size is not compatible")));
    EXPECT_TRUE(child<ToneLabel>(page, "tensorFailure")->isVisible());
    type("tensorSteps", ".transpose(0, 1).reshape(-1)");
    EXPECT_FALSE(child<ToneLabel>(page, "tensorFailure")->isVisible());
    EXPECT_TRUE(page.state().rows[2].memory.startsWith(QStringLiteral("copies")));
}

TEST_F(TensorPageTest, SaysAtTheFieldWhatCannotBeRead) {
    type("tensorShape", "4, six");
    EXPECT_TRUE(text("tensorError").contains(QStringLiteral("six")));
    EXPECT_EQ(page.input().shape, QStringLiteral("4, 6"));
    type("tensorShape", "2, 3, 4");
    EXPECT_FALSE(child<ToneLabel>(page, "tensorError")->isVisible());
    type("tensorSteps", ".fly()");
    EXPECT_TRUE(child<ToneLabel>(page, "tensorError")->isVisible());
    EXPECT_EQ(page.input().shape, QStringLiteral("2, 3, 4"));
    auto* fix = child<FixButton>(page, "tensorErrorFix");
    type("tensorSteps", ".zzzzzz()");
    EXPECT_FALSE(fix->isVisible()) << "nothing is near";
    type("tensorSteps", "[1:].tranpose(0, 1)");
    ASSERT_TRUE(fix->isVisible());
    EXPECT_EQ(fix->text(), QStringLiteral("Use [1:].transpose(0, 1)"));
    QTest::mouseClick(fix, Qt::LeftButton);
    EXPECT_EQ(page.input().steps, QStringLiteral("[1:].transpose(0, 1)"));
    EXPECT_FALSE(fix->isVisible());
}

TEST_F(TensorPageTest, PointingAtAnElementWorksOutItsAddress) {
    type("tensorSteps", ".transpose(0, 1)");
    picture().setFocus();
    const auto cell = picture().gridCell({2, 1});
    ASSERT_TRUE(cell);
    QTest::mouseClick(&picture(), Qt::LeftButton, {}, cell->center().toPoint());
    EXPECT_EQ(picture().chosen(), (std::vector<std::int64_t>{2, 1}));
    EXPECT_TRUE(text("tensorAddress").contains(QStringLiteral("= 8"))) << text("tensorAddress").toStdString();
    EXPECT_TRUE(text("tensorAddress").contains(QStringLiteral("32 B")));
    QTest::keyClick(&picture(), Qt::Key_Right);
    EXPECT_EQ(picture().chosen(), (std::vector<std::int64_t>{2, 2}));
    QTest::keyClick(&picture(), Qt::Key_Down);
    EXPECT_EQ(picture().chosen(), (std::vector<std::int64_t>{3, 2}));
    QTest::keyClick(&picture(), Qt::Key_End);
    EXPECT_EQ(picture().chosen(), (std::vector<std::int64_t>{5, 3}));
    QTest::keyClick(&picture(), Qt::Key_Right);
    EXPECT_EQ(picture().chosen(), (std::vector<std::int64_t>{5, 3})) << "there is nothing beyond";
    // A place in the line of memory leads back to its element.
    const auto place = picture().storageCell(8);
    ASSERT_TRUE(place);
    QTest::mouseClick(&picture(), Qt::LeftButton, {}, place->center().toPoint());
    EXPECT_EQ(picture().chosen(), (std::vector<std::int64_t>{2, 1}));
}

TEST_F(TensorPageTest, TheBusPricesTheWayToTheGpu) {
    type("tensorShape", "1e6");
    type("tensorSteps", ".cuda()");
    const QString slow = page.state().rows[1].cost;
    choose("tensorBus", 1);  // PCIe 3.0
    EXPECT_NE(page.state().rows[1].cost, slow);
    EXPECT_TRUE(page.state().rows[1].memory.contains(QStringLiteral("on the GPU")));
    TensorPage again(bench.context());
    EXPECT_EQ(again.input(), page.input());
}

}  // namespace
}  // namespace plumb::ui::test
