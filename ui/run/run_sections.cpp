// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_sections.h"

#include "core/base/typed_number.h"
#include "core/measure/reading.h"
#include "core/model/rank_choices.h"
#include "ui/run/config_editor.h"
#include "ui/run/proof_dialog.h"
#include "ui/run/run_settings.h"
#include "ui/theme/house_style.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/meter.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/size_field.h"
#include "ui/workbench/option_titles.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace plumb::ui {

DeviceSection::DeviceSection(const PanelRows& rows, ConfigEditor& editor, RunController& controller)
    : m_editor(editor), m_controller(controller), m_device(new QComboBox(rows.parent())) {
    m_device->setObjectName(QStringLiteral("device"));
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setMinimumContentsLength(8);
    connect(m_device, &QComboBox::activated, this, &DeviceSection::choose);
    auto* rescan = new QPushButton(QStringLiteral("⟳"), rows.parent());
    rescan->setObjectName(QStringLiteral("rescanDevices"));
    rescan->setProperty(kQuietButton, true);
    rescan->setAccessibleName(tr("Look for devices again"));
    rescan->setToolTip(tr("Ask the engine again which devices it can run on"));
    rescan->setFixedWidth(30);
    connect(rescan, &QPushButton::clicked, &controller.engineDevices(), &EngineDevices::rescan);
    auto* chooser = new QWidget(rows.parent());
    auto* chooserRow = new QHBoxLayout(chooser);
    chooserRow->setContentsMargins(0, 0, 0, 0);
    chooserRow->setSpacing(2);
    chooserRow->addWidget(m_device, 1);
    chooserRow->addWidget(rescan);
    chooser->setFocusProxy(m_device);
    m_device->setAccessibleName(tr("Device"));
    rows.addLabelled(tr("Device"), chooser);
    m_note = rows.addSentence("deviceNote", ColorRole::TextMuted);
    m_error = rows.addSentence("deviceError");
    buildCounters(rows, controller);
}

void DeviceSection::buildCounters(const PanelRows& rows, RunController& controller) {
    m_counters = new SegmentedControl(rows.theme(), {tr("off"), tr("quick"), tr("full")},
                                      QStringLiteral("counters"), rows.parent());
    connect(m_counters, &SegmentedControl::chosen, this, [&controller](int index) {
        controller.next().setCounters(
            index == 0 ? std::nullopt
                       : std::optional(kAllCounterDetails.at(static_cast<std::size_t>(index) - 1)));
    });
    rows.addLabelled(tr("Counters"), m_counters, 132);
    m_countersNote = rows.addSentence("countersNote", ColorRole::TextMuted);
}

// Fewer ranks first: another device may have no room for more of them.
void DeviceSection::choose(int item) {
    if (item < 0 || item >= static_cast<int>(m_devices.size())) return;
    const DeviceItem chosen = m_devices.at(static_cast<std::size_t>(item));
    showSentence(m_error, {});
    const auto takeRanks = [&] {
        if (m_editor.config().parallel.ranks() != chosen.ranks)
            m_editor.editAt(m_error, optionTitle("data-parallel").toLower(),
                            withRanks(m_editor.config(), chosen.ranks));
    };
    if (chosen.ranks == 1) takeRanks();
    m_controller.devices().choose(chosen.choice);
    takeRanks();
}

void DeviceSection::showDevices(const RunPanelState& state) {
    if (state.devices != m_devices) {
        m_devices = state.devices;
        m_device->clear();
        auto* model = qobject_cast<QStandardItemModel*>(m_device->model());
        for (const DeviceItem& item : m_devices) {
            m_device->addItem(item.text);
            QStandardItem* entry = model->item(m_device->count() - 1);
            entry->setToolTip(item.toolTip);
            entry->setEnabled(item.enabled);
        }
    }
    m_device->setCurrentIndex(state.currentDevice);
    if (!m_devices.empty())
        m_device->setToolTip(m_devices.at(static_cast<std::size_t>(state.currentDevice)).toolTip);
}

void DeviceSection::show(const RunPanelState& state) {
    showDevices(state);
    showSentence(m_note, state.deviceNote);
    m_counters->setCurrent(state.counters);
    m_counters->setEnabled(state.canCount);
    for (std::size_t i = 0; i < state.countersToolTips.size(); ++i)
        m_counters->setSegmentToolTip(static_cast<int>(i), state.countersToolTips.at(i));
    showSentence(m_countersNote, state.countersNote);
}

