// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tensor_fields.h"

#include "core/base/entry_at.h"
#include "core/lab/host_bus.h"
#include "ui/lab/fixed_font.h"
#include "ui/theme/text.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/tone_label.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kArrowButton = 36;
constexpr int kLeastField = 84;  // fields give way down to this before the page scrolls sideways
constexpr int kRowSpacing = 6;
constexpr int kBetweenFields = 8;

/// What a scroll bar around it would take of its width; 0 where it is there.
int roomOfBarToCome(const QWidget& within) {
    for (const QWidget* outer = within.parentWidget(); outer != nullptr; outer = outer->parentWidget())
        if (const auto* area = qobject_cast<const QScrollArea*>(outer))
            return area->verticalScrollBar()->isVisible() ? 0 : area->verticalScrollBar()->sizeHint().width();
    return 0;
}

}  // namespace

TensorFields::TensorFields(Theme& theme, const std::vector<Machine>& gpus, QWidget* parent)
    : QWidget(parent), m_theme(theme) {
    m_shape = makeText("tensorShape");
    m_shape->setToolTip(tr("Sizes between commas: 4, 6. The tensor is called x"));
    m_shape->setMaximumWidth(150);
    m_shape->setMinimumWidth(kLeastField);
    m_dtype = new QComboBox(this);
    m_dtype->setObjectName(QStringLiteral("tensorDtype"));
    for (const Dtype dtype : kAllDtypes) m_dtype->addItem(toText(dtypeName(dtype)), static_cast<int>(dtype));
    m_device = makeChoice("tensorDevice", 22);
    m_device->setToolTip(tr("The GPU that .cuda() copies to; its memory bandwidth prices copies there"));
    for (const Machine& machine : gpus) m_device->addItem(deviceText(machine), toText(machine.id));
    m_bus = makeChoice("tensorBus", 12);
    fillBuses();
    for (QComboBox* choice : {m_dtype, m_device, m_bus})
        connect(choice, &QComboBox::activated, this, &TensorFields::committed);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kRowSpacing);
    column->addLayout(makeTensorRow());
    column->addLayout(makeStepRow());
    m_error = new ToneLabel(theme, ColorRole::Bad, this);
    m_error->setObjectName(QStringLiteral("tensorError"));
    m_error->setWordWrap(true);
    m_error->hide();
    column->addWidget(m_error);
    column->addWidget(new FixButton(*m_error), 0, Qt::AlignLeft);
}

TensorInput TensorFields::input() const {
    return {m_shape->text().trimmed(), m_steps->text().trimmed(),
            static_cast<Dtype>(m_dtype->currentData().toInt()), m_device->currentData().toString(),
            m_bus->currentData().toString()};
}

void TensorFields::setInput(const TensorInput& input) {
    m_shape->setText(input.shape);
    m_steps->setText(input.steps);
    m_dtype->setCurrentIndex(m_dtype->findData(static_cast<int>(input.dtype)));
    m_device->setCurrentIndex(std::max(0, m_device->findData(input.device)));
    m_bus->setCurrentIndex(std::max(0, m_bus->findData(input.bus)));
}

bool TensorFields::hasDevice(const QString& id) const { return m_device->findData(id) >= 0; }

void TensorFields::showError(const QString& sentence, const QString& meant) {
    m_error->setText(sentence);
    m_error->setVisible(!sentence.isEmpty());
    FixButton* const fix = FixButton::of(*m_error);
    if (meant.isEmpty()) return fix->withdraw();
    fix->offerUse(meant, [this, meant] {
        m_steps->setFocus();  // the button goes, and the keyboard with it
        m_steps->setText(meant);
        emit committed();
    });
}

void TensorFields::markStep(int row, int steps) {
    m_up->setEnabled(row > 1);
    m_down->setEnabled(row > 0 && row < steps);
    m_remove->setEnabled(row > 0);
}

QLineEdit* TensorFields::makeText(const char* name) {
    auto* field = new QLineEdit(this);
    field->setObjectName(QLatin1String(name));
    connect(field, &QLineEdit::textEdited, this, &TensorFields::typing);
    connect(field, &QLineEdit::editingFinished, this, &TensorFields::committed);
    return field;
}

QComboBox* TensorFields::makeChoice(const char* name, int characters) {
    auto* choice = new QComboBox(this);
    choice->setObjectName(QLatin1String(name));
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(characters);
    choice->setMinimumWidth(kLeastField);
    return choice;
}

void TensorFields::fillBuses() {
    m_bus->addItem(tr("its own bus"), QStringLiteral("device"));
    m_bus->setItemData(0, tr("The bus that the device's record names"), Qt::ToolTipRole);
    for (const lab::HostBus& bus : lab::hostBuses()) {
        m_bus->addItem(coreText(bus.label), toText(bus.name));
        m_bus->setItemData(m_bus->count() - 1,
                           tr("%1 at most, in one direction: %2")
                               .arg(quantityText(bus.bytesPerSecond, "B/s"), coreText(bus.source)),
                           Qt::ToolTipRole);
    }
}

