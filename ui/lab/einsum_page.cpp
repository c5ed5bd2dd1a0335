// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/einsum_page.h"

#include "core/machine/hardware_database.h"
#include "ui/charts/chart_panel.h"
#include "ui/engine/lab_engine.h"
#include "ui/engine/run_controller.h"
#include "ui/lab/einsum_costs.h"
#include "ui/lab/einsum_roofline.h"
#include "ui/lab/einsum_sizes.h"
#include "ui/lab/fixed_font.h"
#include "ui/settings/settings.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/action_link.h"
#include "ui/widgets/card.h"
#include "ui/widgets/fix_button.h"
#include "ui/widgets/lab_edit.h"
#include "ui/widgets/splitter.h"
#include "ui/widgets/tone_label.h"
#include "ui/widgets/wrap_layout.h"
#include "ui/workbench/workbench.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kLeastExpression = 260;
constexpr int kCostsBeside = 700, kLeastRoofline = 340;  // of the cards below

}  // namespace

EinsumPage::EinsumPage(LabContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    setObjectName(QStringLiteral("einsumPage"));
    setAccessibleName(tr("Expressions over named dimensions"));
    m_split = makeSplitter(Qt::Horizontal, QStringLiteral("einsumSplit"), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(makeExpressionCard());
    layout->addWidget(m_split, 1);
    m_split->addWidget(makeCostCard());
    m_split->addWidget(makeRooflineCard());
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 1);
    m_split->setSizes({1000, 1000});  // shares

    refreshDevices();
    EinsumInput input;
    const LabSettings kept = context.settings.lab();
    if (!kept.expression.isNull()) input.text = kept.expression;
    input.sizes = kept.sizes.isNull() ? DimensionSizes{{"batch", 8192}, {"in", 4096}, {"out", 4096}}
                                      : sizesFromText(kept.sizes);
    if (const auto dtype = dtypeFromName(kept.einsumDtype.toStdString())) input.dtype = *dtype;
    input.device = kept.einsumDevice;
    if (m_device->findData(input.device) < 0) {
        const auto usual = HardwareDatabase::builtIn().find("H100 SXM");
        input.device = usual.has_value() ? toText((*usual).id) : QString();
    }
    if (!makeEinsumState(input, m_machines).valid()) {
        const QString device = input.device;
        input = {};
        input.device = device;
    }
    apply(input);
    connect(&context.view.workbench, &Workbench::sceneChanged, this, [this] {
        const auto& scene = m_context.view.workbench.scene();
        if (m_machines.empty() || m_machines.front().id != scene->whatIf.machine().id ||
            m_machines.front().source != scene->whatIf.machine().source) {
            refreshDevices();
            apply(m_input);
        }
    });
}

EinsumPage::~EinsumPage() { silenceFocus(*this); }

// One above the other where a table beside the roofline would be moved sideways.
void EinsumPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool isAbove = width() < scaled(kCostsBeside);
    m_split->setOrientation(isAbove ? Qt::Vertical : Qt::Horizontal);
    m_split->widget(1)->setMinimumHeight(isAbove ? kLeastRoofline : 0);
}

