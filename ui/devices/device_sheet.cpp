// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/device_sheet.h"

#include "core/base/quantity.h"
#include "core/base/typed_number.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/slider_row.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kNumberWidth = 150;
constexpr int kTextWidth = 330;

/// What calibration found of copies to and from a GPU, a line for each; empty where there are none.
QString copiesText(const Machine& machine) {
    QStringList lines;
    for (const CopyLine& line : copyLines(machine)) lines << coreText(line.label + ": " + line.value);
    if (machine.copies)
        lines << DeviceSheet::tr("Copies: %1, %2")
                     .arg(coreText(copySource(*machine.copies)), coreText(machine.source));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

DeviceSheet::DeviceSheet(Theme& theme, QWidget* parent) : QScrollArea(parent), m_theme(theme) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    auto* content = new QWidget(this);
    content->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 12, 0);
    layout->setSpacing(7);
    setWidget(content);
    m_kind = addText("devicesKind");
    addRow("name", nullptr, tr("Name"));
    for (const DeviceFigure& figure : deviceFigures()) {
        FieldRow& field = addRow(std::string(figure.key), &figure, coreText(figure.label));
        field.setHelp(coreText(figure.help));
        field.setPlaceholder(tr("not known"));
    }
    addRow("source", nullptr, tr("Source"))
        .setHelp(tr("Where the figures are from: a data sheet, a measurement"));
    layout->addSpacing(4);
    m_copies = addText("devicesCopies");
    m_copies->setAccessibleName(tr("Copies to and from the device"));
    m_copies->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_hint = addText("devicesHint");
    m_hint->setMinimumHeight(3 * m_hint->fontMetrics().lineSpacing());  // it wraps, and is not to be cut
    m_hint->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    layout->addStretch(1);
}

QLabel* DeviceSheet::addText(const char* name) {
    auto* text = new QLabel(widget());
    text->setObjectName(QLatin1String(name));
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    followColor(text, m_theme, ColorRole::TextMuted);
    widget()->layout()->addWidget(text);
    return text;
}

FieldRow& DeviceSheet::addRow(const std::string& key, const DeviceFigure* figure, const QString& label) {
    QString name = QStringLiteral("device-") + toText(key);
    name.replace(QLatin1Char('.'), QLatin1Char('-'));
    auto* field = new FieldRow(m_theme, label, name, widget());
    field->setFieldWidth(figure ? kNumberWidth : kTextWidth);
    if (!figure) field->alignText(Qt::AlignLeft);
    const auto at = m_rows.size();
    m_rows.push_back({key, figure, field});
    connect(field, &FieldRow::edited, this, [this] {
        if (!m_filling) emit edited();
    });
    connect(field, &FieldRow::entered, this, [this, at] { check(m_rows[at]); });
    widget()->layout()->addWidget(field);
    return *field;
}

void DeviceSheet::check(const Row& row) {
    row.field->showError({});
    if (!row.figure) return;
    if (const auto value = figureIn(row); !value.has_value())
        row.field->showError(errorSentence(value.error()));
}

Result<std::optional<double>> DeviceSheet::figureIn(const Row& row) {
    return parseTyped(row.field->text().trimmed().toStdString(),
                      [&](const std::string& plain) { return parseFigure(*row.figure, plain); });
}

void DeviceSheet::showDevice(const Machine& machine, const DeviceTexts* typed, bool canEdit,
                             const QString& kind) {
    const auto textOf = [&](const Row& row) {
        if (typed)
            if (const auto found = typed->find(row.key); found != typed->end()) return found->second;
        if (row.key == "name") return canEdit ? QString::fromStdString(machine.name) : deviceText(machine);
        if (row.key == "source") return coreText(machine.source);
        const auto value = figureOf(machine, *row.figure);
        return value ? localText(formatEditable(*value, row.figure->unit)) : QString();
    };
    m_filling = true;
    for (const Row& row : m_rows) {
        const QString text = textOf(row);
        const auto value = row.figure ? figureOf(machine, *row.figure) : std::nullopt;
        showFigure(row, text, value && !canEdit ? quantityText(*value, row.figure->unit) : QString());
        row.field->setReadOnly(!canEdit);
        const bool hasLink = row.key == "link_bytes_per_s" && !machine.linkName.empty();
        row.field->showNote(hasLink ? toText(machine.linkName) : QString());
        if (!row.figure) row.field->setHelp(text);
    }
    m_kind->setText(kind);
    m_copies->setText(copiesText(machine));
    m_copies->setVisible(!m_copies->text().isEmpty());
    m_hint->setText(
        canEdit ? tr("Write numbers with their unit: 989.5 TFLOP/s, 3.35 TB/s, 80 GB. Peaks are dense. "
                     "What is not known is left out; nothing is ever guessed from another figure.")
                : QString());
    m_filling = false;
    if (typed)
        for (const Row& row : m_rows) check(row);
}

/// A measured figure has all of its digits where it can be changed, in a field that is wide enough for them;
/// else they stand in the tooltip of the `brief` number.
void DeviceSheet::showFigure(const Row& row, const QString& exact, const QString& brief) {
    constexpr int kFrame = 18;  // both borders, paddings and the cursor
    if (!row.figure) return row.field->showText(exact);
    const int needed = row.field->fontMetrics().horizontalAdvance(exact) + kFrame;
    const bool isBrief = needed > kNumberWidth && !brief.isEmpty();
    const QString help = coreText(row.figure->help);
    row.field->setFieldWidth(isBrief ? kNumberWidth : std::clamp(needed, kNumberWidth, kTextWidth));
    row.field->setHelp(isBrief ? exact + QLatin1Char('\n') + help : help);
    row.field->showText(isBrief ? brief : exact);
}

DeviceTexts DeviceSheet::texts() const {
    DeviceTexts texts;
    for (const Row& row : m_rows) texts[row.key] = row.field->text();
    return texts;
}

std::optional<Machine> DeviceSheet::read(Machine machine, const std::vector<Machine>& others) {
    const Row* wrong = nullptr;
    for (const Row& row : m_rows) {
        check(row);
        const std::string text = row.field->text().trimmed().toStdString();
        if (row.key == "name") {
            machine.name = text;
        } else if (row.key == "source") {
            machine.source = text;
        } else if (const auto value = figureIn(row); value.has_value()) {
            if (row.key == "link_bytes_per_s" && figureOf(machine, *row.figure) != *value)
                machine.linkName.clear();
            setFigure(machine, *row.figure, *value);
        } else if (!wrong) {
            wrong = &row;
        }
    }
    for (const DeviceProblem& problem : problemsOf(machine, others)) {
        const auto row = std::ranges::find(m_rows, problem.key, &Row::key);
        if (row == m_rows.end() || row->field->hasError()) continue;
        row->field->showError(errorSentence(problem.error));
        if (!wrong) wrong = &*row;
    }
    if (!wrong) return machine;
    wrong->field->focusField();
    return std::nullopt;
}

void DeviceSheet::focusName() { m_rows.front().field->focusField(); }

}  // namespace plumb::ui
