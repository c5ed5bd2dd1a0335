// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/dtype_table.h"

#include "core/base/entry_at.h"
#include "core/lab/format_text.h"
#include "ui/lab/bit_strip.h"
#include "ui/lab/fixed_font.h"
#include "ui/theme/error_text.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/tone_label.h"
#include "ui/widgets/whole_label.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QPainter>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

constexpr int kFormat = 0, kBits = 1, kStored = 2, kNeighbours = 3, kVerdict = 4, kColumns = 5;  // columns
constexpr int kLinesPerRow = 3;  // two lines of text and the rule below them
constexpr int kCodeRoom = 14;    // for the cursor and the margins
constexpr int kLeastNeighbour = 110;
constexpr int kLeastStored = 110, kUsualStored = 165;
constexpr int kLeastVerdict = 92;
constexpr int kBitsShare = 500, kTextShare = 300,
              kVerdictShare = 100;  // of what is left; bits have no letters
constexpr int kFieldIndent = -5;    // brings the code under the name: the field has margins of its own

}  // namespace

DtypeTable::DtypeTable(Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_grid(new QGridLayout(this)) {
    setObjectName(QStringLiteral("dtypeTable"));
    setAccessibleName(tr("Number formats"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(0);
    m_grid->setColumnStretch(kBits, kBitsShare);
    m_grid->setColumnStretch(kStored, scaled(kTextShare));
    m_grid->setColumnStretch(kNeighbours, scaled(kTextShare));
    addHeader();
    for (const NumberFormat& format : numberFormats()) addRow(format);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

DtypeTable::~DtypeTable() = default;

void DtypeTable::addHeader() {
    const std::array<QString, kColumns> titles{tr("format, code"), tr("sign, exponent, mantissa"),
                                               tr("stored, error"), tr("neighbours"), tr("what happened")};
    for (int column = 0; column < kColumns; ++column) {
        auto* title = new ToneLabel(m_theme, ColorRole::TextMuted, this);
        title->setText(titles.at(static_cast<std::size_t>(column)));
        m_grid->addWidget(title, 0, column);
        if (column == kNeighbours) m_neighboursTitle = title;
    }
    m_grid->setRowMinimumHeight(0, fontMetrics().height() + 8);
}

void DtypeTable::addRow(const NumberFormat& format) {
    const auto index = m_rows.size();
    const int line = 1 + static_cast<int>(index) * kLinesPerRow;
    const QString name = toText(format.name);
    const QString label = coreText(format.label);
    Row row;
    row.format = format;
    const auto add = [&](int column, int offset, int lines, const char* part, ColorRole tone) {
        auto* text = new ToneLabel(m_theme, tone, this);
        text->setObjectName(name + QLatin1String(part));
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(text, line + offset, column, lines, 1);
        return text;
    };
    row.name = add(kFormat, 0, 1, "Name", ColorRole::TextStrong);
    row.name->setText(label);
    row.name->setStrong();
    row.code = new QLineEdit(this);
    row.code->setObjectName(name + QStringLiteral("Code"));
    row.code->setAccessibleName(tr("Code of %1").arg(label));
    row.code->setFrame(false);
    row.code->setFont(fixedFont(font(), -1));
    row.code->setFixedWidth(
        row.code->fontMetrics().horizontalAdvance(toText(lab::codeText(format, format.largestCode()))) +
        kCodeRoom);
    row.code->setTextMargins(kFieldIndent, 0, 0, 0);
    row.code->setFixedHeight(row.code->fontMetrics().height() + 4);
    row.code->setToolTip(tr("The code in hexadecimal: type another, or a binary one as 0b…"));
    m_grid->addWidget(row.code, line + 1, kFormat);
    row.bits = new BitStrip(m_theme, format, this);
    row.bits->setObjectName(name + QStringLiteral("Bits"));
    m_grid->addWidget(row.bits, line, kBits, 2, 1, Qt::AlignVCenter);
    row.stored = add(kStored, 0, 1, "Stored", ColorRole::Text);
    row.error = add(kStored, 1, 1, "Error", ColorRole::TextMuted);
    row.above = add(kNeighbours, 0, 1, "Above", ColorRole::TextMuted);
    row.below = add(kNeighbours, 1, 1, "Below", ColorRole::TextMuted);
    // They give way first where there is little room: the whole number is in the tool tip.
    for (ToneLabel* text : {row.above, row.below}) text->setElided(kLeastNeighbour);
    row.verdict = add(kVerdict, 0, 2, "Verdict", ColorRole::Text);
    new WholeLabel(*row.verdict);
    m_grid->setRowMinimumHeight(line + 2, 7);
    const int at = static_cast<int>(index);
    connect(row.bits, &BitStrip::flipped, this, [this, at](int bit) { emit bitFlipped(at, bit); });
    connect(row.bits, &BitStrip::leaveUp, this, [this, at, bits = row.bits] { moveTo(at - 1, *bits); });
    connect(row.bits, &BitStrip::leaveDown, this, [this, at, bits = row.bits] { moveTo(at + 1, *bits); });
    connect(row.code, &QLineEdit::editingFinished, this, [this, index] { enterCode(index); });
    m_rows.push_back(row);
}

void DtypeTable::showState(const DtypeState& state) {
    m_state = state;
    int widest = 0;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        Row& row = m_rows[i];
        const DtypeRow& shown = state.rows[i];
        row.name->setToolTip(shown.range);
        row.bits->setCode(shown.stored.code);
        if (!row.code->hasFocus() || !row.code->isModified()) row.code->setText(shown.code);
        row.stored->showText(shown.value);
        row.stored->setToolTip(
            tr("%1, between %2 and %3")
                .arg(shown.value, labNumber(shown.stored.below), labNumber(shown.stored.above)));
        row.error->showText(shown.relative == QStringLiteral("–") ? tr("error %1").arg(shown.error)
                            : shown.error == QStringLiteral("0")
                                ? tr("no error")
                                : tr("error %1 · %2").arg(shown.error, shown.relative));
        row.error->setToolTip(tr("stored − given, and that as a share of the given number"));
        row.above->showText(tr("▲ %1").arg(shown.above));
        row.above->setToolTip(tr("the next larger number: %1").arg(labNumber(shown.stored.above)));
        row.below->showText(tr("▼ %1").arg(shown.below));
        row.below->setToolTip(tr("the next smaller number: %1").arg(labNumber(shown.stored.below)));
        row.verdict->showText(shown.verdict, shown.tone);
        row.verdict->setToolTip(shown.verdict);
        widest = std::max(widest, row.verdict->fontMetrics().horizontalAdvance(shown.verdict));
    }
    // What happened to the value is read first: it is never cut, and takes two lines where there is little
    // room.
    constexpr int kBehindVerdict = 4;
    m_grid->setColumnMinimumWidth(kVerdict, m_compact ? scaled(kLeastVerdict) : widest + kBehindVerdict);
}

void DtypeTable::setCompact(bool compact) {
    if (compact == m_compact) return;
    m_compact = compact;
    m_neighboursTitle->setVisible(!compact);
    m_grid->setColumnStretch(kNeighbours, compact ? 0 : scaled(kTextShare));
    m_grid->setColumnStretch(kVerdict, compact ? kVerdictShare : 0);
    for (const Row& row : m_rows) {
        for (ToneLabel* text : {row.above, row.below}) text->setVisible(!compact);
        for (ToneLabel* text : {row.stored, row.error})
            text->setElided(compact ? kLeastStored : kUsualStored);
        row.verdict->setWordWrap(compact);
        row.verdict->setElided(scaled(kLeastVerdict));
    }
    if (m_state.rows.size() == m_rows.size()) showState(DtypeState(m_state));
}

void DtypeTable::enterCode(std::size_t index) {
    Row& row = m_rows[index];
    if (!row.code->isModified()) return;
    row.code->setModified(false);
    const auto code = lab::parseCode(row.format, row.code->text().toStdString());
    if (!code.has_value()) {
        emit refused(errorSentence(code.error()));
        row.code->setText(m_state.rows[index].code);
        return;
    }
    emit refused({});
    if (*code == m_state.rows[index].stored.code)
        row.code->setText(m_state.rows[index].code);
    else
        emit codeEntered(static_cast<int>(index), *code);
}

void DtypeTable::moveTo(int row, const BitStrip& from) {
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return;
    BitStrip* strip = entryAt(m_rows, row).bits;
    // The cell that stands above or below, as the eye expects.
    const int bit = strip->bitAt({from.cellRect(from.currentBit()).center().x(), strip->height() / 2.0});
    if (bit >= 0) strip->setCurrentBit(bit);
    strip->setFocus(Qt::TabFocusReason);
}

void DtypeTable::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const int y = m_grid->cellRect(1 + static_cast<int>(i) * kLinesPerRow, 0).top() - 4;
        painter.fillRect(0, y, width(), 1, m_theme.color(ColorRole::Grid));
    }
}

}  // namespace plumb::ui
