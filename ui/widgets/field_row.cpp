// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/field_row.h"

#include "ui/theme/scaled.h"
#include "ui/theme/theme.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/slider_row.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <utility>

namespace plumb::ui {
namespace {
constexpr int kFieldWidth = 118, kLeastFieldWidth = 92;
constexpr int kResetWidth = 22;
constexpr int kMostLetters = 200;

/// A label that wraps leaves no single Han letter to its last line: its last three stay together.
QString withoutOrphan(QString text) {
    constexpr qsizetype kTogether = 3;
    const QChar joiner(0x2060);
    const auto isHan = [&](qsizetype i) { return text.at(i).script() == QChar::Script_Han; };
    qsizetype first = text.size();
    while (first > 0 && text.size() - first < kTogether && isHan(first - 1)) --first;
    for (qsizetype i = text.size() - 1; i > first; --i) text.insert(i, joiner);
    return text;
}

}  // namespace

FieldRow::FieldRow(Theme& theme, const QString& label, const QString& name, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_label(new QLabel(withoutOrphan(label), this)),
      m_field(new QLineEdit(this)),
      m_reset(new QToolButton(this)),
      m_below(new QLabel(this)) {
    m_field->setObjectName(name + QStringLiteral("Field"));
    m_field->setAccessibleName(label);
    m_field->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_field->setMaxLength(kMostLetters);
    // A long word beside it takes some of its room where letters are large.
    m_field->setMinimumWidth(scaled(kLeastFieldWidth));
    m_field->setMaximumWidth(scaled(kFieldWidth));
    m_field->installEventFilter(this);
    m_label->setBuddy(m_field);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setWordWrap(true);
    followColor(m_label, theme, ColorRole::Text);
    m_reset->setObjectName(name + QStringLiteral("Reset"));
    m_reset->setText(QStringLiteral("↺"));
    m_reset->setAutoRaise(true);
    m_reset->setFixedWidth(scaled(kResetWidth));
    m_reset->setToolTip(tr("Back to the default"));
    m_reset->setAccessibleName(tr("%1: back to the default").arg(label));
    QSizePolicy kept = m_reset->sizePolicy();
    kept.setRetainSizeWhenHidden(true);  // so that fields stay in line
    m_reset->setSizePolicy(kept);
    m_reset->hide();
    m_below->setObjectName(name + QStringLiteral("Note"));
    m_below->setTextFormat(Qt::PlainText);
    m_below->setWordWrap(true);
    m_below->hide();
    m_fix = new FixButton(*m_below);
    QFont small = m_below->font();
    small.setPointSizeF(small.pointSizeF() - 1);
    m_below->setFont(small);

    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(4);
    layout->setVerticalSpacing(1);
    layout->addWidget(m_label, 0, 0);
    layout->addWidget(m_field, 0, 1);
    layout->addWidget(m_reset, 0, 2);
    layout->addWidget(m_below, 1, 0, 1, 3);
    layout->addWidget(m_fix, 2, 0, 1, 3, Qt::AlignLeft);
    layout->setColumnStretch(0, 1);
    connect(m_field, &QLineEdit::editingFinished, this, &FieldRow::submit);
    connect(m_field, &QLineEdit::textEdited, this, &FieldRow::edited);
    connect(m_reset, &QToolButton::clicked, this, &FieldRow::resetRequested);
    connect(&theme, &Theme::changed, this, &FieldRow::showBelow);
}

void FieldRow::setFieldWidth(int pixels) {
    m_field->setMinimumWidth(pixels);
    m_field->setMaximumWidth(pixels);
}

void FieldRow::alignText(Qt::Alignment horizontal) { m_field->setAlignment(horizontal | Qt::AlignVCenter); }

void FieldRow::setHelp(const QString& text) {
    m_label->setToolTip(text);
    m_field->setToolTip(text);
    m_field->setAccessibleDescription(text);
}

void FieldRow::setPlaceholder(const QString& text) { m_field->setPlaceholderText(text); }
void FieldRow::setLabel(const QString& text) {
    m_label->setText(withoutOrphan(text));
    m_field->setAccessibleName(text);
}

void FieldRow::setReadOnly(bool readOnly) {
    m_field->setReadOnly(readOnly);
    m_field->setFocusPolicy(readOnly ? Qt::ClickFocus : Qt::StrongFocus);
}

void FieldRow::showText(const QString& text) {
    if (m_field->isModified() && m_field->hasFocus()) return;
    m_shown = text;
    if (!m_error.isEmpty()) m_fix->withdraw();
    m_error.clear();
    m_field->setText(text);
    m_field->setModified(false);
    m_field->setCursorPosition(0);
    showBelow();
}

void FieldRow::showNote(const QString& text) {
    m_note = text;
    showBelow();
}

void FieldRow::showError(const QString& sentence) {
    if (sentence != m_error) m_fix->withdraw();
    m_error = sentence;
    showBelow();
}

void FieldRow::offer(const QString& value, std::function<void()> action) {
    m_fix->offerUse(value, [this, action = std::move(action)] {
        m_field->setModified(false);
        action();
    });
}

void FieldRow::setResettable(bool resettable) { m_reset->setVisible(resettable); }
QString FieldRow::text() const { return m_field->text(); }

void FieldRow::focusField() {
    m_field->setFocus(Qt::OtherFocusReason);
    m_field->selectAll();
}

void FieldRow::showBelow() {
    const QString& text = m_error.isEmpty() ? m_note : m_error;
    const QColor color = m_theme.color(m_error.isEmpty() ? ColorRole::TextMuted : ColorRole::Bad);
    QPalette palette = m_below->palette();
    palette.setColor(QPalette::WindowText, color);
    m_below->setPalette(palette);
    m_below->setText(text);
    m_below->setVisible(!text.isEmpty());
    m_field->setAccessibleDescription(m_error.isEmpty() ? m_field->toolTip() : m_error);
}

void FieldRow::submit() {
    if (!m_field->isModified()) return;
    m_field->setModified(false);
    emit entered(m_field->text());
}

bool FieldRow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && (m_field->isModified() || hasError())) {
        m_field->setModified(false);
        showText(m_shown);
        emit edited();
        emit cancelled();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace plumb::ui
