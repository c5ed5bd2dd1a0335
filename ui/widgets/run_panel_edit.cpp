// SPDX-License-Identifier: GPL-3.0-or-later
// The other half of the run panel: what happens to an entry, and how the state comes to the screen.
#include "core/account/reading.h"
#include "ui/actions/config_history.h"
#include "ui/widgets/file_picker.h"
#include "ui/widgets/meter.h"
#include "ui/widgets/run_panel.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/size_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>

namespace plumb::ui {

void RunPanel::edit(const QString& setting, const RunConfig& config, SliderRow* row, int gesture) {
    m_errorRow = row;
    if (row) row->showError({});
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
    const std::vector<DeviceItem> devicesBefore = m_state.devices;
    m_state = makeRunPanelState(input);

    m_dim->show(m_state.dim);
    m_layers->show(m_state.layers);
    m_outputs->show(m_state.outputs);
    m_batch->show(m_state.batch);
    m_microBatch->show(m_state.microBatch);
    m_checkpointEvery->show(m_state.checkpointEvery);
    m_checkpointEvery->setVisible(m_state.checkpoint == CheckpointPolicy::Kind::Every);
    m_checkpointEvery->setSuffix(m_state.checkpointEvery.value == 1 ? tr(" layer") : tr(" layers"));
    m_activation->setCurrent(static_cast<int>(m_state.activation));
    m_checkpoint->setCurrent(m_state.checkpoint == CheckpointPolicy::Kind::All     ? 0
                             : m_state.checkpoint == CheckpointPolicy::Kind::Every ? 1
                                                                                   : 2);
    m_precision->setCurrent(static_cast<int>(m_state.precision));
    m_masterWeights->setChecked(m_state.masterWeights);
    m_masterWeights->setEnabled(m_state.masterWeightsEnabled);
    m_optimizer->setCurrentIndex(static_cast<int>(m_state.optimizer));
    const auto showText = [](QLineEdit* field, const QString& text) {
        if (!field->isModified() && field->text() != text) field->setText(text);
    };
    showText(m_learningRate, m_state.learningRate);
    m_learningRate->setToolTip(m_state.learningRateHint);
    showText(m_seed, m_state.seed);
    showText(m_steps, m_state.steps);
    m_data->showPath(m_state.data);
    m_targets->showPath(m_state.targets);
    m_targets->setEnabled(!m_state.data.isEmpty());

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

    m_meter->setShare(m_state.memoryShare);
    m_meter->setToolTip(m_state.memoryToolTip);
    m_used->setText(m_state.memoryUsed);
    m_used->setToolTip(m_state.memoryToolTip);
    refreshMaximum();

    m_run->setText(m_state.runText);
    m_run->setEnabled(m_state.canRun);
    m_run->setToolTip(m_state.runToolTip);
    m_stop->setEnabled(m_state.canStop);
    m_profile->setEnabled(m_state.canProfile);
    m_apply->setVisible(m_state.showApply);
}

void RunPanel::refreshMaximum() {
    const ScenePtr scene = m_context.workbench.scene();
    const auto total = scene->machine.memoryBytes;
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

void RunPanel::submitLearningRate() {
    if (!m_learningRate->isModified()) return;
    m_learningRate->setModified(false);
    RunConfig config = m_context.workbench.config();
    const QString text = m_learningRate->text().trimmed();
    Result<void> ok;
    if (text.isEmpty())
        config.learningRate.reset();
    else
        ok = setOption(config, "lr", text.toStdString());
    m_inputError->setText(ok.has_value() ? QString() : QString::fromStdString(ok.error().text()));
    m_inputError->setVisible(!ok.has_value());
    if (ok.has_value()) edit(tr("learning rate"), config);
}

void RunPanel::submitSeed() {
    if (!m_seed->isModified()) return;
    m_seed->setModified(false);
    RunConfig config = m_context.workbench.config();
    const Result<void> ok = setOption(config, "seed", m_seed->text().trimmed().toStdString());
    m_inputError->setText(ok.has_value() ? QString() : QString::fromStdString(ok.error().text()));
    m_inputError->setVisible(!ok.has_value());
    if (ok.has_value()) edit(tr("seed"), config);
}

void RunPanel::submitSteps() {
    if (!m_steps->isModified()) return;
    m_steps->setModified(false);
    QString text = m_steps->text();
    text.removeIf([](QChar c) { return c.isSpace(); });
    const Result<std::int64_t> steps =
        text.isEmpty() ? Result<std::int64_t>(std::int64_t{0}) : parseSize(text.toStdString());
    m_inputError->setText(steps.has_value() ? QString() : QString::fromStdString(steps.error().text()));
    m_inputError->setVisible(!steps.has_value());
    if (!steps.has_value()) return;
    m_controller.setStepsWanted(steps.value());
    refresh();
}

}  // namespace plumb::ui
