// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/charts/chart_scenes.h"
#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/theme/theme.h"
#include "ui/workbench/view.h"

#include <QAbstractScrollArea>

#include <gtest/gtest.h>

#include <memory>

namespace plumb::ui::test {

/// What the views call an op of the plan.
inline QString idOf(const StepPlan& plan, std::int64_t op) {
    return QString::fromStdString(opId(plan.op(op)));
}

/// A workbench with eight layers on the machine with round ceilings, and a view of it with one chart, made
/// and shown at the size of a card or of a tab.
template <class View>
class ChartViewTest : public ::testing::Test {
protected:
    explicit ChartViewTest(const char* chartName) : m_chartName(chartName) {
        EXPECT_TRUE(workbench.show({roundMachine(), cpuTraits()}).has_value());
        EXPECT_TRUE(workbench.show(deepConfig(8)).has_value());
    }
    View& make(ViewSize size) {
        view = std::make_unique<View>(ViewContext{workbench, theme}, size);
        view->resize(size == ViewSize::Full ? QSize(1100, 760) : QSize(560, 360));
        view->show();
        return *view;
    }
    ChartPanel& chart() { return *child<ChartPanel>(*view, m_chartName); }
    QWidget& canvas() { return *child<QAbstractScrollArea>(chart(), "chartCanvas")->viewport(); }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    Workbench workbench;
    std::unique_ptr<View> view;

private:
    const char* m_chartName;
};

}  // namespace plumb::ui::test
