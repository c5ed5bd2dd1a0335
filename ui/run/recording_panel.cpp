// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/recording_panel.h"

#include "core/findings/findings.h"
#include "core/recorded/device_need.h"
#include "ui/engine/run_controller.h"
#include "ui/run/findings_list.h"
#include "ui/run/panel_rows.h"
#include "ui/theme/list_text.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/meter.h"
#include "ui/widgets/slider_row.h"
#include "ui/workbench/workbench.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <vector>

namespace plumb::ui {
namespace {

constexpr int kWidth = 284;
constexpr int kSide = 20;
constexpr int kFoldLine = 32;              // of the button that folds the panel, under which nothing scrolls
constexpr std::size_t kShownFindings = 3;  ///< that lead to an operation
constexpr std::size_t kNamedKinds = 3;     ///< of ops without a formula; Operations shows all

QLabel* addText(QVBoxLayout& layout, QWidget* parent, const char* name) {
    auto* label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);  // files have a say in it
    label->setWordWrap(true);
    label->setMinimumWidth(1);  // a long name must not push the others out of the panel
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout.addWidget(label);
    return label;
}

/// Rows of the head: what there is to say, in this order.
QList<std::pair<QString, QString>> factsOf(const StepFile& file) {
    QList<std::pair<QString, QString>> rows;
    const auto add = [&](const QString& name, const QString& value) {
        if (!value.isEmpty()) rows.append({name, value});
    };
    const RecordingEnvironment& environment = file.environment;
    if (file.parameters)
        add(tr("Parameters"), quantityText(static_cast<double>(*file.parameters), "").trimmed());
    if (file.step.samples > 0) add(tr("Samples"), QString::number(file.step.samples));
    add(tr("Products in"), toText(dtypeName(file.step.productDtype)));
    add(tr("Device"),
        deviceText(environment.deviceName.empty() ? environment.device : environment.deviceName));
    if (environment.device == "cpu" && environment.threads)
        add(tr("Threads"), QString::number(*environment.threads));
    add(tr("torch"), toText(environment.torch));
    add(tr("Operations"), QString::number(file.step.opCount()));
    add(tr("Tensors"), QString::number(file.step.tensorCount()));
    if (file.prediction) {
        add(tr("Steps"), tr("none: shapes alone"));
    } else {
        add(tr("Clean steps"), QString::number(file.stepSeconds.size()));
        if (const auto overhead = file.overhead())
            add(tr("Overhead"),
                tr("%1 × in the step that was written down").arg(numberText(*overhead, 'f', 1)));
    }
    if (const auto& inside = file.allocator.insideLibrariesBytes)
        add(tr("In libraries"), tr("%1 of the peak").arg(bytesText(*inside)));
    return rows;
}

QString notesOf(const StepFile& file) {
    QStringList notes;
    const auto named = [](const MissingFormula& missing) {
        return missing.shareOfTime ? tr("%1 (%2 of them, %3 % of the time)")
                                         .arg(toText(missing.kind))
                                         .arg(missing.ops)
                                         .arg(numberText(*missing.shareOfTime * 100, 'f', 1))
                                   : tr("%1 (%2 of them)").arg(toText(missing.kind)).arg(missing.ops);
    };
    std::vector<MissingFormula> missing = file.missingFormulas;
    std::ranges::stable_sort(missing, std::greater(),
                             [](const MissingFormula& each) { return each.shareOfTime.value_or(0); });
    QStringList kinds;
    for (std::size_t i = 0; i < std::min(missing.size(), kNamedKinds); ++i) kinds << named(missing[i]);
    if (!kinds.isEmpty())
        notes << (missing.size() > kNamedKinds
                      ? tr("No formula gives the FLOPs of %1 and %2 kinds more.")
                            .arg(listText(kinds))
                            .arg(missing.size() - kNamedKinds)
                      : tr("No formula gives the FLOPs of %1.").arg(listText(kinds)));
    for (const std::string& sentence : file.said) notes << coreText(sentence);
    return notes.join(QStringLiteral("\n\n"));
}

}  // namespace

