// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_panel.h"

#include "core/model/names.h"
#include "core/plan/optimizer_rule.h"
#include "ui/theme/house_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/file_picker.h"
#include "ui/widgets/meter.h"
#include "ui/widgets/segmented_control.h"
#include "ui/workbench/config_history.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kPanelWidth = 284;
constexpr int kSide = 20;
constexpr int kScrollBar = 10;  // HouseStyle's

}  // namespace

RunPanel::RunPanel(ViewContext context, RunController& controller, ConfigHistory& history, QWidget* parent)
    : QWidget(parent), m_context(context), m_controller(controller), m_history(history) {
    setObjectName(QStringLiteral("runPanel"));
    setFixedWidth(kPanelWidth);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setVerticalScrollBarPolicy(
        Qt::ScrollBarAlwaysOn);  // its room is kept: nothing moves when it shows
    scroll->setWidgetResizable(true);
    scroll->viewport()->setAutoFillBackground(false);
    auto* content = new QWidget(scroll);
    content->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(kSide, 6, kSide - kScrollBar, 8);
    layout->setSpacing(7);
    buildModel(*layout);
    buildStep(*layout);
    buildTraining(*layout);
    buildAdvanced(*layout);
    layout->addStretch(1);
    scroll->setWidget(content);
    outer->addWidget(scroll, 1);
    auto* foot = new QWidget(this);
    auto* footLayout = new QVBoxLayout(foot);
    footLayout->setContentsMargins(kSide, 0, kSide, 14);
    footLayout->setSpacing(7);
    buildMemory(*footLayout);
    buildButtons(*footLayout);
    outer->addWidget(foot);

    connect(&m_context.workbench, &Workbench::sceneChanged, this, &RunPanel::refresh);
    connect(&m_context.workbench, &Workbench::sceneChanged, this, [this] {
        showSentence(m_footError, {});
        if (!m_budget->isModified()) showSentence(m_checkpointError, {});
    });
    connect(&m_controller, &RunController::changed, this, &RunPanel::refresh);
    connect(&m_context.workbench, &Workbench::configRejected, this, [this](const QString& sentence) {
        if (m_errorRow) return m_errorRow->showError(sentence);
        showSentence(m_errorLine ? m_errorLine : m_footError, sentence);
    });
    const auto paintPanel = [this] {
        QPalette palette;
        palette.setColor(QPalette::Window, m_context.theme.color(ColorRole::Panel));
        setPalette(palette);
    };
    setAutoFillBackground(true);
    paintPanel();
    connect(&m_context.theme, &Theme::changed, this, paintPanel);
    for (auto* field : findChildren<QLineEdit*>()) field->installEventFilter(this);
    for (auto* box : findChildren<QComboBox*>()) box->installEventFilter(this);
    refresh();
}

QLabel* RunPanel::addSentence(QVBoxLayout& layout, const char* name, ColorRole role) {
    auto* label = new QLabel(this);
    label->setObjectName(QString::fromLatin1(name));
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->hide();
    followColor(label, m_context.theme, role);
    layout.addWidget(label);
    return label;
}

QLabel* RunPanel::addHeading(QVBoxLayout& layout, const QString& text) {
    auto* label = new QLabel(text.toUpper(), this);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() - 1);
    font.setWeight(QFont::DemiBold);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.3);
    label->setFont(font);
    label->setContentsMargins(0, 6, 0, 0);
    followColor(label, m_context.theme, ColorRole::TextMuted);
    layout.addWidget(label);
    return label;
}

void RunPanel::addLabelled(QVBoxLayout& layout, const QString& text, QWidget* widget, int width) {
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(text, this);
    label->setBuddy(widget);
    followColor(label, m_context.theme, ColorRole::TextMuted);
    widget->setAccessibleName(text);
    if (width > 0) widget->setFixedWidth(width);
    row->addWidget(label, width > 0 ? 1 : 0);
    row->addWidget(widget, width > 0 ? 0 : 1);
    layout.addLayout(row);
}

SliderRow* RunPanel::addSlider(QVBoxLayout& layout, const QString& label, const char* name,
                               const char* option, std::function<RunConfig(RunConfig, std::int64_t)> with) {
    auto* row = new SliderRow(m_context.theme, label, QString::fromLatin1(name), this);
    row->setHelp(optionHelp(option));
    connect(row, &SliderRow::chosen, this,
            [this, row, label, with = std::move(with)](qint64 value, int gesture) {
                edit(label, with(m_context.workbench.config(), value), row, gesture);
            });
    layout.addWidget(row);
    return row;
}

