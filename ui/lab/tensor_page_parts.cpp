// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/host_bus.h"
#include "ui/lab/tensor_model.h"
#include "ui/lab/tensor_page.h"
#include "ui/lab/tensor_picture.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/tone_label.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

constexpr int kArrowButton = 36;
constexpr int kLeastField = 84;  // fields give way down to this before the page scrolls sideways

}  // namespace

QWidget* TensorPage::makeControls() {
    Theme& theme = m_context.view.theme;
    auto* controls = new QWidget(this);
    const auto label = [&](const QString& text, QWidget* buddy) {
        auto* made = new ToneLabel(theme, ColorRole::TextMuted, controls);
        made->setText(text);
        made->setBuddy(buddy);
        buddy->setAccessibleName(text);
        return made;
    };
    m_shape = new QLineEdit(controls);
    m_shape->setObjectName(QStringLiteral("tensorShape"));
    m_shape->setToolTip(tr("Sizes between commas: 4, 6. The tensor is called x"));
    m_shape->setMaximumWidth(150);
    m_shape->setMinimumWidth(kLeastField);
    m_dtype = new QComboBox(controls);
    m_dtype->setObjectName(QStringLiteral("tensorDtype"));
    for (const Dtype dtype : kAllDtypes) m_dtype->addItem(toText(dtypeName(dtype)), static_cast<int>(dtype));
    m_device = new QComboBox(controls);
    m_device->setObjectName(QStringLiteral("tensorDevice"));
    m_device->setToolTip(tr("The GPU that .cuda() copies to; its memory bandwidth prices copies there"));
    for (const Machine& machine : m_gpus)
        m_device->addItem(QString::fromStdString(machine.name), QString::fromStdString(machine.id));
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setMinimumContentsLength(14);
    m_bus = new QComboBox(controls);
    m_bus->setObjectName(QStringLiteral("tensorBus"));
    m_bus->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_bus->setMinimumContentsLength(12);
    for (QComboBox* choice : {m_device, m_bus}) choice->setMinimumWidth(kLeastField);
    m_bus->addItem(tr("its own bus"), QStringLiteral("device"));
    m_bus->setItemData(0, tr("The bus that the device's record names"), Qt::ToolTipRole);
    for (const lab::HostBus& bus : lab::hostBuses()) {
        m_bus->addItem(toText(bus.label), toText(bus.name));
        m_bus->setItemData(m_bus->count() - 1,
                           tr("%1 at most, in one direction: %2")
                               .arg(quantityText(bus.bytesPerSecond, "B/s"), toText(bus.source)),
                           Qt::ToolTipRole);
    }
    auto* presets = new QComboBox(controls);
    presets->setObjectName(QStringLiteral("tensorPresets"));
    presets->setAccessibleName(tr("Examples"));
    presets->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    presets->setMinimumContentsLength(10);
    presets->addItem(tr("Examples…"));
    for (const TensorPreset& preset : tensorPresets()) presets->addItem(ui::tr(preset.title));
    presets->view()->setMinimumWidth(340);
    m_error = new ToneLabel(theme, ColorRole::Bad, controls);
    m_error->setObjectName(QStringLiteral("tensorError"));
    m_error->setWordWrap(true);
    m_error->hide();

    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    const auto add = [&](const QString& text, QWidget* widget) {
        row->addWidget(label(text, widget));
        row->addWidget(widget);
        row->addSpacing(8);
    };
    add(tr("Shape of x"), m_shape);
    add(tr("of"), m_dtype);
    add(tr("GPU"), m_device);
    add(tr("over"), m_bus);
    m_dtype->setAccessibleName(tr("Element type"));
    m_bus->setAccessibleName(tr("Bus to the GPU"));
    row->addStretch(1);
    row->addWidget(presets);
    auto* column = new QVBoxLayout(controls);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(row);
    column->addWidget(makeStepButtons());
    column->addWidget(m_error);

    connect(m_shape, &QLineEdit::textEdited, this, &TensorPage::typing);
    connect(m_shape, &QLineEdit::editingFinished, this, &TensorPage::commit);
    for (QComboBox* choice : {m_dtype, m_device, m_bus})
        connect(choice, &QComboBox::activated, this, &TensorPage::commit);
    connect(presets, &QComboBox::activated, this, [this, presets](int index) {
        presets->setCurrentIndex(0);
        if (index <= 0) return;
        const TensorPreset& preset = tensorPresets()[static_cast<std::size_t>(index - 1)];
        TensorInput input = m_input;
        input.shape = QString::fromLatin1(preset.shape);
        input.steps = QString::fromLatin1(preset.steps);
        change(input, tr("tensor"));
    });
    return controls;
}