QWidget* EinsumPage::makeExpressionCard() {
    Theme& theme = m_context.view.theme;
    auto* card = new Card(theme, tr("An expression over named dimensions"), this);
    card->setObjectName(QStringLiteral("einsumCard"));
    card->setContentMargins(16, 8, 16, 12);
    card->setSubtitle(tr("a product: batch in, in out -> batch out; also (h w), mean:, repeat:, relu:"));
    auto* copyButton = new QPushButton(tr("Copy"), card);
    copyButton->setObjectName(QStringLiteral("einsumCopy"));
    copyButton->setToolTip(tr("Copy what the page says as text"));
    connect(copyButton, &QPushButton::clicked, this, &EinsumPage::copy);
    card->addHeaderWidget(copyButton);

    auto* content = new QWidget(card);
    m_text = new QLineEdit(content);
    m_text->setObjectName(QStringLiteral("einsumText"));
    m_text->setAccessibleName(tr("Expression"));
    m_text->setFont(fixedFont(font()));
    m_dtype = new QComboBox(content);
    m_dtype->setObjectName(QStringLiteral("einsumDtype"));
    m_dtype->setAccessibleName(tr("Element type"));
    for (const Dtype dtype : kAllDtypes) m_dtype->addItem(toText(dtypeName(dtype)), static_cast<int>(dtype));
    m_device = new QComboBox(content);
    m_device->setObjectName(QStringLiteral("einsumDevice"));
    m_device->setAccessibleName(tr("Device"));
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setMinimumContentsLength(22);
    auto* presets = new QComboBox(content);
    presets->setObjectName(QStringLiteral("einsumPresets"));
    presets->setAccessibleName(tr("Examples"));
    presets->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    presets->setMinimumContentsLength(10);
    presets->addItem(tr("Examples…"));
    for (const EinsumPreset& preset : einsumPresets()) {
        presets->addItem(preset.title);
        presets->setItemData(presets->count() - 1, preset.text, Qt::ToolTipRole);
    }
    presets->view()->setMinimumWidth(320);
    m_text->setMinimumWidth(scaled(kLeastExpression));
    auto* entry = new WrapLayout;
    entry->addWidget(m_text);
    entry->addWidget(presets);
    entry->addWidget(m_dtype);
    entry->addWidget(m_device);
    m_error = new ToneLabel(theme, ColorRole::Bad, content);
    m_error->setObjectName(QStringLiteral("einsumError"));
    m_error->setWordWrap(true);
    m_error->hide();
    m_sizes = new EinsumSizes(theme, content, m_text);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(entry);
    column->addWidget(m_error);
    column->addWidget(new FixButton(*m_error), 0, Qt::AlignLeft);
    column->addLayout(m_sizes->layout());
    card->setContent(content);
    connect(m_text, &QLineEdit::textEdited, this, &EinsumPage::typing);
    connect(m_text, &QLineEdit::editingFinished, this, &EinsumPage::commit);
    connect(m_dtype, &QComboBox::activated, this, &EinsumPage::commit);
    connect(m_device, &QComboBox::activated, this, &EinsumPage::commit);
    connect(m_sizes, &EinsumSizes::entered, this, &EinsumPage::takeSize);
    connect(m_sizes, &EinsumSizes::rejected, this, &EinsumPage::showError);
    connect(m_sizes, &EinsumSizes::accepted, m_error, &QWidget::hide);
    connect(presets, &QComboBox::activated, this, [this, presets](int index) {
        presets->setCurrentIndex(0);
        if (index > 0) take(einsumPresets().at(static_cast<std::size_t>(index - 1)));
    });
    return card;
}

QWidget* EinsumPage::makeCostCard() {
    auto* card = new Card(m_context.view.theme, tr("What it costs"), this);
    card->setObjectName(QStringLiteral("einsumCostCard"));
    card->setContentMargins(16, 8, 16, 10);
    m_costs = new EinsumCosts(m_context.view.theme, card);
    card->setContent(m_costs);
    connect(m_costs, &EinsumCosts::gradientTaken, this, [this](int index) {
        const QString text = m_state.gradients[index].text;
        if (!text.isEmpty()) takeText(text, {});
    });
    return card;
}