RateSection::RateSection(const PanelRows& rows, ConfigEditor& editor, RunController& controller)
    : m_editor(editor), m_controller(controller) {
    const auto makeField = [&](const char* name) {
        auto* field = new QLineEdit(rows.parent());
        field->setObjectName(QString::fromLatin1(name));
        field->setAlignment(Qt::AlignRight);
        // Of all three: the sentence about one that was refused before stays.
        connect(field, &QLineEdit::editingFinished, this, &RateSection::commit);
        return field;
    };
    m_learningRate = makeField("learningRate");
    rows.addLabelled(tr("Learning rate"), m_learningRate, 84);
    m_steps = makeField("steps");
    m_steps->setPlaceholderText(QStringLiteral("∞"));
    m_steps->setToolTip(tr("How many steps to train; empty: until stopped"));
    m_seed = makeField("seed");
    m_seed->setToolTip(optionHelp("seed"));
    auto* pair = new QHBoxLayout;
    pair->setSpacing(12);
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    rows.in(*left).addLabelled(tr("Steps"), m_steps, 72);
    rows.in(*right).addLabelled(tr("Seed"), m_seed, 72);
    pair->addLayout(left, 1);
    pair->addLayout(right, 1);
    rows.layout().addLayout(pair);
    m_error = rows.addSentence("inputError");
}

void RateSection::show(const RunPanelState& state) {
    showEntry(m_learningRate, state.learningRate);
    m_learningRate->setToolTip(state.learningRateHint);
    showEntry(m_seed, state.seed);
    showEntry(m_steps, state.steps);
}

bool RateSection::revert(QLineEdit* field) {
    if (field != m_learningRate && field != m_steps && field != m_seed) return false;
    field->setModified(false);
    showSentence(m_error, {});
    return true;
}

void RateSection::enterSteps(const QString& steps) {
    m_steps->setText(steps);
    m_steps->setModified(true);
    (void)submitSteps();
}

bool RateSection::submitLearningRate() {
    if (!m_learningRate->isModified()) return true;
    const QString text = m_learningRate->text().trimmed();
    Result<RunConfig> entered = m_editor.config();
    if (text.isEmpty())
        entered->learningRate.reset();
    else
        entered = withTyped(m_editor.config(), "lr", text);
    return m_editor.submit(m_learningRate, m_error, entered, tr("learning rate"));
}

bool RateSection::submitSeed() {
    if (!m_seed->isModified()) return true;
    return m_editor.submit(m_seed, m_error, withTyped(m_editor.config(), "seed", m_seed->text().trimmed()),
                           tr("seed"));
}

bool RateSection::submitSteps() {
    if (!m_steps->isModified()) return true;
    QString text = m_steps->text();
    text.removeIf([](QChar c) { return c.isSpace(); });
    const Result<std::int64_t> steps =
        text.isEmpty() ? Result<std::int64_t>(std::int64_t{0}) : parseTyped(text.toStdString(), parseSize);
    if (steps.has_value()) m_controller.next().setSteps(steps.value());
    return m_editor.submit(m_steps, m_error,
                           steps.has_value() ? Result<RunConfig>(m_editor.config())
                                             : Result<RunConfig>(steps.error()),
                           tr("steps"));
}

MemorySection::MemorySection(const PanelRows& rows, Workbench& workbench, RunController& controller)
    : m_workbench(workbench), m_controller(controller) {
    rows.addHeading(tr("Fits in memory"));
    m_meter = new Meter(rows.theme(), rows.parent());
    m_meter->setObjectName(QStringLiteral("memoryMeter"));
    rows.layout().addWidget(m_meter);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    m_used = new QLabel(rows.parent());
    m_used->setObjectName(QStringLiteral("memoryUsed"));
    QFont bold = m_used->font();
    bold.setWeight(QFont::DemiBold);
    m_used->setFont(bold);
    m_used->setWordWrap(true);
    m_maximum = new QPushButton(rows.parent());
    m_maximum->setObjectName(QStringLiteral("maximumBatch"));
    m_maximum->setProperty(kQuietButton, true);
    connect(m_maximum, &QPushButton::clicked, this, [this] {
        if (m_maximumBatch > 0) emit batchWanted(m_maximumBatch);
    });
    row->addWidget(m_used, 1);
    row->addWidget(m_maximum);
    rows.layout().addLayout(row);
    addProofRow(rows);
}

