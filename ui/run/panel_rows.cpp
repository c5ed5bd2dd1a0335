// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/panel_rows.h"

#include "ui/widgets/fix_button.h"
#include "ui/widgets/section_heading.h"
#include "ui/widgets/slider_row.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace plumb::ui {

QLabel* PanelRows::addHeading(const QString& text) const {
    auto* heading = makeSectionHeading(text, m_theme, &m_parent);
    m_layout.addWidget(heading);
    return heading;
}

QString PanelRows::addCaption(const QString& text) const {
    auto* label = new QLabel(text, &m_parent);
    followColor(label, m_theme, ColorRole::TextMuted);
    m_layout.addWidget(label);
    return text;
}

void PanelRows::addLabelled(const QString& text, QWidget* widget, int width) const {
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(text, &m_parent);
    label->setBuddy(widget);
    followColor(label, m_theme, ColorRole::TextMuted);
    widget->setAccessibleName(text);
    if (width > 0) widget->setFixedWidth(width);
    row->addWidget(label, width > 0 ? 1 : 0);
    row->addWidget(widget, width > 0 ? 0 : 1);
    m_layout.addLayout(row);
}

QLabel* PanelRows::addSentence(const char* name, ColorRole role) const {
    auto* label = new QLabel(&m_parent);
    label->setObjectName(QString::fromLatin1(name));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->hide();
    followColor(label, m_theme, role);
    m_layout.addWidget(label);
    if (role == ColorRole::Bad) m_layout.addWidget(new FixButton(*label), 0, Qt::AlignLeft);
    return label;
}

void fillAsPanel(QWidget& panel, Theme& theme) {
    const auto fill = [&panel, &theme] {
        QPalette palette;
        palette.setColor(QPalette::Window, theme.color(ColorRole::Panel));
        panel.setPalette(palette);
    };
    panel.setAutoFillBackground(true);
    fill();
    QObject::connect(&theme, &Theme::changed, &panel, fill);
}

void showSentence(QLabel* line, const QString& sentence) {
    line->setText(sentence);
    line->setVisible(!sentence.isEmpty());
    if (FixButton* fix = FixButton::of(*line)) fix->withdraw();
}

void showEntry(QLineEdit* field, const QString& text) {
    if (!field->isModified() && field->text() != text) field->setText(text);
}

}  // namespace plumb::ui