RecordingPanel::RecordingPanel(ViewContext context, RunController& controller, QWidget* parent)
    : QWidget(parent), m_context(context), m_controller(controller) {
    setObjectName(QStringLiteral("recordingPanel"));
    setFixedWidth(scaled(kWidth));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, scaled(kFoldLine), 0, 0);
    outer->setSpacing(0);
    auto* scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Recorded step"));  // the keys scroll it: most of it is text
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidgetResizable(true);
    scroll->viewport()->setAutoFillBackground(false);
    auto* content = new QWidget(scroll);
    content->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(kSide, 6, kSide, 8);
    layout->setSpacing(7);
    scroll->setWidget(content);
    outer->addWidget(scroll, 1);
    buildHead(*layout);
    buildDevice(*layout);
    layout->addStretch(1);
    auto* foot = new QWidget(this);
    auto* footLayout = new QVBoxLayout(foot);
    footLayout->setContentsMargins(kSide, 0, kSide, 14);
    footLayout->setSpacing(7);
    buildFoot(*footLayout);
    outer->addWidget(foot);

    fillAsPanel(*this, context.theme);
    connect(&context.workbench, &Workbench::sceneChanged, this, &RecordingPanel::refresh);
    connect(&controller, &RunController::changed, this, &RecordingPanel::refresh);
    refresh();
}

void RecordingPanel::buildHead(QVBoxLayout& layout) {
    const PanelRows rows(m_context.theme, *this, layout);
    rows.addHeading(tr("Recorded step"));
    m_title = addText(layout, this, "recordingTitle");
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    followColor(m_title, m_context.theme, ColorRole::TextStrong);
    m_facts = new QFormLayout;
    m_facts->setHorizontalSpacing(12);
    m_facts->setVerticalSpacing(4);
    m_facts->setLabelAlignment(Qt::AlignLeft);
    layout.addLayout(m_facts);
}

void RecordingPanel::buildDevice(QVBoxLayout& layout) {
    const PanelRows rows(m_context.theme, *this, layout);
    rows.addHeading(tr("What if"));
    m_device = new QComboBox(this);
    m_device->setObjectName(QStringLiteral("recordingDevice"));
    m_device->setAccessibleName(tr("Device that the step is predicted for"));
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setMinimumContentsLength(8);
    m_device->setToolTip(tr("The step is predicted for this device by its ceilings"));
    rows.addCaption(tr("Device"));
    layout.addWidget(m_device);  // below the word, since names are long
    connect(m_device, &QComboBox::activated, &m_controller.devices(), &DeviceChoices::choose);
    m_notes = addText(layout, this, "recordingNotes");
    followColor(m_notes, m_context.theme, ColorRole::TextMuted);
    rows.addHeading(tr("Findings"));
    m_findings = new FindingsList(m_context.theme, this);
    layout.addWidget(m_findings);
    m_noFindings = rows.addSentence("noFindings", ColorRole::TextMuted);
    for (QLabel* text : {m_notes, m_noFindings}) letTabReach(*text);
    connect(m_findings, &FindingsList::wanted, this, &RecordingPanel::wanted);
}

void RecordingPanel::buildFoot(QVBoxLayout& layout) {
    const PanelRows rows(m_context.theme, *this, layout);
    rows.addHeading(tr("Fits in memory"));
    m_meter = new Meter(m_context.theme, this);
    m_meter->setObjectName(QStringLiteral("recordingMeter"));
    layout.addWidget(m_meter);
    m_fits = addText(layout, this, "recordingFits");
    followColor(m_fits, m_context.theme, ColorRole::TextMuted);
    auto* back = new QPushButton(tr("Back to the model of the sliders"), this);
    back->setObjectName(QStringLiteral("closeRecording"));
    back->setMinimumHeight(36);
    connect(back, &QPushButton::clicked, this, &RecordingPanel::closeWanted);
    layout.addWidget(back);
}

