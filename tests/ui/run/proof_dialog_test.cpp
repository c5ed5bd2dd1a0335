// SPDX-License-Identifier: GPL-3.0-or-later
// The largest batch is proved with the real engine, and what came of it is shown and kept.
#include "ui/run/proof_dialog.h"

#include "core/base/command_line.h"
#include "tests/ui/pictures.h"
#include "tests/ui/run/panel_fixture.h"
#include "tests/ui/shell/shell_fixture.h"

#include <QProgressBar>

namespace plumb::ui {
namespace {

using test::child;
using test::Panel;
using test::Shell;
using test::waitFor;

QString realEngine() { return QString::fromStdString(quotedWord(PLUMB_CLI) + " engine"); }

RunConfig provenConfig() { return RunConfig{.dim = 32, .layers = 3, .batch = 64}; }

FitProof proofOf(const RunConfig& config, const Machine& machine) {
    FitProof proof;
    proof.created = "2026-11-26T10:00:00Z";
    proof.config = config;
    proof.machine = machine.id;
    proof.device = machine.name;
    proof.deviceBytes = machine.memoryBytes;
    proof.limitBytes = 2'000'000;
    proof.limitOf = FitLimit::Asked;
    proof.fits = {700, 1'999'000, 1'999'000, "", false};
    proof.tooLarge = {701, 2'000'100, std::nullopt, "not enough memory", true};
    return proof;
}

struct RealPanel : Panel {
    RealPanel() {
        engine.setCommand(realEngine());
        engine.start();
        EXPECT_TRUE(waitFor(
            [&] { return controller.work().engineReady() && controller.chosen().whyNotRun().isEmpty(); }));
        EXPECT_TRUE(workbench.show(provenConfig()).has_value());
    }
    ProofDialog* openDialog() {
        press("proveButton");
        return child<ProofDialog>(panel, "proofDialog");
    }
};

TEST(ProofDialog, ProvesTheLargestBatchWithTheRealEngine) {
    RealPanel panel;
    EXPECT_EQ(panel.sentence("proofLine"), QStringLiteral("Not tried yet"));
    ProofDialog* const dialog = panel.openDialog();
    ASSERT_NE(dialog, nullptr);
    auto* const limit = child<QLineEdit>(*dialog, "proofLimit");
    QTest::keyClicks(limit, QStringLiteral("1 MB"));
    auto* const batches = child<QLabel>(*dialog, "proofBatches");
    ASSERT_TRUE(waitFor([&] { return batches->text().startsWith(QStringLiteral("Predicted: batch")); }));
    QTest::mouseClick(child<QPushButton>(*dialog, "proofStart"), Qt::LeftButton);
    EXPECT_TRUE(panel.controller.prover().running());
    EXPECT_TRUE(child<QProgressBar>(*dialog, "proofProgress")->isVisible());
    EXPECT_EQ(dialog->focusWidget(), child<QPushButton>(*dialog, "proofCancel"));
    ASSERT_TRUE(waitFor([&] { return panel.controller.prover().current() != nullptr; }));
    const FitProof& proof = *panel.controller.prover().current();
    EXPECT_EQ(verdictOf(proof), FitVerdict::Proven) << trialText(proof.tooLarge);
    EXPECT_EQ(proof.limitBytes, 1'000'000);
    ASSERT_TRUE(waitFor([&] { return !panel.controller.work().busy(); }));
    EXPECT_NE(dialog->focusWidget(), child<QPushButton>(*dialog, "proofCancel")) << "which is hidden now";
    EXPECT_TRUE(dialog->focusWidget()->isEnabled() && dialog->focusWidget()->isVisible());
    const QString verdict = child<QLabel>(*dialog, "proofVerdict")->text();
    EXPECT_TRUE(verdict.startsWith(QStringLiteral("Proven: batch "))) << verdict.toStdString();
    EXPECT_TRUE(batches->text().contains(countText(proof.fits.batch))) << "as it was predicted";
    QCoreApplication::processEvents();  // what came of it is laid out
    QStringList cells;
    for (const auto* label : child<QWidget>(*dialog, "proofTrials")->findChildren<QLabel*>()) {
        cells << label->text();
        EXPECT_GE(label->height(), label->heightForWidth(label->width())) << label->text().toStdString();
    }
    EXPECT_TRUE(cells.contains(countText(proof.tooLarge.batch)));
    EXPECT_TRUE(cells.filter(QStringLiteral("Not enough memory for a tensor")).size() == 1)
        << cells.join(QLatin1Char('|')).toStdString();
    EXPECT_GT(test::coloursIn(test::picture(*dialog, QStringLiteral("proof-dialog"))), 5);
    EXPECT_GT(test::coloursIn(test::picture(panel.panel, QStringLiteral("proof-panel"))), 5);
    EXPECT_EQ(panel.sentence("proofLine"), QStringLiteral("Proven at 1.00 MB"));
    EXPECT_EQ(panel.workbench.scene()->measured.has_value(), false) << "a proof is beside the document";
    // Another width is another question.
    RunConfig other = provenConfig();
    other.dim = 48;
    ASSERT_TRUE(panel.workbench.show(other).has_value());
    EXPECT_EQ(panel.sentence("proofLine"), QStringLiteral("Not tried yet"));
    EXPECT_FALSE(child<QLabel>(*dialog, "proofVerdict")->isVisible());
    other.dim = 32;
    other.batch = 7;
    ASSERT_TRUE(panel.workbench.show(other).has_value());
    EXPECT_EQ(panel.sentence("proofLine"), QStringLiteral("Proven at 1.00 MB")) << "whatever the batch";
}

TEST(ProofDialog, CanBeCancelled) {
    RealPanel panel;
    RunConfig slow = provenConfig();
    slow.dim = 512;
    slow.layers = 12;
    ASSERT_TRUE(panel.workbench.show(slow).has_value());
    ProofDialog* const dialog = panel.openDialog();
    QTest::keyClicks(child<QLineEdit>(*dialog, "proofLimit"), QStringLiteral("800 MB"));
    QTest::mouseClick(child<QPushButton>(*dialog, "proofStart"), Qt::LeftButton);
    ASSERT_TRUE(panel.controller.prover().running());
    QTest::mouseClick(child<QPushButton>(*dialog, "proofCancel"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !panel.controller.work().busy(); }));
    EXPECT_EQ(panel.controller.prover().proof(), std::nullopt);
    EXPECT_TRUE(child<QPushButton>(*dialog, "proofStart")->isEnabled());
    EXPECT_FALSE(child<QLabel>(*dialog, "proofVerdict")->isVisible());
}

TEST(ProofDialog, SaysWhatDifferedAndWhatCannotBeAsked) {
    Panel panel;
    panel.press("proveButton");
    auto* const dialog = child<ProofDialog>(panel.panel, "proofDialog");
    auto* const start = child<QPushButton>(*dialog, "proofStart");
    EXPECT_FALSE(start->isEnabled());
    EXPECT_EQ(child<QLabel>(*dialog, "proofWhyNot")->text(), QStringLiteral("The engine is not running"));
    QTest::keyClicks(child<QLineEdit>(*dialog, "proofLimit"), QStringLiteral("a lot"));
    auto* const batches = child<QLabel>(*dialog, "proofBatches");
    EXPECT_TRUE(batches->text().startsWith(QStringLiteral("“a lot” is no size: ")))
        << batches->text().toStdString();
    child<QLineEdit>(*dialog, "proofLimit")->setText(QStringLiteral("１０ＭＢ"));
    EXPECT_TRUE(waitFor([&] { return batches->text().startsWith(QStringLiteral("Predicted")); }))
        << batches->text().toStdString();
    FitProof refuted = proofOf(panel.config(), panel.workbench.session()->whatIf.machine());
    refuted.fits.measuredBytes.reset();
    refuted.fits.refusal = "the GPU has no room for 2.00 kB";
    panel.controller.prover().replace(refuted);
    EXPECT_EQ(panel.sentence("proofLine"), QStringLiteral("Not as predicted"));
    EXPECT_TRUE(child<QLabel>(*dialog, "proofVerdict")
                    ->text()
                    .startsWith(QStringLiteral("Refuted: batch 700 must fit")));
}

TEST(ProofDialog, KeepsTheProofInTheFile) {
    Shell shell;
    Workbench& workbench = shell.window.workbench();
    FitProver& prover = shell.window.controller().prover();
    const FitProof proof = proofOf(workbench.config(), workbench.session()->whatIf.machine());
    prover.replace(proof);
    ASSERT_TRUE(shell.save(shell.file("proof.plumb")));
    prover.replace(std::nullopt);
    ASSERT_TRUE(shell.open(shell.file("proof.plumb")));
    ASSERT_NE(prover.current(), nullptr);
    EXPECT_EQ(prover.current()->tooLarge, proof.tooLarge);
    EXPECT_EQ(prover.current()->fits, proof.fits);
    EXPECT_EQ(child<QLabel>(shell.window, "proofLine")->text(), QStringLiteral("Proven at 2.00 MB"));
}

}  // namespace
}  // namespace plumb::ui
