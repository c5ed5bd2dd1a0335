// SPDX-License-Identifier: GPL-3.0-or-later
// An error carries its remedy as a button, which takes the error away and can
// be undone.
#include "ui/run/offered_fix.h"

#include "core/base/command_line.h"
#include "core/measure/reading.h"
#include "tests/ui/pictures.h"
#include "tests/ui/run/panel_fixture.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/fix_button.h"

namespace plumb::ui {
namespace {

using test::child;
using test::Panel;

/// The button below an error; null while it is hidden.
FixButton* fixBelow(Panel& panel, const char* name) {
    auto* button = child<FixButton>(panel.panel, name);
    return button && !button->isHidden() ? button : nullptr;
}

TEST(OfferedFix, OfASliderRowSetsItAndCanBeUndone) {
    Panel panel;
    panel.type("dimField", QStringLiteral("0"));
    EXPECT_TRUE(panel.sentence("dimError").endsWith(QLatin1Char('.')));
    EXPECT_TRUE(panel.sentence("dimError").at(0).isUpper());
    FixButton* fix = fixBelow(panel, "dimErrorFix");
    ASSERT_NE(fix, nullptr);
    EXPECT_EQ(fix->text(), QStringLiteral("Use 1"));
    EXPECT_GT(test::coloursIn(test::picture(panel.panel, QStringLiteral("offered-fix"))), 5);
    EXPECT_FALSE(fix->toolTip().isEmpty());
    QTest::mouseClick(fix, Qt::LeftButton);
    EXPECT_EQ(panel.config().dim, 1);
    EXPECT_EQ(panel.sentence("dimError"), QString());
    EXPECT_EQ(fixBelow(panel, "dimErrorFix"), nullptr);
    EXPECT_EQ(child<QLineEdit>(panel.panel, "dimField")->text().section(QChar(0x2009), 0, 0),
              QStringLiteral("1"));
    panel.history.stack().undo();
    EXPECT_EQ(panel.config().dim, RunConfig{}.dim);
}

TEST(OfferedFix, NamesWhatElseItSets) {
    Panel panel;
    RunConfig config = panel.config();
    config.batch = 256;
    config.microBatch = 64;
    ASSERT_TRUE(panel.workbench.show(config).has_value());
    panel.type("microBatchField", QStringLiteral("100"));
    EXPECT_TRUE(panel.sentence("microBatchError").contains(QStringLiteral("64")));
    FixButton* fix = fixBelow(panel, "microBatchErrorFix");
    ASSERT_NE(fix, nullptr);
    EXPECT_TRUE(fix->text().contains(QStringLiteral("64"))) << fix->text().toStdString();
    QTest::mouseClick(fix, Qt::LeftButton);
    EXPECT_EQ(panel.config().microBatchSize(), 64);
    EXPECT_EQ(panel.sentence("microBatchError"), QString());
}

TEST(OfferedFix, OfALineIsAppliedToItsField) {
    Panel panel;
    panel.type("learningRate", QStringLiteral("-1"));
    EXPECT_FALSE(panel.sentence("inputError").isEmpty());
    FixButton* fix = fixBelow(panel, "inputErrorFix");
    ASSERT_NE(fix, nullptr);
    EXPECT_TRUE(fix->text().contains(QStringLiteral("0.001"))) << fix->text().toStdString();
    QTest::mouseClick(fix, Qt::LeftButton);
    EXPECT_EQ(panel.config().effectiveLearningRate(), 0.001);
    EXPECT_EQ(panel.sentence("inputError"), QString());
    EXPECT_NE(child<QLineEdit>(panel.panel, "learningRate")->text(), QStringLiteral("-1"));
    EXPECT_TRUE(panel.panel.commitEntries());
}

// The panel is as wide as it is: what a remedy is called must not push its fields out of it.
TEST(OfferedFix, OfABudgetIsASizeAndLeavesThePanelItsWidth) {
    Panel panel;
    panel.press("checkpoint4");
    ASSERT_EQ(panel.config().recompute.kind, RecomputePolicy::Kind::Fit);
    const auto endOfFields = [&] {
        QTest::qWait(0);
        const QWidget& field = *child<QLineEdit>(panel.panel, "dimField");
        return field.mapTo(&panel.panel, QPoint(field.width(), 0)).x();
    };
    const int before = endOfFields();
    panel.type("checkpointBudget", QStringLiteral("1k"));
    EXPECT_FALSE(panel.sentence("checkpointError").isEmpty());
    FixButton* const fix = fixBelow(panel, "checkpointErrorFix");
    ASSERT_NE(fix, nullptr);
    const QString text = fix->text();
    EXPECT_TRUE(text.startsWith(QStringLiteral("Use ")) && text.endsWith(QStringLiteral("B")))
        << text.toStdString();
    EXPECT_FALSE(fix->toolTip().contains(QStringLiteral("fit:"))) << fix->toolTip().toStdString();
    EXPECT_EQ(endOfFields(), before);
    QTest::mouseClick(fix, Qt::LeftButton);
    EXPECT_EQ(panel.sentence("checkpointError"), QString());
    EXPECT_EQ(text, QStringLiteral("Use %1").arg(bytesText(panel.config().recompute.budgetBytes)));
    fix->offer(QString(200, QLatin1Char('x')), QString(), [] {});
    EXPECT_EQ(endOfFields(), before) << "whatever it says";
}

TEST(OfferedFix, IsNotThereForWhatIsNoValue) {
    Panel panel;
    panel.type("dimField", QStringLiteral("wide"));
    EXPECT_FALSE(panel.sentence("dimError").isEmpty());
    EXPECT_EQ(fixBelow(panel, "dimErrorFix"), nullptr);
    panel.type("dimField", QStringLiteral("64"));
    EXPECT_EQ(panel.sentence("dimError"), QString());
}

// What the real engine refuses for its memory is mended by the button of the banner, and undone.
TEST(OfferedFix, OfAStepThatDoesNotFitIsInTheBanner) {
    test::Shell shell;
    shell.window.engine().setCommand(QString::fromStdString(quotedWord(PLUMB_CLI) + " engine"));
    shell.window.engine().start();
    ASSERT_TRUE(test::waitFor([&] { return shell.enabled("run.run"); }));
    Workbench& workbench = shell.window.workbench();
    const RunConfig asked{.dim = 1024, .layers = 4, .batch = 1'000'000'000};
    ASSERT_TRUE(workbench.show(asked).has_value());
    shell.trigger("run.run");
    ASSERT_TRUE(test::waitFor([&] { return !shell.window.bannerText().isEmpty(); }));
    EXPECT_TRUE(shell.window.bannerText().startsWith(QStringLiteral("The step needs")))
        << shell.window.bannerText().toStdString();
    EXPECT_TRUE(shell.window.bannerText().endsWith(QLatin1Char('.')));
    const std::int64_t most =
        largestBatchThatFits(asked, workbench.traits(), *workbench.scene()->whatIf.machine().memoryBytes);
    auto* const button = test::child<QPushButton>(shell.window, "bannerButton");
    ASSERT_TRUE(button->isVisible());
    EXPECT_EQ(button->text(), QStringLiteral("Use %1").arg(countText(most)));
    EXPECT_TRUE(shell.window.bannerText().contains(countText(most))) << "the sentence says the same";
    EXPECT_GT(test::coloursIn(test::picture(shell.window, QStringLiteral("banner-fix"))), 5);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(workbench.config().batch, most);
    EXPECT_EQ(workbench.config().microBatch, asked.microBatch) << "it follows the batch";
    EXPECT_EQ(shell.window.bannerText(), QString());
    shell.trigger("edit.undo");
    EXPECT_EQ(workbench.config(), asked);
}

}  // namespace
}  // namespace plumb::ui