void RecordingPanel::refresh() {
    const Recording* const recording = m_context.workbench.recording();
    if (recording == nullptr) return;
    if (recording->path != m_shownPath) showFacts(*recording);
    showDevices();
    showMemory();
    showFindings();
}

void RecordingPanel::showFindings() {
    const ScenePtr scene = m_context.workbench.scene();
    if (scene == m_foundIn) return;
    m_foundIn = scene;
    std::vector<Finding> findings = findingsOf(findableIn(*scene)).found;
    std::erase_if(findings, [](const Finding& finding) { return finding.opId.empty(); });
    if (findings.size() > kShownFindings) findings.resize(kShownFindings);
    m_findings->setFindings(findings);
    showSentence(m_noFindings, findings.empty()
                                   ? tr("No operation, copy or module takes an unusual share of this step.")
                                   : QString());
}

void RecordingPanel::showFacts(const Recording& recording) {
    m_shownPath = recording.path;
    m_title->setText(coreText(recording.file->step.title()));
    m_title->setToolTip(recording.path);
    while (m_facts->rowCount() > 0) m_facts->removeRow(0);
    for (const auto& [name, value] : factsOf(*recording.file)) {
        auto* label = new QLabel(name, this);
        followColor(label, m_context.theme, ColorRole::TextMuted);
        auto* text = new QLabel(value, this);
        text->setTextFormat(Qt::PlainText);
        text->setWordWrap(true);
        text->setAlignment(Qt::AlignRight | Qt::AlignTop);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_facts->addRow(label, text);
    }
}

void RecordingPanel::showNotes(const Machine& machine) {
    const StepFile& file = *m_context.workbench.recording()->file;
    QStringList notes;
    for (const QString& each : {coreText(otherThreadsText(file.environment, machine)), notesOf(file)})
        if (!each.isEmpty()) notes << each;
    m_notes->setText(notes.join(QStringLiteral("\n\n")));
    m_notes->setVisible(!notes.isEmpty());
}

void RecordingPanel::showDevices() {
    const std::vector<DeviceChoice>& choices = m_controller.devices().all();
    QStringList names;
    for (const DeviceChoice& choice : choices) names << choice.name();
    QStringList shown;
    for (int i = 0; i < m_device->count(); ++i) shown << m_device->itemText(i);
    if (names != shown) {
        m_device->clear();
        m_device->addItems(names);
        auto* model = qobject_cast<QStandardItemModel*>(m_device->model());
        for (int i = 0; i < m_device->count(); ++i)
            model->item(i)->setEnabled(choices[static_cast<std::size_t>(i)].enabled);
    }
    m_device->setCurrentIndex(m_controller.devices().currentIndex());
}

void RecordingPanel::showMemory() {
    const Scene& scene = *m_context.workbench.scene();
    const Machine& machine = scene.whatIf.machine();
    const DeviceNeed need = deviceNeedOf(*m_context.workbench.recording()->file, machine.backend);
    const auto& memory = machine.memoryBytes;
    m_meter->setShare(memory ? std::optional(static_cast<double>(need.total()) / static_cast<double>(*memory))
                             : std::nullopt);
    QStringList lines{memory ? tr("%1 of %2").arg(bytesText(need.total()), bytesText(*memory))
                             : tr("%1; the memory of this device is not known").arg(bytesText(need.total()))};
    const Bytes held = need.total() - need.context;
    if (need.context > 0)
        lines << (need.reserved
                      ? tr("%1 reserved by the allocator for %2 of tensors, about %3 for the GPU's context")
                            .arg(bytesText(held), bytesText(need.tensors), bytesText(need.context))
                      : tr("%1 of tensors alone, about %2 for the GPU's context; what its allocator would "
                           "reserve is not known")
                            .arg(bytesText(held), bytesText(need.context)));
    showNotes(machine);
    if (scene.whatIf.step->tensorCount() == 0) {
        m_meter->setShare(std::nullopt);
        return m_fits->setText(tr("The step says nothing of memory."));
    }
    m_fits->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace plumb::ui