void MemorySection::addProofRow(const PanelRows& rows) {
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    m_proof = new QLabel(rows.parent());
    m_proof->setObjectName(QStringLiteral("proofLine"));
    m_proof->setTextFormat(Qt::PlainText);
    followColor(m_proof, rows.theme(), ColorRole::TextMuted);
    m_prove = new QPushButton(tr("Prove it…"), rows.parent());
    m_prove->setObjectName(QStringLiteral("proveButton"));
    m_prove->setProperty(kQuietButton, true);
    m_prove->setToolTip(
        tr("Run the largest batch that fits and the next one, which must not, for one step each"));
    connect(m_prove, &QPushButton::clicked, this, [this, &theme = rows.theme(), panel = rows.parent()] {
        ProofDialog::ask(theme, m_workbench, m_controller, panel->window());
    });
    row->addWidget(m_proof, 1);
    row->addWidget(m_prove);
    rows.layout().addLayout(row);
    connect(&m_controller.prover(), &FitProver::changed, this, &MemorySection::showProof);
}

void MemorySection::showProof() {
    const FitProver& prover = m_controller.prover();
    const FitProof* proof = prover.current();
    m_proof->setToolTip(proof ? sentencesText({verdictSentence(*proof), limitSentence(*proof)}) : QString());
    if (prover.running())
        m_proof->setText(tr("Trying it"));
    else if (!proof)
        m_proof->setText(tr("Not tried yet"));
    else if (verdictOf(*proof) == FitVerdict::Proven)
        m_proof->setText(tr("Proven at %1").arg(bytesText(proof->limitBytes)));
    else
        m_proof->setText(tr("Not as predicted"));
}

void MemorySection::show(const RunPanelState& state) {
    m_meter->setShare(state.memoryShare);
    m_meter->setToolTip(state.memoryToolTip);
    m_used->setText(state.memoryUsed);
    m_used->setToolTip(state.memoryToolTip);
    findMaximum();
    showProof();
}

void MemorySection::findMaximum() {
    const ScenePtr scene = m_workbench.session();
    const auto total = scene->whatIf.machine().memoryBytes;
    if (!total) {
        m_job.cancel();
        m_maximumBatch = 0;
        m_maximum->hide();
        return;
    }
    // A search over plans: some milliseconds for a deep network, so it stays off the slider's path.
    m_job.run([config = scene->config(), traits = m_workbench.traits(),
               total = *total] { return largestBatchThatFits(config, traits, total); },
              [this](std::int64_t batch) { showMaximum(batch); });
}

void MemorySection::showMaximum(std::int64_t batch) {
    m_maximumBatch = batch;
    m_maximum->setVisible(true);
    // Where micro-batches take the memory, the largest batch is only what a size can be at all.
    const bool isAny = batch > kMaxDimension / 2;
    m_maximum->setEnabled(batch > 0 && !isAny);
    if (isAny) {
        m_maximum->setText(tr("any batch fits"));
        m_maximum->setToolTip(tr("The memory is that of a micro-batch, however many make the batch"));
        return;
    }
    m_maximum->setText(batch > 0
                           ? tr("max batch %1").arg(quantityText(static_cast<double>(batch), "").trimmed())
                           : tr("no batch fits"));
    m_maximum->setToolTip(batch > 0
                              ? tr("Largest batch that fits: %1. Click to use it").arg(groupedDigits(batch))
                              : tr("Not even the smallest batch fits in memory"));
}

RunButtons::RunButtons(const PanelRows& rows, RunController& controller,
                       const std::function<bool()>& commit) {
    const auto button = [&](const char* name, const QString& text) {
        auto* made = new QPushButton(text, rows.parent());
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
    connect(m_apply, &QPushButton::clicked, this, [commit, &controller] {
        if (commit()) controller.apply();
    });
    connect(m_profile, &QPushButton::clicked, this, [commit, &controller] {
        if (commit()) controller.profile();
    });
    connect(m_stop, &QPushButton::clicked, &controller, &RunController::stop);
    connect(m_run, &QPushButton::clicked, this, [commit, &controller] {
        if (controller.work().training()) return controller.pauseOrResume();
        if (commit()) controller.run();
    });
    m_error = rows.addSentence("panelError");
    rows.layout().addWidget(m_apply);
    auto* row = new QHBoxLayout;
    row->setSpacing(7);
    row->addWidget(m_run, 3);
    row->addWidget(m_stop, 2);
    row->addWidget(m_profile, 2);
    rows.layout().addLayout(row);
}

void RunButtons::show(const RunPanelState& state) {
    m_run->setText(state.runText);
    m_run->setEnabled(state.canRun);
    m_run->setToolTip(state.runToolTip);
    m_stop->setEnabled(state.canStop);
    m_profile->setEnabled(state.canProfile);
    m_profile->setToolTip(state.profileToolTip);
    m_apply->setVisible(state.showApply);
}

}  // namespace plumb::ui
