// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/side_panel.h"

#include "ui/run/recording_panel.h"
#include "ui/run/run_panel.h"
#include "ui/settings/settings.h"
#include "ui/shell/side_rail.h"
#include "ui/theme/scaled.h"
#include "ui/theme/theme.h"
#include "ui/widgets/glyph_button.h"
#include "ui/widgets/slider_row.h"
#include "ui/workbench/first_focus.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLinearGradient>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

constexpr int kRailWidth = 44;
constexpr int kBeside = 1280;  // a window below this width has no room for a panel beside the views
constexpr int kFoldRight = 14, kFoldTop = 4;

/// Falls from a panel onto the views that it lies over.
class Shade final : public QWidget {
public:
    Shade(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
        setObjectName(QStringLiteral("panelShade"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        resize(kShade, 0);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QColor dark = m_theme.color(ColorRole::Shadow);
        QLinearGradient fall(0, 0, width(), 0);
        fall.setColorAt(0, dark);
        dark.setAlpha(0);
        fall.setColorAt(1, dark);
        QPainter painter(this);
        painter.fillRect(rect(), fall);
        painter.fillRect(0, 0, 1, height(), m_theme.color(ColorRole::CardBorder));
    }

private:
    static constexpr int kShade = 10;
    Theme& m_theme;
};

/// The button in the corner of a panel that folds it, and before it how else that is done where the panel
/// lies over the views. Returns the latter.
QLabel* addFold(QWidget& panel, Theme& theme, SidePanel& side) {
    auto* fold = new GlyphButton(theme, Glyph::Close,
                                 SidePanel::tr("Fold the panel (F4; over the views also Esc or a click "
                                               "beside it)"),
                                 &panel);
    fold->setObjectName(QStringLiteral("foldPanel"));
    const int width = fold->sizeHint().width();
    fold->setGeometry(panel.width() - width - kFoldRight, kFoldTop, width, width);
    QObject::connect(fold, &QPushButton::clicked, &side, [&side] { side.setUnfolded(false); });
    auto* ways = new QLabel(SidePanel::tr("Esc folds it"), &panel);
    ways->setObjectName(QStringLiteral("waysToFold"));
    ways->setToolTip(fold->toolTip());
    followColor(ways, theme, ColorRole::TextMuted);
    ways->adjustSize();
    ways->move(fold->x() - ways->width(), kFoldTop + (width - ways->height()) / 2);
    ways->hide();
    return ways;
}

}  // namespace

SidePanel::SidePanel(RunPanel& run, RecordingPanel& recording, Theme& theme, Settings& settings,
                     QWidget* parent)
    : QWidget(parent),
      m_run(run),
      m_recording(recording),
      m_settings(settings),
      m_rail(*new SideRail(theme, this)),
      m_shade(*new Shade(theme, parent)) {
    setObjectName(QStringLiteral("sidePanel"));
    for (QWidget* each : {&m_run, &m_recording}) {
        each->setParent(parent);
        m_waysToFold.push_back(addFold(*each, theme, *this));
    }
    connect(&m_rail, &SideRail::unfoldWanted, this, [this] { setUnfolded(true); });
    connect(&m_rail, &SideRail::sectionWanted, this, [this](const QString& heading) {
        auto* found = m_run.findChild<QWidget*>(heading);
        if (found == nullptr) return;
        reveal(*found);
        if (liesOverViews()) focusFirstOf(*panel(), *found);
    });
    parent->installEventFilter(this);
    fit();
}

QWidget* SidePanel::panel() const {
    return m_subject == Subject::Run ? &m_run : m_subject == Subject::Recording ? &m_recording : nullptr;
}

int SidePanel::covered() const { return liesOverViews() ? panel()->width() - scaled(kRailWidth) : 0; }

bool SidePanel::liesOverViews() const { return m_isNarrow && m_isUnfolded && panel() != nullptr; }

void SidePanel::setSubject(Subject subject) {
    if (m_subject == subject) return;
    m_subject = subject;
    m_rail.setOfRecording(subject == Subject::Recording);
    fit();
    emit foldingChanged();
}

void SidePanel::setUnfolded(bool unfolded) {
    if (!m_isNarrow) m_settings.setPanelUnfolded(unfolded);
    unfold(unfolded);
    // The rail's button for it, or the view that had the keyboard, may lie behind the panel now.
    if (liesOverViews()) focusFirstOf(*panel(), *panel());
}

void SidePanel::uncoverViews() {
    if (liesOverViews()) unfold(false);
}

void SidePanel::unfold(bool unfolded) {
    if (m_isUnfolded == unfolded) return;
    // Who folds it with the keyboard goes on from the rail, not from nowhere.
    const bool hadFocus = panel() != nullptr && panel()->isAncestorOf(QApplication::focusWidget());
    m_isUnfolded = unfolded;
    place();
    if (!unfolded && hadFocus) m_rail.setFocus();
    emit foldingChanged();
}

void SidePanel::reveal(QWidget& control) {
    QWidget* const shown = panel();
    if (shown == nullptr || !shown->isAncestorOf(&control)) return;
    unfold(true);
    if (shown->layout() != nullptr) shown->layout()->activate();
    for (auto* area : shown->findChildren<QScrollArea*>())
        if (area->isAncestorOf(&control)) {
            constexpr int kAbove = 8;
            const int top = control.mapTo(area->widget(), QPoint()).y();
            area->ensureVisible(0, top + area->viewport()->height() - kAbove, 0, 0);
            area->ensureVisible(0, std::max(0, top - kAbove), 0, 0);
        }
}

void SidePanel::fit() {
    const bool isNarrow = window()->width() < scaled(kBeside);
    if (isNarrow != m_isNarrow) {
        m_isNarrow = isNarrow;
        m_isUnfolded = !isNarrow && m_settings.isPanelUnfolded();
        emit foldingChanged();
    }
    place();
}

void SidePanel::place() {
    QWidget* const shown = panel();
    setVisible(shown != nullptr);
    const bool isBeside = m_isUnfolded && !m_isNarrow;
    setFixedWidth(shown != nullptr && isBeside ? shown->width() : scaled(kRailWidth));
    m_rail.setVisible(!isBeside);
    m_rail.setGeometry(0, 0, scaled(kRailWidth), height());
    for (QWidget* each : {&m_run, &m_recording}) {
        each->setVisible(each == shown && m_isUnfolded);
        each->setGeometry(x(), y(), each->width(), height());
    }
    for (QLabel* ways : m_waysToFold) ways->setVisible(liesOverViews());
    m_shade.setVisible(liesOverViews());
    if (shown != nullptr) {
        m_shade.setGeometry(x() + shown->width(), y(), m_shade.width(), height());
        m_shade.raise();
        shown->raise();
    }
    // Clicks elsewhere are looked at only while they fold the panel.
    if (liesOverViews())
        qApp->installEventFilter(this);
    else
        qApp->removeEventFilter(this);
}

bool SidePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) fit();
    if (!liesOverViews() || !watched->isWidgetType()) return false;
    const auto* const widget = static_cast<const QWidget*>(watched);
    if (event->type() == QEvent::MouseButtonPress && isElsewhere(*widget, static_cast<QMouseEvent&>(*event)))
        setUnfolded(false);
    const bool isEscape =
        event->type() == QEvent::KeyPress && static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (!isEscape || !widget->hasFocus() || widget->window() != window()) return false;
    // Of a view behind it the key would do something out of sight.
    const bool isBehind = !panel()->isAncestorOf(widget);
    setUnfolded(false);
    return isBehind;
}

// By the place, since a press that nobody takes goes on to what lies behind the panel. A list that a control
// of the panel opened is a window of its own.
bool SidePanel::isElsewhere(const QWidget& widget, const QMouseEvent& press) const {
    if (widget.window() != window()) return false;
    if (m_guide && (&widget == m_guide || m_guide->isAncestorOf(&widget))) return false;
    const QPoint at = press.globalPosition().toPoint();
    return !panel()->rect().contains(panel()->mapFromGlobal(at)) && !rect().contains(mapFromGlobal(at));
}

void SidePanel::moveEvent(QMoveEvent* event) {
    QWidget::moveEvent(event);
    place();
}

void SidePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

}  // namespace plumb::ui