void RunPanel::buildModel(QVBoxLayout& layout) {
    addHeading(layout, tr("Model"));
    m_dim = addSlider(layout, tr("Width D"), "dim", "dim", [](RunConfig c, std::int64_t v) {
        c.dim = v;
        return c;
    });
    m_layers = addSlider(layout, tr("Layers L"), "layers", "layers", [](RunConfig c, std::int64_t v) {
        c.layers = v;
        if (c.checkpoint.kind == CheckpointPolicy::Kind::Every && v >= 1)
            c.checkpoint.interval = std::min(c.checkpoint.interval, v);
        return c;
    });
    m_outputs = addSlider(layout, tr("Outputs K"), "outputs", "outputs", [](RunConfig c, std::int64_t v) {
        c.outputs = v;
        return c;
    });
    m_activation =
        new SegmentedControl(m_context.theme, {tr("none"), tr("ReLU")}, QStringLiteral("activation"), this);
    connect(m_activation, &SegmentedControl::chosen, this, [this](int index) {
        RunConfig config = m_context.workbench.config();
        config.activation = static_cast<Activation>(index);
        edit(tr("activation"), config);
    });
    addLabelled(layout, tr("Activation"), m_activation, 132);
}

void RunPanel::buildStep(QVBoxLayout& layout) {
    addHeading(layout, tr("Step"));
    m_batch = addSlider(layout, tr("Batch B"), "batch", "batch", withBatch);
    m_microBatch =
        addSlider(layout, tr("Micro-batch"), "microBatch", "micro-batch", [](RunConfig c, std::int64_t v) {
            c.microBatch = v == c.batch ? 0 : v;
            return c;
        });
    buildCheckpoint(layout);
    buildPrecision(layout);
}

void RunPanel::buildTraining(QVBoxLayout& layout) {
    m_optimizer = new QComboBox(this);
    m_optimizer->setObjectName(QStringLiteral("optimizer"));
    for (const auto& [optimizer, name] : kOptimizerNames) {
        const std::string_view label = optimizerLabel(optimizer);
        m_optimizer->addItem(QString::fromUtf8(label.data(), static_cast<qsizetype>(label.size())));
    }
    m_optimizer->setMaxVisibleItems(static_cast<int>(kOptimizerNames.size()));
    m_optimizer->setToolTip(optionHelp("optimizer"));
    connect(m_optimizer, &QComboBox::activated, this, [this](int index) {
        edit(tr("optimizer"), withOptimizer(m_context.workbench.config(),
                                            kOptimizerNames.at(static_cast<std::size_t>(index)).first));
    });
    addLabelled(layout, tr("Optimizer"), m_optimizer, 132);
    addHeading(layout, tr("Run"));
    m_device = new QComboBox(this);
    m_device->setObjectName(QStringLiteral("device"));
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setMinimumContentsLength(8);
    connect(m_device, &QComboBox::activated, this, [this](int index) { m_controller.chooseDevice(index); });
    auto* rescan = new QPushButton(QStringLiteral("⟳"), this);
    rescan->setObjectName(QStringLiteral("rescanDevices"));
    rescan->setProperty(kQuietButton, true);
    rescan->setAccessibleName(tr("Look for devices again"));
    rescan->setToolTip(tr("Ask the engine again which devices it can run on"));
    rescan->setFixedWidth(30);
    connect(rescan, &QPushButton::clicked, this, [this] { m_controller.rescanDevices(); });
    auto* chooser = new QWidget(this);
    auto* chooserRow = new QHBoxLayout(chooser);
    chooserRow->setContentsMargins(0, 0, 0, 0);
    chooserRow->setSpacing(2);
    chooserRow->addWidget(m_device, 1);
    chooserRow->addWidget(rescan);
    chooser->setFocusProxy(m_device);
    m_device->setAccessibleName(tr("Device"));
    addLabelled(layout, tr("Device"), chooser);
    m_deviceNote = addSentence(layout, "deviceNote", ColorRole::TextMuted);
    buildCounters(layout);
    const auto makeField = [&](const char* name, bool (RunPanel::*submit)()) {
        auto* field = new QLineEdit(this);
        field->setObjectName(QString::fromLatin1(name));
        field->setAlignment(Qt::AlignRight);
        connect(field, &QLineEdit::editingFinished, this, [this, submit] { (this->*submit)(); });
        return field;
    };
    m_learningRate = makeField("learningRate", &RunPanel::submitLearningRate);
    addLabelled(layout, tr("Learning rate"), m_learningRate, 84);
    m_steps = makeField("steps", &RunPanel::submitSteps);
    m_steps->setPlaceholderText(QStringLiteral("∞"));
    m_steps->setToolTip(tr("How many steps to train; empty: until stopped"));
    m_seed = makeField("seed", &RunPanel::submitSeed);
    m_seed->setToolTip(optionHelp("seed"));
    auto* pair = new QHBoxLayout;
    pair->setSpacing(12);
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    addLabelled(*left, tr("Steps"), m_steps, 72);
    addLabelled(*right, tr("Seed"), m_seed, 72);
    pair->addLayout(left, 1);
    pair->addLayout(right, 1);
    layout.addLayout(pair);
    m_inputError = addSentence(layout, "inputError");

    m_data = new FilePicker(tr("synthetic (choose a file…)"), QStringLiteral("data"), this);
    m_targets = new FilePicker(tr("choose a file…"), QStringLiteral("targets"), this);
    const auto connectPicker = [this](FilePicker* picker, const QString& title, DataFile which) {
        connect(picker, &FilePicker::pickRequested, this, [this, title, which] {
            emit fileWanted(title, [this, which](const QString& path) { chooseFile(which, path); });
        });
        connect(picker, &FilePicker::cleared, this, [this, which] { chooseFile(which, {}); });
    };
    connectPicker(m_data, tr("features"), DataFile::Features);
    connectPicker(m_targets, tr("targets"), DataFile::Targets);
    addLabelled(layout, tr("Features"), m_data);
    addLabelled(layout, tr("Targets"), m_targets);
    m_dataError = addSentence(layout, "dataError");
}

