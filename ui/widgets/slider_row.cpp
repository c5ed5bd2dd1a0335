// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/slider_row.h"

#include "ui/theme/theme.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/stop_slider.h"

#include <QGridLayout>
#include <QLabel>

namespace plumb::ui {

void followColor(QWidget* widget, Theme& theme, ColorRole role) {
    const auto color = [widget, &theme, role] {
        QPalette palette = widget->palette();
        palette.setColor(QPalette::WindowText, theme.color(role));
        widget->setPalette(palette);
    };
    color();
    QObject::connect(&theme, &Theme::changed, widget, color);
}

SliderRow::SliderRow(Theme& theme, const QString& label, const QString& name, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_label(new QLabel(label, this)),
      m_field(new SizeField(this)),
      m_slider(new StopSlider(theme, this)),
      m_error(new QLabel(this)) {
    setObjectName(name);
    m_field->setObjectName(name + QStringLiteral("Field"));
    m_slider->setObjectName(name + QStringLiteral("Slider"));
    m_error->setObjectName(name + QStringLiteral("Error"));
    m_field->setAccessibleName(label);
    m_slider->setAccessibleName(label);
    m_label->setBuddy(m_field);
    followColor(m_label, theme, ColorRole::TextMuted);
    followColor(m_error, theme, ColorRole::Bad);
    m_error->setWordWrap(true);
    m_error->hide();
    auto* fix = new FixButton(*m_error);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(0);
    grid->addWidget(m_label, 0, 0);
    grid->addWidget(m_field, 0, 1);
    grid->addWidget(m_slider, 1, 0, 1, 2);
    grid->addWidget(m_error, 2, 0, 1, 2);
    grid->addWidget(fix, 3, 0, 1, 2, Qt::AlignLeft);
    grid->setColumnStretch(0, 1);

    connect(m_slider, &QSlider::sliderPressed, this, [this] { ++m_gesture; });
    connect(m_slider, &StopSlider::stopChosen, this, [this](qint64 value) {
        showError({});
        emit chosen(value, m_slider->isSliderDown() ? m_gesture : 0);
    });
    connect(m_field, &SizeField::valueEntered, this, [this](qint64 value) { emit chosen(value, 0); });
    connect(m_field, &SizeField::rejected, this, &SliderRow::showError);
    connect(m_field, &SizeField::accepted, this, [this] { showError({}); });
}

void SliderRow::show(const SliderState& state) {
    m_slider->setStops(state.stops);
    m_slider->showValue(state.value);
    m_slider->setGhost(state.ghost);
    m_slider->setToolTip(state.ghost ? tr("the run that goes on: %1").arg(groupedDigits(*state.ghost))
                                     : toolTip());
    m_field->showValue(state.value);
}

void SliderRow::setSuffix(const QString& suffix) { m_field->setSuffix(suffix); }

void SliderRow::showError(const QString& sentence) {
    m_error->setText(sentence);
    m_error->setVisible(!sentence.isEmpty());
    if (FixButton* fix = FixButton::of(*m_error)) fix->withdraw();
}

void SliderRow::setHelp(const QString& text) {
    setToolTip(text);
    m_field->setToolTip(text);
}

}  // namespace plumb::ui