QWidget* EinsumPage::makeRooflineCard() {
    Theme& theme = m_context.view.theme;
    auto* card = new Card(theme, tr("Roofline"), this);
    card->setObjectName(QStringLiteral("einsumRooflineCard"));
    card->setContentMargins(8, 4, 8, 10);
    card->setMinimumWidth(320);
    auto* chart = new ChartPanel(theme, card);
    chart->setObjectName(QStringLiteral("einsumRoofline"));
    m_roofline = std::make_unique<EinsumRoofline>(*chart);
    m_calibrate = new ActionLink(tr("Calibrate"), "run.calibrate", chart);
    m_calibrate->setObjectName(QStringLiteral("einsumCalibrate"));
    m_calibrate->standBelowMiddle(*chart);
    m_calibrate->hide();
    auto* content = new QWidget(card);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(chart, 1);
    m_timed = new ToneLabel(theme, ColorRole::TextMuted, content);
    m_timed->setObjectName(QStringLiteral("einsumTimed"));
    m_timed->setWordWrap(true);
    m_timed->setContentsMargins(8, 0, 8, 0);
    column->addWidget(m_timed);
    card->setContent(content);
    m_time = new QPushButton(tr("Time it"), card);
    m_time->setObjectName(QStringLiteral("einsumTime"));
    card->addHeaderWidget(m_time);
    connect(m_time, &QPushButton::clicked, this, &EinsumPage::timeOrCancel);
    connect(&m_context.engine, &LabEngine::changed, this, &EinsumPage::showTiming);
    connect(&m_context.engine, &LabEngine::timed, this, &EinsumPage::takeTime);
    connect(&m_context.engine, &LabEngine::timingRefused, this, [this](const QString& sentence) {
        m_refusal = sentence;
        showTiming();
    });
    connect(chart, &ChartPanel::hovered, this, [this, chart](const QPointF&, const QPointF& pixel) {
        const std::optional<int> tag = chart->markAt(pixel);
        if (!tag || *tag < 0) return chart->hideCard();
        chart->showCard(einsumPointCard(m_state.points[*tag]));
    });
    connect(chart, &ChartPanel::left, chart, &ChartPanel::hideCard);
    connect(chart, &ChartPanel::clicked, this, [this, chart](const QPointF&, const QPointF& pixel) {
        const std::optional<int> tag = chart->markAt(pixel);
        if (!tag || *tag < 0 || m_state.points[*tag].text.isEmpty()) return;
        chart->hideCard();
        const EinsumPoint point = m_state.points[*tag];
        takeText(point.text, point.sizes);
    });
    return card;
}

void EinsumPage::refreshDevices() {
    const QString chosen = m_device->currentData().toString();
    m_machines = labMachines(m_context.view.workbench);
    m_device->clear();
    for (const Machine& machine : m_machines) {
        m_device->addItem(deviceText(machine), toText(machine.id));
        m_device->setItemData(m_device->count() - 1, coreText(machine.source), Qt::ToolTipRole);
    }
    m_device->setCurrentIndex(std::max(0, m_device->findData(chosen)));
}

const Machine* EinsumPage::machine() const {
    const auto found = std::ranges::find(m_machines, m_input.device.toStdString(), &Machine::id);
    return found == m_machines.end() ? nullptr : &*found;
}

void EinsumPage::takeText(const QString& text, const DimensionSizes& sizes) {
    EinsumInput input = m_input;
    input.text = text;
    for (const auto& [name, size] : sizes) input.sizes[name] = size;
    change(input, tr("expression"));
}

void EinsumPage::takeSize(const QString& name, qint64 size) {
    EinsumInput input = m_input;
    input.text = m_text->text().trimmed();
    input.sizes[name.toStdString()] = size;
    const EinsumState next = makeEinsumState(input, m_machines);
    if (!next.valid()) return showError(next.error);
    change(input, tr("size of %1").arg(name));
}

void EinsumPage::showError(const QString& sentence) {
    m_error->setText(sentence);
    m_error->show();
}

void EinsumPage::showControl(QWidget* control) { m_costs->reveal(control); }

DimensionSizes EinsumPage::sizesInForce() const {
    DimensionSizes sizes;
    for (const auto& [name, size] : m_state.dimensions) sizes[name.toStdString()] = size;
    return sizes;
}

void EinsumPage::timeOrCancel() {
    if (m_context.engine.timing()) return m_context.engine.cancelTiming();
    if (!m_state.valid()) return;
    m_asked = m_input;
    m_refusal.clear();
    m_timed->showText({}, ColorRole::TextMuted);
    m_context.engine.time(m_input.text, sizesInForce(), m_input.dtype);
}