QWidget* TensorPage::makeStepButtons() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    auto* label = new ToneLabel(m_context.view.theme, ColorRole::TextMuted, bar);
    label->setText(tr("Steps  x"));
    m_steps = new QLineEdit(bar);
    m_steps->setObjectName(QStringLiteral("tensorSteps"));
    m_steps->setAccessibleName(tr("Steps in the words of torch"));
    m_steps->setPlaceholderText(tr("[1:, ::2].transpose(0, 1).view(-1)"));
    m_steps->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    auto* add = new QComboBox(bar);
    add->setObjectName(QStringLiteral("tensorAdd"));
    add->setAccessibleName(tr("Add a step"));
    add->setMinimumWidth(kLeastField);
    add->setMinimumContentsLength(14);
    add->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    add->view()->setMinimumWidth(300);
    add->addItem(tr("Add a step…"));
    for (const lab::StepHelp& help : lab::layoutSteps()) {
        add->addItem(toText(help.form), toText(help.example));
        add->setItemData(add->count() - 1, toText(help.meaning), Qt::ToolTipRole);
    }
    const auto button = [&](const QString& text, const char* name, const QString& tip) {
        auto* made = new QPushButton(text, bar);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        return made;
    };
    m_up = button(QStringLiteral("▲"), "tensorUp", tr("Move the marked step up (Alt+Up)"));
    m_down = button(QStringLiteral("▼"), "tensorDown", tr("Move the marked step down (Alt+Down)"));
    for (QPushButton* narrow : {m_up, m_down}) narrow->setFixedWidth(kArrowButton);
    m_remove = button(tr("Remove"), "tensorRemove", tr("Take the marked step out (Del)"));
    row->addWidget(label);
    row->addWidget(m_steps, 1);
    row->addWidget(add);
    row->addWidget(m_up);
    row->addWidget(m_down);
    row->addWidget(m_remove);
    connect(m_steps, &QLineEdit::textEdited, this, &TensorPage::typing);
    connect(m_steps, &QLineEdit::editingFinished, this, &TensorPage::commit);
    connect(add, &QComboBox::activated, this, [this, add](int index) {
        const QString example = add->itemData(index).toString();
        add->setCurrentIndex(0);
        if (index > 0) addStep(example);
    });
    connect(m_up, &QPushButton::clicked, this, [this] { moveStep(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { moveStep(1); });
    connect(m_remove, &QPushButton::clicked, this, &TensorPage::removeStep);
    return bar;
}

QWidget* TensorPage::makeSteps() {
    Theme& theme = m_context.view.theme;
    auto* side = new QWidget(this);
    m_model = new TensorModel(theme, this);
    m_table = new QTableView(side);
    m_table->setObjectName(QStringLiteral("tensorTable"));
    m_table->setAccessibleName(tr("Steps"));
    m_table->setModel(m_model);
    setUpDataTable(*m_table);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(TensorModel::Step, QHeaderView::Stretch);
    m_table->setMinimumHeight(110);
    m_table->installEventFilter(this);
    m_failure = new ToneLabel(theme, ColorRole::Bad, side);
    m_failure->setObjectName(QStringLiteral("tensorFailure"));
    m_failure->setWordWrap(true);
    m_failure->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_failure->hide();
    m_summary = new ToneLabel(theme, ColorRole::TextMuted, side);
    m_summary->setObjectName(QStringLiteral("tensorSummary"));
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_table, 1);
    column->addWidget(m_failure);
    column->addWidget(m_summary);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &TensorPage::showTensor);
    connect(m_model, &TensorModel::stepEdited, this, &TensorPage::editStep, Qt::QueuedConnection);
    connect(&theme, &Theme::changed, this, [this] { m_table->viewport()->update(); });
    return side;
}

QWidget* TensorPage::makePicture() {
    Theme& theme = m_context.view.theme;
    auto* side = new QWidget(this);
    m_picture = new TensorPicture(theme, side);
    m_address = new ToneLabel(theme, ColorRole::Text, side);
    m_address->setObjectName(QStringLiteral("tensorAddress"));
    m_address->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_address->setElided();
    m_leftOut = new ToneLabel(theme, ColorRole::TextMuted, side);
    m_leftOut->setObjectName(QStringLiteral("tensorLeftOut"));
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_address);
    column->addWidget(m_picture, 1);
    column->addWidget(m_leftOut);
    connect(m_picture, &TensorPicture::elementShown, this, &TensorPage::showAddress);
    return side;
}

}  // namespace plumb::ui
