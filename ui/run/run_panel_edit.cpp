// SPDX-License-Identifier: GPL-3.0-or-later
// The other half of the run panel: what happens to an entry, and how the state comes to the screen.
#include "core/data/batch_source.h"
#include "core/data/token_file.h"
#include "core/measure/reading.h"
#include "core/model/data_path.h"
#include "ui/run/option_form.h"
#include "ui/run/run_panel.h"
#include "ui/widgets/file_picker.h"
#include "ui/widgets/meter.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/size_field.h"
#include "ui/workbench/config_history.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>

#include <algorithm>

namespace plumb::ui {

void RunPanel::edit(const QString& setting, const RunConfig& config, SliderRow* row, int gesture) {
    m_errorRow = row;
    if (row) row->showError({});
    showSentence(m_footError, {});
    m_history.change(config, setting, gesture);
    m_errorRow = nullptr;
    refresh();  // a refused change: the controls go back to what is in force
}

void RunPanel::refresh() {
    RunPanelInput input;
    input.scene = m_context.workbench.scene();
    input.running = m_controller.runningConfig();
    input.engine = m_controller.engineState();
    input.whyNotRun = m_controller.whyNotRun();
    input.canApply = m_controller.canApply();
    input.devices = &m_controller.devices();
    input.currentDevice = m_controller.currentDevice();
    input.stepsWanted = m_controller.stepsWanted();
    input.counters = m_controller.countersWanted();
    input.whyNoCounters = m_controller.whyNoCounters();
    for (std::size_t i = 0; i < kAllCounterDetails.size(); ++i)
        input.countingSteps.at(i) = m_controller.countingSteps(kAllCounterDetails.at(i));
    const std::vector<DeviceItem> devicesBefore = m_state.devices;
    m_state = makeRunPanelState(input);

    m_dim->show(m_state.dim);
    m_layers->show(m_state.layers);
    m_outputs->show(m_state.outputs);
    m_outputs->setEnabled(m_state.head);
    m_batch->show(m_state.batch);
    m_microBatch->show(m_state.microBatch);
    m_checkpointEvery->show(m_state.checkpointEvery);
    m_checkpointEvery->setVisible(m_state.checkpoint == CheckpointPolicy::Kind::Every);
    m_checkpointEvery->setSuffix(m_state.checkpointEvery.value == 1 ? tr(" layer") : tr(" layers"));
    m_activation->setCurrent(static_cast<int>(m_state.activation));
    m_checkpoint->setCurrent(
        static_cast<int>(std::ranges::find(kCheckpointKinds, m_state.checkpoint) - kCheckpointKinds.begin()));
    m_budgetRow->setVisible(m_state.checkpoint == CheckpointPolicy::Kind::Fit);
    if (m_state.checkpoint != CheckpointPolicy::Kind::Fit) m_budget->setModified(false);
    m_precision->setCurrent(static_cast<int>(m_state.precision));
    showSentence(m_precisionNote, m_state.precisionNote.section(u':', 0, 0));
    m_precisionNote->setToolTip(m_state.precisionNote);
    m_masterWeights->setChecked(m_state.masterWeights);
    m_masterWeights->setEnabled(m_state.narrow);
    m_fp32Gradients->setChecked(m_state.fp32Gradients);
    m_fp32Gradients->setEnabled(m_state.narrow);
    m_optimizer->setCurrentIndex(static_cast<int>(m_state.optimizer));
    const auto showText = [](QLineEdit* field, const QString& text) {
        if (!field->isModified() && field->text() != text) field->setText(text);
    };
    showText(m_budget, m_state.checkpointBudget);
    m_budget->setToolTip(tr("Largest peak of the step, as 24Gi or 16G: %1")
                             .arg(QString::fromStdString(
                                 formatExact(m_context.workbench.config().checkpoint.budgetBytes, "B"))));
    m_options->refresh();
    showAdvanced(m_advanced->isChecked());
    showText(m_learningRate, m_state.learningRate);
    m_learningRate->setToolTip(m_state.learningRateHint);
    showText(m_seed, m_state.seed);
    showText(m_steps, m_state.steps);
    const RunConfig& config = m_context.workbench.config();
    if (config.data != m_dataInForce || config.targets != m_targetsInForce) {
        // Other files came into force, by choice, undo or a snapshot: nothing is half chosen any more.
        m_dataInForce = config.data;
        m_targetsInForce = config.targets;
        m_features.clear();
        m_targetsFile.clear();
        showSentence(m_dataError, {});
    }
    m_data->showPath(m_features.isEmpty() ? m_state.data : m_features);
    m_targets->setEnabled(!config.readsTokens());  // the tokens that follow are the targets
    m_targets->showPath(m_targetsFile.isEmpty() ? m_state.targets : m_targetsFile);

    if (m_state.devices != devicesBefore) {
        m_device->clear();
        auto* model = qobject_cast<QStandardItemModel*>(m_device->model());
        for (const DeviceItem& item : m_state.devices) {
            m_device->addItem(item.text);
            QStandardItem* entry = model->item(m_device->count() - 1);
            entry->setToolTip(item.toolTip);
            entry->setEnabled(item.enabled);
        }
    }
    m_device->setCurrentIndex(m_state.currentDevice);
    if (!m_state.devices.empty())
        m_device->setToolTip(m_state.devices.at(static_cast<std::size_t>(m_state.currentDevice)).toolTip);

    showSentence(m_deviceNote, m_state.deviceNote);
    m_meter->setShare(m_state.memoryShare);
    m_meter->setToolTip(m_state.memoryToolTip);
    m_used->setText(m_state.memoryUsed);
    m_used->setToolTip(m_state.memoryToolTip);
    refreshMaximum();

    m_counters->setCurrent(m_state.counters);
    m_counters->setEnabled(m_state.canCount);
    for (std::size_t i = 0; i < m_state.countersToolTips.size(); ++i)
        m_counters->setSegmentToolTip(static_cast<int>(i), m_state.countersToolTips.at(i));
    showSentence(m_countersNote, m_state.countersNote);

    m_run->setText(m_state.runText);
    m_run->setEnabled(m_state.canRun);
    m_run->setToolTip(m_state.runToolTip);
    m_stop->setEnabled(m_state.canStop);
    m_profile->setEnabled(m_state.canProfile);
    m_profile->setToolTip(m_state.profileToolTip);
    m_apply->setVisible(m_state.showApply);
}

void RunPanel::refreshMaximum() {
    const ScenePtr scene = m_context.workbench.scene();
    const auto total = scene->whatIf.machine().memoryBytes;
    if (!total) {
        m_maximumJob.cancel();
        m_maximumBatch = 0;
        m_maximum->hide();
        return;
    }
    // A search over plans: some milliseconds for a deep network, so it stays off the slider's path.
    m_maximumJob.run(
        [config = scene->config(), traits = m_context.workbench.traits(), total = *total] {
            return largestBatchThatFits(config, traits, total);
        },
        [this](std::int64_t batch) {
            m_maximumBatch = batch;
            m_maximum->setVisible(true);
            m_maximum->setEnabled(batch > 0);
            m_maximum->setText(
                batch > 0 ? tr("max batch %1")
                                .arg(QString::fromStdString(formatQuantity(static_cast<double>(batch), ""))
                                         .trimmed())
                          : tr("no batch fits"));
            m_maximum->setToolTip(
                batch > 0 ? tr("Largest batch that fits: %1. Click to use it").arg(groupedDigits(batch))
                          : tr("Not even the smallest batch fits in memory"));
        });
}

void RunPanel::showSentence(QLabel* line, const QString& sentence) {
    line->setText(sentence);
    line->setVisible(!sentence.isEmpty());
}

bool RunPanel::submitted(QLineEdit* field, QLabel* line, const Result<void>& parsed, const QString& setting,
                         const RunConfig& config) {
    const QString typed = field->text();
    showSentence(line, parsed.has_value() ? QString() : QString::fromStdString(parsed.error().text()));
    if (parsed.has_value()) {
        m_errorLine = line;
        field->setModified(false);
        edit(setting, config);
        m_errorLine = nullptr;
    }
    const bool ok = line->text().isEmpty();
    // Refused: the text stays as typed beside the sentence that says why.
    if (!ok) {
        field->setText(typed);
        field->setModified(true);
    }
    return ok;
}

bool RunPanel::submitLearningRate() {
    if (!m_learningRate->isModified()) return true;
    RunConfig config = m_context.workbench.config();
    const QString text = m_learningRate->text().trimmed();
    Result<void> parsed;
    if (text.isEmpty())
        config.learningRate.reset();
    else
        parsed = setOption(config, "lr", text.toStdString());
    return submitted(m_learningRate, m_inputError, parsed, tr("learning rate"), config);
}

bool RunPanel::submitSeed() {
    if (!m_seed->isModified()) return true;
    RunConfig config = m_context.workbench.config();
    const Result<void> parsed = setOption(config, "seed", m_seed->text().trimmed().toStdString());
    return submitted(m_seed, m_inputError, parsed, tr("seed"), config);
}

bool RunPanel::submitSteps() {
    if (!m_steps->isModified()) return true;
    QString text = m_steps->text();
    text.removeIf([](QChar c) { return c.isSpace(); });
    const Result<std::int64_t> steps =
        text.isEmpty() ? Result<std::int64_t>(std::int64_t{0}) : parseSize(text.toStdString());
    if (steps.has_value()) m_controller.setStepsWanted(steps.value());
    return submitted(m_steps, m_inputError, steps.has_value() ? Result<void>() : Result<void>(steps.error()),
                     tr("steps"), m_context.workbench.config());
}

bool RunPanel::commitEntries() {
    bool ok = true;
    for (auto* field : findChildren<SizeField*>()) ok = (!field->isVisibleTo(this) || field->commit()) && ok;
    for (const auto submit : {&RunPanel::submitLearningRate, &RunPanel::submitSeed, &RunPanel::submitSteps})
        ok = ok && (this->*submit)();  // one line for all three: the first sentence stays
    ok = submitBudget() && ok;
    if (!m_options->commit()) {
        ok = false;
        showAdvanced(true);  // what is wrong is seen
    }
    return ok && m_features.isEmpty() && m_targetsFile.isEmpty();
}

bool RunPanel::eventFilter(QObject* watched, QEvent* event) {
    auto* field = qobject_cast<QLineEdit*>(watched);
    const auto* size = qobject_cast<SizeField*>(watched);
    if (field && event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool entered = !field->isModified() && !(size && size->isInvalid());
        if (entered && (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo))) {
            event->ignore();  // nothing is being typed: the window takes the last setting back
            return true;
        }
    }
    if (field && !size && event->type() == QEvent::KeyPress && field->isModified() &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        if (m_options->revert(field)) return true;
        field->setModified(false);
        showSentence(field == m_budget ? m_checkpointError : m_inputError, {});
        refresh();
        return true;
    }
    // Scrolling the panel past a box must not change it.
    if (auto* box = qobject_cast<QComboBox*>(watched); box && event->type() == QEvent::Wheel) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void RunPanel::chooseFile(DataFile which, const QString& path) {
    const RunConfig& now = m_context.workbench.config();
    const bool own = now.data != "synthetic";
    // The engine may have another working folder, and a snapshot is opened elsewhere.
    const QString file = path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath();
    if (file.isEmpty()) {
        const QString features = which == DataFile::Features ? QString()
                                 : !m_features.isEmpty()     ? m_features
                                 : own                       ? QString::fromStdString(now.data)
                                                             : QString();
        const QString targets = which == DataFile::Targets ? QString() : m_targetsFile;
        if (own) {
            RunConfig config = now;
            config.data = "synthetic";
            config.targets.clear();
            edit(tr("data"), config);
        }
        m_features = features;
        m_targetsFile = targets;
    } else {
        (which == DataFile::Features ? m_features : m_targetsFile) = file;
    }
    showSentence(m_dataError, {});
    applyFiles();
    refresh();
}

void RunPanel::applyFiles() {
    if (m_features.isEmpty() && m_targetsFile.isEmpty()) return;
    RunConfig config = m_context.workbench.config();
    const bool own = config.data != "synthetic";
    if (m_features.isEmpty() && !own) return showSentence(m_dataError, tr("Choose the features as well"));
    if (!m_features.isEmpty()) {
        config.data = m_features.toStdString();
        if (formatOfName(config.data) != DataFormat::Auto) config.dataFormat = DataFormat::Auto;
    }
    if (!m_targetsFile.isEmpty()) config.targets = m_targetsFile.toStdString();
    if (m_targetsFile.isEmpty() && !own) config.targets.clear();
    RunConfig alone = config;
    alone.targets.clear();
    const bool array = alone.effectiveDataFormat() == DataFormat::TokensNpy;
    const bool tokens =
        array ? m_targetsFile.isEmpty() && TokenFile::openNpy(config.data, config.vocabulary).has_value()
              : alone.readsTokens();
    if (tokens) {
        config.targets.clear();  // the tokens that follow are the targets
        m_targetsFile.clear();
    } else {
        if (array && config.targets.empty())
            return showSentence(m_dataError, tr("Choose the targets as well"));
        const auto widths = widthsOfData(config);
        if (!widths.has_value())
            return showSentence(m_dataError, QString::fromStdString(widths.error().text()));
        config.dim = widths->features.value_or(config.dim);
        if (config.head) config.outputs = widths->targets.value_or(config.outputs);
    }
    if (const auto opened = openData(config); !opened.has_value())
        return showSentence(m_dataError, QString::fromStdString(opened.error().text()));
    m_errorLine = m_dataError;
    edit(tr("features and targets"), config);
    m_errorLine = nullptr;
    if (!(m_context.workbench.config() == config)) return;  // refused, and said so
    m_features.clear();
    m_targetsFile.clear();
}

}  // namespace plumb::ui
