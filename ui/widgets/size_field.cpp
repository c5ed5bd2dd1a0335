// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/size_field.h"

#include "core/base/quantity.h"
#include "core/base/typed_number.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"

#include <QKeyEvent>

#include <algorithm>

namespace plumb::ui {
namespace {
constexpr int kUsualWidth = 84;
constexpr int kFrame = 18;  // both borders, paddings and the cursor
}  // namespace

QString groupedDigits(std::int64_t value) { return countText(value); }

SizeField::SizeField(QWidget* parent) : QLineEdit(parent) {
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setMaxLength(32);
    connect(this, &QLineEdit::editingFinished, this, &SizeField::submit);
}

void SizeField::showValue(std::int64_t value) {
    if (m_value == value && m_invalid) return;  // the sentence below still explains what stands here
    m_value = value;
    if (m_invalid) {
        m_invalid = false;
        emit accepted();
    }
    if (!hasFocus() || !isModified()) render();
}

void SizeField::setSuffix(const QString& suffix) {
    if (m_suffix == suffix) return;
    m_suffix = suffix;
    if (!isModified()) render();
}

void SizeField::render() {
    setText(groupedDigits(m_value) + (hasFocus() ? QString() : m_suffix));
    setModified(false);
    // A number without its leading digits is another number: the box grows for a long one.
    setFixedWidth(
        std::max(kUsualWidth, fontMetrics().horizontalAdvance(groupedDigits(m_value) + m_suffix) + kFrame));
    if (!hasFocus()) setCursorPosition(0);
}

bool SizeField::commit() {
    submit();
    return !m_invalid;
}

void SizeField::submit() {
    if (!isModified()) return;
    QString typed = text();
    if (!m_suffix.isEmpty() && typed.endsWith(m_suffix)) typed.chop(m_suffix.size());
    // A size is one number, so that blanks in it part nothing.
    typed.removeIf([](QChar c) { return c.isSpace(); });
    const Result<std::int64_t> value = parseTyped(typed.toStdString(), parseSize);
    setModified(false);
    if (!value.has_value()) {
        m_invalid = true;
        emit rejected(errorSentence(value.error()));
        return;
    }
    if (m_invalid) {
        m_invalid = false;
        emit accepted();
    }
    if (value.value() == m_value) return render();
    const std::int64_t before = m_value;
    emit valueEntered(value.value());
    // Refused further up: the text stays as typed beside the sentence that says why.
    if (m_value == before)
        m_invalid = true;
    else
        render();
}

void SizeField::focusInEvent(QFocusEvent* event) {
    QLineEdit::focusInEvent(event);
    if (!m_invalid) render();
    selectAll();
}

void SizeField::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    if (!m_invalid) render();
}

void SizeField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && (isModified() || m_invalid)) {
        m_invalid = false;
        render();
        emit accepted();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

}  // namespace plumb::ui
