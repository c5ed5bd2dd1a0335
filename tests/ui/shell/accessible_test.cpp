// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/accessible.h"

#include "tests/ui/shell/shell_fixture.h"
#include "tests/ui/shell/shell_walk.h"
#include "ui/charts/chart_layout.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/text.h"

#include <QAccessible>
#include <QButtonGroup>
#include <QPushButton>
#include <QTest>

#include <map>
#include <set>

namespace plumb::ui {
namespace {

using test::forEachTab;
using test::nameOf;
using test::Shell;

bool isInteractive(const QWidget& widget) {
    return (widget.focusPolicy() & Qt::TabFocus) != 0 && widget.focusProxy() == nullptr && widget.isVisible();
}

/// Whether a screen reader can say what to do with it.
bool isRoleOfAControl(QAccessible::Role role) {
    const std::set<QAccessible::Role> none{QAccessible::NoRole, QAccessible::Client, QAccessible::Pane,
                                           QAccessible::Window, QAccessible::Whitespace};
    return !none.contains(role);
}

TEST(ScreenReader, HearsNameAndRoleOfEveryInteractiveWidgetOfEveryView) {
    Shell shell;
    std::set<QWidget*> seen;
    forEachTab(shell.window, [&](const std::string& tab) {
        for (QWidget* widget : shell.window.findChildren<QWidget*>()) {
            if (!isInteractive(*widget) || !seen.insert(widget).second) continue;
            QAccessibleInterface* access = QAccessible::queryAccessibleInterface(widget);
            ASSERT_NE(access, nullptr);
            EXPECT_FALSE(access->text(QAccessible::Name).trimmed().isEmpty())
                << nameOf(*widget) << " of " << tab << " has no name";
            EXPECT_TRUE(isRoleOfAControl(access->role()))
                << nameOf(*widget) << " of " << tab << " has role " << access->role();
        }
    });
    EXPECT_GE(seen.size(), 100U);
}

TEST(ScreenReader, HearsSegmentsAsRadioButtonsOfANamedGroup) {
    Shell shell;
    int segments = 0;
    forEachTab(shell.window, [&](const std::string& tab) {
        for (QPushButton* button : shell.window.findChildren<QPushButton*>()) {
            if (!button->property("plumbSegment").toBool() || !button->isVisible()) continue;
            ++segments;
            const QAccessibleInterface* access = QAccessible::queryAccessibleInterface(button);
            const bool several = button->group() != nullptr && !button->group()->exclusive();
            EXPECT_EQ(access->role(), several ? QAccessible::CheckBox : QAccessible::RadioButton)
                << nameOf(*button);
            EXPECT_EQ(access->state().checked, button->isChecked());
            const QAccessibleInterface* group = access->parent();
            EXPECT_EQ(group->role(), QAccessible::Grouping) << nameOf(*button);
            EXPECT_FALSE(group->text(QAccessible::Name).isEmpty())
                << nameOf(*button->parentWidget()) << " of " << tab << " has no name";
        }
    });
    EXPECT_GE(segments, 20);
}

TEST(ScreenReader, HearsWhatEveryChartShows) {
    Shell shell;
    std::map<std::string, QString> said;
    forEachTab(shell.window, [&](const std::string&) {
        for (QWidget* widget : shell.window.findChildren<QWidget*>()) {
            QAccessibleInterface* access =
                widget->isVisible() ? QAccessible::queryAccessibleInterface(widget) : nullptr;
            if (access == nullptr || access->role() != QAccessible::Chart) continue;
            // Some are worked out beside the window.
            EXPECT_TRUE(test::waitFor([&] { return !access->text(QAccessible::Description).isEmpty(); }))
                << nameOf(*widget);
            said[widget->objectName().toStdString()] = access->text(QAccessible::Description);
        }
    });
    EXPECT_GE(said.size(), 5U);
    // Of the data, and with their unit: the peak is among them.
    EXPECT_TRUE(said["memoryChart"].contains(QStringLiteral("B"))) << said["memoryChart"].toStdString();
    EXPECT_TRUE(said["memoryChart"].contains(QStringLiteral("Peak"), Qt::CaseInsensitive))
        << said["memoryChart"].toStdString();
}

TEST(ChartText, SaysRangesEndsPeaksAndWhatIsMarked) {
    ChartContent content;
    content.y.unit = QStringLiteral("B");
    content.lines.push_back(
        {QStringLiteral("a"), {QStringLiteral("Predicted")}, {{0, 1000}, {1, 3000}, {2, 2000}}});
    content.markers[QStringLiteral("peak")] = {.x = 1, .y = 3000, .text = QStringLiteral("peak of all")};
    EXPECT_EQ(chartText(content),
              QStringLiteral("peak of all; Predicted: from %1 to %2, at the end %3")
                  .arg(quantityText(1000, "B"), quantityText(3000, "B"), quantityText(2000, "B")));
    content.areas.edges = {0, 1, 2};
    AreaLayer layer;
    layer.label = QStringLiteral("data");
    layer.values = {10, 20};
    content.areas.layers = {layer};
    EXPECT_TRUE(chartText(content).contains(
        QStringLiteral("Peak %1 at place 2 of 2: data %1").arg(quantityText(20, "B"))))
        << chartText(content).toStdString();
    content.emptyText = QStringLiteral("Nothing yet.");
    EXPECT_EQ(chartText(content), QStringLiteral("Nothing yet."));
}

// Tab alone leads to every control in sight and back to the first, in every view.
TEST(Keyboard, TabReachesEveryControlOfEveryView) {
    Shell shell;
    shell.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&shell.window));
    forEachTab(shell.window, [&](const std::string& tab) {
        std::set<QWidget*> reached;
        constexpr int kMost = 600;
        for (int i = 0; i < kMost; ++i) {
            QTest::keyClick(shell.window.focusWidget() ? shell.window.focusWidget() : &shell.window,
                            Qt::Key_Tab);
            QWidget* at = QApplication::focusWidget();
            ASSERT_NE(at, nullptr) << tab;
            if (!reached.insert(at).second && i > 0) break;
        }
        for (QWidget* widget : shell.window.findChildren<QWidget*>()) {
            if (!isInteractive(*widget) || !widget->isEnabled() || widget->visibleRegion().isEmpty())
                continue;
            // Of a group of radio buttons one is reached, the arrow keys lead to the others.
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            if (button && (button->group() != nullptr || button->autoExclusive())) continue;
            EXPECT_TRUE(reached.contains(widget)) << nameOf(*widget) << " of " << tab;
        }
    });
}

}  // namespace
}  // namespace plumb::ui
