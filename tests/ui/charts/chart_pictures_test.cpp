// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the views in both themes and at two sizes; PLUMB_PICTURES=FOLDER keeps the pictures to look at.
#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/pictures.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/memory/memory_view.h"
#include "ui/roofline/roofline_view.h"

#include <QApplication>
#include <QSet>
#include <QVBoxLayout>

namespace plumb::ui::test {
namespace {

enum class Case { Predicted, Measured, WhatIf, Accumulating, Bare, Small, NearLimit };
constexpr const char* kCaseNames[] = {"predicted", "measured", "whatif",   "accumulating",
                                      "bare",      "small",    "nearlimit"};

void arrange(Workbench& workbench, Case what) {
    EXPECT_TRUE(
        workbench.show({what == Case::Bare ? bareMachine() : roundMachine(), cpuTraits()}).has_value());
    RunConfig config = deepConfig(32);
    config.recompute = {RecomputePolicy::Kind::Every, 4};
    if (what == Case::Accumulating) config.microBatch = 1024;
    if (what == Case::Small) config = RunConfig{};
    if (what == Case::NearLimit) config.batch = 262144;
    EXPECT_TRUE(workbench.show(config).has_value());
    if (what == Case::Measured || what == Case::WhatIf || what == Case::Small) pretendMeasured(workbench);
    if (what == Case::WhatIf) {
        config.recompute = {};
        config.layers = 48;
        EXPECT_TRUE(workbench.show(config).has_value());
    }
    if (what == Case::Measured)
        workbench.selection().select(QString::fromStdString(opId(workbench.scene()->whatIf.plan->ops[60])));
}

TEST(ChartPictures, AreDrawnInBothThemesAtBothSizes) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    inBothThemes([](Theme& theme) {
        for (int what = 0; what < 7; ++what) {
            Workbench workbench;
            arrange(workbench, static_cast<Case>(what));
            for (const ViewSize size : {ViewSize::Compact, ViewSize::Full}) {
                QWidget page;
                auto* layout = new QVBoxLayout(&page);
                MemoryView memory({workbench, theme}, size);
                RooflineView roofline({workbench, theme}, size);
                for (QWidget* view : {static_cast<QWidget*>(&memory), static_cast<QWidget*>(&roofline)}) {
                    const QString name =
                        QStringLiteral("%1-%2-%3-%4")
                            .arg(view->objectName(), QLatin1String(kCaseNames[what]),
                                 size == ViewSize::Full ? QStringLiteral("full") : QStringLiteral("compact"),
                                 themeName(theme));
                    layout->addWidget(view);
                    page.resize(size == ViewSize::Full ? QSize(1300, 820) : QSize(630, 420));
                    page.show();
                    const QImage image = picture(page, name);
                    EXPECT_GT(coloursIn(image), 20) << name.toStdString();
                    layout->removeWidget(view);
                    view->setParent(nullptr);
                }
            }
        }
    });
}

}  // namespace
}  // namespace plumb::ui::test
