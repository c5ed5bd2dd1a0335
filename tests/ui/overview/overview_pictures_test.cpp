// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the operations, training and overview views in both themes. PLUMB_PICTURES=FOLDER keeps the pictures.
#include "core/base/philox.h"
#include "tests/ui/operations/operations_support.h"
#include "tests/ui/pictures.h"
#include "tests/ui/support.h"
#include "ui/operations/operations_view.h"
#include "ui/overview/overview_view.h"
#include "ui/theme/theme.h"
#include "ui/training/training_view.h"

#include <QApplication>
#include <QDir>
#include <QSlider>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace plumb::ui::test {
namespace {

/// A falling loss with reproducible jitter; the same numbers on every machine.
void train(Workbench& workbench, const RunConfig& config, std::int64_t steps, double speed,
           const QString& outcome, std::int64_t wanted = 0) {
    workbench.runs().beginRun(config, wanted);
    std::vector<StepMetrics> points;
    for (std::int64_t i = 0; i < steps; ++i) {
        const double x = static_cast<double>(i) / 20'000;
        const double jitter =
            1 + 0.12 * (static_cast<double>(
                            philox4x32({{static_cast<std::uint32_t>(i), 0, 0, 0}}, 1, 2).word[0]) /
                            4294967296.0 -
                        0.5);
        points.push_back(
            {i, (0.01 + 80 * std::exp(-speed * std::sqrt(x))) * jitter, static_cast<double>(i) / 27.9});
    }
    workbench.runs().addLosses(points, steps, 27.9);
    if (!outcome.isEmpty()) workbench.runs().endRun(endOf(outcome.toStdString()), outcome);
}

std::unique_ptr<Workbench> trainedWorkbench() {
    RunConfig config = testConfig(32, 4096, 8192);
    config.precision = Precision::Bf16;
    config.recompute = {RecomputePolicy::Kind::Every, 4};
    auto workbench = testWorkbench(config, true);
    RunConfig earlier = config;
    earlier.recompute = {};
    train(*workbench, earlier, 20'000, 6.5, QStringLiteral("finished"));
    train(*workbench, config, 17'200, 9, {}, 20'000);
    return workbench;
}

/// Draws `view` and checks that something is on it, in the theme's brightness.
void expectDrawn(QWidget& view, QSize size, const Theme& theme, const char* name) {
    view.resize(size);
    view.show();
    view.setAutoFillBackground(true);
    const QImage image = picture(view, QStringLiteral("%1-%2-%3x%4")
                                           .arg(QString::fromLatin1(name), themeName(theme))
                                           .arg(size.width())
                                           .arg(size.height()));
    EXPECT_GT(coloursIn(image), 20) << name;
    EXPECT_EQ(image.pixelColor(image.width() / 2, 2).lightness() < 128, theme.isDark()) << name;
}

TEST(Pictures, OperationsTrainingAndOverviewDrawInBothThemes) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    inBothThemes([](Theme& theme) {
        const auto workbench = trainedWorkbench();
        {
            OverviewView view({*workbench, theme});
            workbench->selection().select(QStringLiteral("m1.layer9.backward.weight"));
            expectDrawn(view, {1280, 860}, theme, "overview");
            expectDrawn(view, {880, 600}, theme, "overview");
            expectDrawn(view, {3400, 1900}, theme, "overview");
        }
        {
            OperationsView view({*workbench, theme}, ViewSize::Full);
            expectDrawn(view, {1280, 860}, theme, "operations");
            expectDrawn(view, {880, 600}, theme, "operations");
        }
        {
            TrainingView view({*workbench, theme}, ViewSize::Full);
            expectDrawn(view, {1280, 860}, theme, "training");
            view.setOptions({.axis = TrainingOptions::Axis::Seconds, .smoothing = 50});
            workbench->runs().addLosses({{17'300, 0, 700}, {17'301, std::nan(""), 700.1}}, 17'301, 27.9);
            workbench->runs().endRun(TrainingEnd::Failed,
                                     QStringLiteral("diverged at step 17301: lower the learning rate"));
            view.refresh();
            expectDrawn(view, {880, 600}, theme, "training");
        }
        const auto idle = testWorkbench(testConfig());
        TrainingView view({*idle, theme}, ViewSize::Full);
        expectDrawn(view, {880, 600}, theme, "training-empty");
    });
}

}  // namespace
}  // namespace plumb::ui::test
