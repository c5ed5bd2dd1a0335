// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/einsum_page.h"

#include "core/machine/hardware_database.h"
#include "ui/charts/chart_panel.h"
#include "ui/engine/lab_engine.h"
#include "ui/engine/run_controller.h"
#include "ui/settings/settings.h"
#include "ui/widgets/card.h"
#include "ui/widgets/lab_edit.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/tone_label.h"
#include "ui/workbench/workbench.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

EinsumPage::EinsumPage(LabContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    setObjectName(QStringLiteral("einsumPage"));
    setAccessibleName(tr("Expressions over named dimensions"));
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->setObjectName(QStringLiteral("einsumSplit"));
    split->setChildrenCollapsible(false);
    split->setHandleWidth(10);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(makeExpressionCard());
    layout->addWidget(split, 1);
    split->addWidget(makeCostCard());
    split->addWidget(makeRooflineCard());
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    split->setSizes({1000, 1000});  // shares
    m_results = split;

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
        input.device = usual.has_value() ? QString::fromStdString((*usual).id) : QString();
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

void EinsumPage::refreshDevices() {
    const QString chosen = m_device->currentData().toString();
    m_machines = labMachines(m_context.view.workbench);
    m_device->clear();
    for (const Machine& machine : m_machines) {
        m_device->addItem(QString::fromStdString(machine.name), QString::fromStdString(machine.id));
        m_device->setItemData(m_device->count() - 1, QString::fromStdString(machine.source), Qt::ToolTipRole);
    }
    m_device->setCurrentIndex(std::max(0, m_device->findData(chosen)));
}

const Machine* EinsumPage::machine() const {
    const auto found = std::ranges::find(m_machines, m_input.device.toStdString(), &Machine::id);
    return found == m_machines.end() ? nullptr : &*found;
}

void EinsumPage::takePoint(int tag) {
    if (tag < 0) return;
    const EinsumPoint point = m_state.points[tag];
    if (point.text.isEmpty()) return;
    EinsumInput input = m_input;
    input.text = point.text;
    for (const auto& [name, size] : point.sizes) input.sizes[name] = size;
    m_roofline->hideCard();
    change(input, tr("expression"));
}

void EinsumPage::showControl(QWidget* control) {
    for (int i = 0; i < m_details->count(); ++i) {
        if (m_details->widget(i) != control && !m_details->widget(i)->isAncestorOf(control)) continue;
        m_detailChoice->setCurrent(i);
        m_details->setCurrentIndex(i);
    }
}

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
    m_measured = Measurement{m_asked, result, ran == devices.end() ? Machine{} : ran->target.machine};
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
    kept.einsumDtype = fromView(dtypeName(input.dtype));
    kept.einsumDevice = input.device;
    m_context.settings.setLab(kept);
    showState(makeEinsumState(input, m_machines));
}

void EinsumPage::copy() {
    const Machine* device = machine();
    QApplication::clipboard()->setText(
        einsumReport(m_state, device ? QString::fromStdString(device->name) : QString()));
}

}  // namespace plumb::ui