void RunPanel::buildMemory(QVBoxLayout& layout) {
    addHeading(layout, tr("Fits in memory"));
    m_meter = new Meter(m_context.theme, this);
    m_meter->setObjectName(QStringLiteral("memoryMeter"));
    layout.addWidget(m_meter);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    m_used = new QLabel(this);
    m_used->setObjectName(QStringLiteral("memoryUsed"));
    QFont bold = m_used->font();
    bold.setWeight(QFont::DemiBold);
    m_used->setFont(bold);
    m_maximum = new QPushButton(this);
    m_maximum->setObjectName(QStringLiteral("maximumBatch"));
    m_maximum->setProperty(kQuietButton, true);
    connect(m_maximum, &QPushButton::clicked, this, [this] {
        if (m_maximumBatch > 0)
            edit(tr("batch"), withBatch(m_context.workbench.config(), m_maximumBatch), m_batch);
    });
    row->addWidget(m_used, 1);
    row->addWidget(m_maximum);
    layout.addLayout(row);
}

void RunPanel::buildCounters(QVBoxLayout& layout) {
    m_counters = new SegmentedControl(m_context.theme, {tr("off"), tr("quick"), tr("full")},
                                      QStringLiteral("counters"), this);
    connect(m_counters, &SegmentedControl::chosen, this, [this](int index) {
        m_controller.setCountersWanted(
            index == 0 ? std::nullopt
                       : std::optional(kAllCounterDetails.at(static_cast<std::size_t>(index) - 1)));
    });
    addLabelled(layout, tr("Counters"), m_counters, 132);
    m_countersNote = addSentence(layout, "countersNote", ColorRole::TextMuted);
}

void RunPanel::buildButtons(QVBoxLayout& layout) {
    const auto button = [&](const char* name, const QString& text) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QString::fromLatin1(name));
        made->setMinimumHeight(36);
        return made;
    };
    m_apply = button("applyButton", tr("Apply and restart"));
    m_apply->setToolTip(tr("Stop the run and start it again with the settings above"));
    m_run = button("runButton", tr("Run"));
    m_run->setProperty(kPrimaryButton, true);
    QFont bold = m_run->font();
    bold.setWeight(QFont::DemiBold);
    m_run->setFont(bold);
    m_stop = button("stopButton", tr("Stop"));
    m_profile = button("profileButton", tr("Profile"));
    const auto start = [this](QPushButton* pressed, void (RunController::*action)()) {
        connect(pressed, &QPushButton::clicked, this, [this, action] {
            // Not (m_controller.*action)(): with -fsanitize=vptr GCC 12 sets `this` for virtual ones only.
            if (commitEntries()) std::invoke(action, m_controller);
        });
    };
    start(m_apply, &RunController::apply);
    start(m_profile, &RunController::profile);
    connect(m_stop, &QPushButton::clicked, &m_controller, &RunController::stop);
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (m_controller.training()) return m_controller.pauseOrResume();
        if (commitEntries()) m_controller.run();
    });
    m_footError = addSentence(layout, "panelError");
    layout.addWidget(m_apply);
    auto* row = new QHBoxLayout;
    row->setSpacing(7);
    row->addWidget(m_run, 3);
    row->addWidget(m_stop, 2);
    row->addWidget(m_profile, 2);
    layout.addLayout(row);
}

}  // namespace plumb::ui
