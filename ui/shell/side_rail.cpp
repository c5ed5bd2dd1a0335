// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/side_rail.h"

#include "ui/run/panel_rows.h"
#include "ui/shell/action_registry.h"
#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/widgets/meter.h"
#include "ui/widgets/slider_row.h"

#include <QLabel>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

constexpr int kRailSide = 7;
constexpr int kRailGap = 6;
constexpr int kMostMeter = 110, kLeastMeter = 24;
constexpr double kSmallerPoints = 1.5;

QVBoxLayout* addGroup(QWidget* group, QVBoxLayout& outer) {
    auto* layout = new QVBoxLayout(group);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRailGap);
    outer.addWidget(group);
    return layout;
}

}  // namespace

SideRail::SideRail(Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_sections(new QWidget(this)), m_runs(new QWidget(this)) {
    setObjectName(QStringLiteral("sideRail"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kRailSide, 0, kRailSide);  // buttons and words stand in the middle
    layout->setSpacing(kRailGap);
    auto* unfold = addButton(Glyph::Open, tr("Show the panel (F4)"), *layout);
    unfold->setObjectName(QStringLiteral("unfoldPanel"));
    connect(unfold, &QPushButton::clicked, this, &SideRail::unfoldWanted);
    addGroup(m_sections, *layout);
    m_meter = new Meter(theme, this, Qt::Vertical);
    m_meter->setObjectName(QStringLiteral("railMeter"));
    m_meter->setMinimumHeight(kLeastMeter);
    m_meter->setMaximumHeight(kMostMeter);
    layout->addWidget(m_meter, 1, Qt::AlignHCenter);
    m_fits = new QLabel(this);
    m_fits->setObjectName(QStringLiteral("railFits"));
    m_fits->setAlignment(Qt::AlignHCenter);
    QFont small = m_fits->font();
    small.setPointSizeF(small.pointSizeF() - kSmallerPoints);
    m_fits->setFont(small);
    followColor(m_fits, theme, ColorRole::TextMuted);
    layout->addWidget(m_fits);
    layout->addStretch(1);
    addGroup(m_runs, *layout);
    fillAsPanel(*this, theme);
}

GlyphButton* SideRail::addButton(Glyph glyph, const QString& name, QVBoxLayout& layout) {
    auto* button = new GlyphButton(m_theme, glyph, name, this);
    layout.addWidget(button, 0, Qt::AlignHCenter);
    return button;
}

void SideRail::addSection(Glyph glyph, const QString& name, const QString& heading) {
    auto* layout = static_cast<QVBoxLayout*>(m_sections->layout());
    GlyphButton* button = addButton(glyph, name, *layout);
    button->setObjectName(heading + QStringLiteral("Rail"));
    connect(button, &QPushButton::clicked, this, [this, heading] { emit sectionWanted(heading); });
}

void SideRail::addRunButtons(const ActionRegistry& actions) {
    struct Button {
        const char* action;
        Glyph glyph;
    };
    auto* layout = static_cast<QVBoxLayout*>(m_runs->layout());
    const auto add = [&](const Button& each) {
        auto* button = new GlyphButton(m_theme, each.glyph, {}, m_runs);
        button->setProperty(kPrimaryButton, each.glyph == Glyph::Play);
        button->setObjectName(QLatin1String(each.action).mid(4) + QStringLiteral("Rail"));
        button->follow(actions.action(QLatin1String(each.action)));
        layout->addWidget(button, 0, Qt::AlignHCenter);
        return button;
    };
    GlyphButton* run = add({"run.run", Glyph::Play});
    m_pause = add({"run.pause", Glyph::Pause});
    add({"run.stop", Glyph::Stop});
    add({"run.profile", Glyph::Gauge});
    // A training that goes on can be paused, and what is paused can go on: the same place.
    QAction* const pausing = actions.action(QStringLiteral("run.pause"));
    const auto choose = [run, pause = m_pause, pausing] {
        run->setVisible(!pausing->isEnabled());
        pause->setVisible(pausing->isEnabled());
    };
    connect(pausing, &QAction::changed, this, choose);
    choose();
}

void SideRail::setPaused(bool isPaused) { m_pause->setGlyph(isPaused ? Glyph::Play : Glyph::Pause); }

void SideRail::setMemory(std::optional<double> share, const QString& toolTip) {
    m_meter->setShare(share);
    m_meter->setToolTip(toolTip);
    m_fits->setText(!share ? QString() : *share <= 1 ? tr("fits") : tr("full", "the memory"));
    m_fits->setToolTip(toolTip);
    m_meter->setVisible(share.has_value());
    m_fits->setVisible(share.has_value());
}

void SideRail::setOfRecording(bool ofRecording) {
    m_sections->setVisible(!ofRecording);
    m_runs->setVisible(!ofRecording);
}

}  // namespace plumb::ui