QComboBox* TensorFields::makePresets() {
    QComboBox* presets = makeChoice("tensorPresets", 10);
    presets->setMinimumWidth(0);
    presets->setAccessibleName(tr("Examples"));
    presets->addItem(tr("Examples…"));
    for (const TensorPreset& preset : tensorPresets()) presets->addItem(ui::tr(preset.title));
    presets->view()->setMinimumWidth(340);
    connect(presets, &QComboBox::activated, this, [this, presets](int index) {
        presets->setCurrentIndex(0);
        if (index > 0) emit presetChosen(entryAt(tensorPresets(), index - 1));
    });
    return presets;
}

QComboBox* TensorFields::makeStepChoice() {
    QComboBox* add = makeChoice("tensorAdd", 14);
    add->setAccessibleName(tr("Add a step"));
    add->view()->setMinimumWidth(300);
    add->addItem(tr("Add a step…"));
    for (const lab::StepHelp& help : lab::layoutSteps()) {
        add->addItem(toText(help.form), toText(help.example));
        add->setItemData(add->count() - 1, coreText(help.meaning), Qt::ToolTipRole);
    }
    connect(add, &QComboBox::activated, this, [this, add](int index) {
        const QString example = add->itemData(index).toString();
        add->setCurrentIndex(0);
        if (index > 0) emit stepChosen(example);
    });
    return add;
}

void TensorFields::addField(QHBoxLayout& row, const QString& text, QWidget* field,
                            const QString& accessibleName) {
    auto* label = new ToneLabel(m_theme, ColorRole::TextMuted, this);
    label->setText(text);
    label->setBuddy(field);
    field->setAccessibleName(accessibleName);
    row.addWidget(label);
    row.addWidget(field);
    row.addSpacing(kBetweenFields);
}

QHBoxLayout* TensorFields::makeTensorRow() {
    auto* row = m_tensorRow = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    addField(*row, tr("Shape of x"), m_shape, tr("Shape of x"));
    addField(*row, tr("of", "an element type"), m_dtype, tr("Element type"));
    m_where = new QWidget(this);
    auto* where = new QHBoxLayout(m_where);
    where->setContentsMargins(0, 0, 0, 0);
    where->setSpacing(kRowSpacing);
    addField(*where, tr("GPU"), m_device, tr("GPU"));
    addField(*where, tr("over", "a bus"), m_bus, tr("Bus to the GPU"));
    row->addWidget(m_where);
    row->addStretch(1);
    row->addWidget(makePresets());
    return row;
}

void TensorFields::setDeviceBelow(bool below) {
    if (below == m_isDeviceBelow) return;
    m_isDeviceBelow = below;
    auto* column = static_cast<QVBoxLayout*>(layout());
    constexpr int kBehindType = 6;  // items of the row before it: two labels, fields and gaps
    if (below) {
        m_tensorRow->removeWidget(m_where);
        column->insertWidget(1, m_where, 0, Qt::AlignLeft);
    } else {
        column->removeWidget(m_where);
        m_tensorRow->insertWidget(kBehindType, m_where);
    }
}

QSize TensorFields::minimumSizeHint() const {
    const QSize least = QWidget::minimumSizeHint();
    if (m_isDeviceBelow) return least;
    const int where = m_where->minimumSizeHint().width() + kRowSpacing;
    return {std::max(m_tensorRow->minimumSize().width() - where, m_stepRow->minimumSize().width()),
            least.height()};
}

// Beside each other where both combos can be read there, whether the page has a scroll bar or not: that comes
// with an error, while somebody types.
void TensorFields::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int where = m_where->sizeHint().width() + kRowSpacing;
    const int others = m_tensorRow->sizeHint().width() - (m_isDeviceBelow ? 0 : where);
    setDeviceBelow(others + where > width() - roomOfBarToCome(*this));
}

QHBoxLayout* TensorFields::makeStepRow() {
    auto* row = m_stepRow = new QHBoxLayout;
    row->setSpacing(kRowSpacing);
    auto* label = new ToneLabel(m_theme, ColorRole::TextMuted, this);
    label->setText(tr("Steps  x"));
    m_steps = makeText("tensorSteps");
    m_steps->setAccessibleName(tr("Steps in the words of torch"));
    m_steps->setPlaceholderText(tr("[1:, ::2].transpose(0, 1).view(-1)"));
    m_steps->setFont(fixedFont(font()));
    row->addWidget(label);
    row->addWidget(m_steps, 1);
    row->addWidget(makeStepChoice());
    const auto button = [&](const QString& text, const char* name, const QString& tip) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        row->addWidget(made);
        return made;
    };
    m_up = button(QStringLiteral("▲"), "tensorUp", tr("Move the marked step up (Alt+Up)"));
    m_down = button(QStringLiteral("▼"), "tensorDown", tr("Move the marked step down (Alt+Down)"));
    for (QPushButton* narrow : {m_up, m_down}) narrow->setFixedWidth(kArrowButton);
    m_remove = button(tr("Remove"), "tensorRemove", tr("Take the marked step out (Del)"));
    connect(m_up, &QPushButton::clicked, this, [this] { emit moveRequested(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { emit moveRequested(1); });
    connect(m_remove, &QPushButton::clicked, this, &TensorFields::removeRequested);
    return row;
}

}  // namespace plumb::ui
