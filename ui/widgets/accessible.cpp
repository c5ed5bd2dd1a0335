// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/accessible.h"

#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/painted_chart.h"
#include "ui/theme/house_style.h"

#include <QAbstractButton>
#include <QAccessibleWidget>
#include <QButtonGroup>
#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

/// A button of which one is on: a segment or a tab.
class ChoiceAccess final : public QAccessibleWidget {
public:
    explicit ChoiceAccess(QAbstractButton& button) : QAccessibleWidget(&button), m_button(button) {}

    /// Asked when it is wanted: it may be made before the button is in its group.
    [[nodiscard]] QAccessible::Role role() const override {
        if (!m_button.property(kSegmentButton).toBool()) return QAccessible::PageTab;
        const bool several = m_button.group() != nullptr && !m_button.group()->exclusive();
        return several ? QAccessible::CheckBox : QAccessible::RadioButton;
    }
    [[nodiscard]] QAccessible::State state() const override {
        QAccessible::State state = QAccessibleWidget::state();
        state.checkable = true;
        state.checked = m_button.isChecked();
        state.selectable = role() == QAccessible::PageTab;
        state.selected = state.selectable && m_button.isChecked();
        return state;
    }
    [[nodiscard]] QString text(QAccessible::Text kind) const override {
        QString said = QAccessibleWidget::text(kind);
        if (kind == QAccessible::Name && said.isEmpty()) said = m_button.text().remove(QLatin1Char('&'));
        return said;
    }
    [[nodiscard]] QStringList actionNames() const override {
        return {toggleAction(), pressAction(), setFocusAction()};
    }
    void doAction(const QString& name) override {
        if (name == toggleAction() || name == pressAction())
            m_button.click();
        else
            QAccessibleWidget::doAction(name);
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString& /*name*/) const override { return {}; }

private:
    QAbstractButton& m_button;
};

class ChartAccess final : public QAccessibleWidget {
public:
    explicit ChartAccess(QWidget& chart) : QAccessibleWidget(&chart, QAccessible::Chart) {}

    [[nodiscard]] QString text(QAccessible::Text kind) const override {
        const QString said = QAccessibleWidget::text(kind);
        if (kind != QAccessible::Description) return said;
        // The data come first, then what the view says of them or of its keys.
        QString shown;
        if (const auto* canvas = widget()->findChild<const ChartCanvas*>())
            shown = chartText(canvas->content());
        else if (const auto* painted = qobject_cast<const PaintedChart*>(widget()))
            shown = painted->emptyText();
        if (shown.isEmpty() || said == shown) return said;
        return said.isEmpty()
                   ? shown
                   : QCoreApplication::translate("plumb::ui", "%1. %2", "what a chart shows, and its keys")
                         .arg(shown, said);
    }
};

/// Areas that are pictures of data; those that are painted by PaintedChart are found by their base.
constexpr std::array kPictures{
    "plumb::ui::ChartPanel", "plumb::ui::PaintedChart", "plumb::ui::TimelineCanvas", "plumb::ui::TraceCanvas",
    "plumb::ui::TraceStrip", "plumb::ui::Sparkline",    "plumb::ui::TensorPicture",  "plumb::ui::BitStrip",
    "plumb::ui::RangeChart", "plumb::ui::EvidenceTile"};

QAccessibleInterface* accessOf(QAbstractButton& button) {
    const bool isSegment = button.property(kSegmentButton).toBool();
    const bool isTab =
        button.property(kQuietButton).toBool() && button.isCheckable() && button.autoExclusive();
    return isSegment || isTab ? new ChoiceAccess(button) : nullptr;
}

QAccessibleInterface* ownAccess(const QString& className, QObject* object) {
    auto* const widget = qobject_cast<QWidget*>(object);
    if (widget == nullptr) return nullptr;
    if (className == QLatin1String("QPushButton")) return accessOf(*qobject_cast<QAbstractButton*>(widget));
    if (className == QLatin1String("plumb::ui::SegmentedControl"))
        return new QAccessibleWidget(widget, QAccessible::Grouping);
    if (std::ranges::any_of(kPictures, [&](const char* name) { return className == QLatin1String(name); }))
        return new ChartAccess(*widget);
    return nullptr;
}

}  // namespace

void installAccessibleRoles() {
    static const bool kInstalled = (QAccessible::installFactory(ownAccess), true);
    (void)kInstalled;
}

}  // namespace plumb::ui