void EinsumPage::takeTime(const protocol::EinsumTimed& result) {
    const auto& devices = m_context.controller.devices().all();
    // Not the device that trains: beside a GPU the engine times on the processor.
    const auto ran = std::ranges::find_if(
        devices, [&](const DeviceChoice& device) { return device.target.machine.id == result.machine; });
    m_measured = EinsumMeasurement{m_asked, result, ran == devices.end() ? Machine{} : ran->target.machine};
    showTiming();
    if (m_state.valid()) showRoofline();
}

void EinsumPage::typing() {
    EinsumInput input = m_input;
    input.text = m_text->text();
    showState(makeEinsumState(input, m_machines));
}

void EinsumPage::commit() {
    EinsumInput input = m_input;
    input.text = m_text->text().trimmed();
    input.dtype = static_cast<Dtype>(m_dtype->currentData().toInt());
    input.device = m_device->currentData().toString();
    if (!makeEinsumState(input, m_machines).valid()) {
        // What was chosen holds; what was typed stays beside the sentence that says what is wrong with it.
        input.text = m_input.text;
        if (input == m_input) return;
    }
    if (input != m_input) change(input, tr("expression"));
}

void EinsumPage::change(const EinsumInput& input, const QString& what) {
    if (input == m_input) return apply(input);
    pushInput<EinsumInput>(m_context.undo, this, what, m_input, input, [this](const EinsumInput& shown) {
        apply(shown);
        emit revealed();
    });
}

void EinsumPage::apply(const EinsumInput& input) {
    if (input != m_input) m_refusal.clear();
    m_input = input;
    m_text->setText(input.text);
    m_dtype->setCurrentIndex(m_dtype->findData(static_cast<int>(input.dtype)));
    m_device->setCurrentIndex(std::max(0, m_device->findData(input.device)));
    LabSettings kept = m_context.settings.lab();
    kept.expression = input.text;
    kept.sizes = sizesText(input.sizes);
    kept.einsumDtype = toText(dtypeName(input.dtype));
    kept.einsumDevice = input.device;
    m_context.settings.setLab(kept);
    showState(makeEinsumState(input, m_machines));
}

void EinsumPage::copy() {
    const Machine* device = machine();
    QApplication::clipboard()->setText(einsumReport(m_state, device ? deviceText(*device) : QString()));
}

void EinsumPage::showState(EinsumState state) {
    m_error->setText(state.error);
    m_error->setVisible(!state.valid());
    FixButton* const fix = FixButton::of(*m_error);
    if (state.meant.isEmpty())
        fix->withdraw();
    else
        fix->offerUse(state.meant, [this, meant = state.meant] { takeText(meant, {}); });
    m_split->setEnabled(state.valid());
    if (!state.valid() && state.dimensions.empty()) return;  // what is shown stays, greyed
    m_state = std::move(state);
    m_sizes->show(m_state);
    if (!m_state.valid()) return;
    m_costs->show(m_state);
    showTiming();
    showRoofline();
}

void EinsumPage::showTiming() {
    const LabEngine& engine = m_context.engine;
    const QString whyNot = engine.whyNotTime();
    m_time->setText(engine.timing() ? tr("Cancel") : tr("Time it"));
    m_time->setEnabled(engine.timing() || (whyNot.isEmpty() && m_state.valid()));
    m_time->setToolTip(engine.timing()    ? tr("Stops the timing")
                       : whyNot.isEmpty() ? tr("Runs the expression on this machine and takes the time")
                                          : whyNot);
    if (!m_measured || !m_measured->isOf(m_input)) {
        m_measured.reset();
        if (engine.timing()) return m_timed->showText(tr("Timing…"), ColorRole::TextMuted);
        return m_timed->showText(m_refusal, ColorRole::Bad);
    }
    m_timed->showText(einsumMeasuredText(*m_measured, m_state, machine()), ColorRole::Measured);
}

void EinsumPage::showRoofline() {
    const Machine* device = machine();
    m_roofline->show(m_state, device,
                     m_measured && device ? m_measured->rateOn(*device, m_state) : std::nullopt);
    // The device of the scene is the one that can be calibrated from here.
    m_calibrate->setVisible(device != nullptr && !m_state.whyNoBound.isEmpty() &&
                            device == &m_machines.front());
}

}  // namespace plumb::ui
