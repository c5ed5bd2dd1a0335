// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/data_section.h"

#include "core/data/batch_source.h"
#include "core/data/token_file.h"
#include "core/model/data_path.h"
#include "ui/run/config_editor.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/file_picker.h"

#include <QFileInfo>
#include <QLabel>

namespace plumb::ui {

DataSection::DataSection(const PanelRows& rows, ConfigEditor& editor)
    : m_editor(editor),
      m_featuresPicker(
          addPicker(rows, tr("synthetic (choose a file…)"), "data", tr("features"), File::Features)),
      m_targetsPicker(addPicker(rows, tr("choose a file…"), "targets", tr("targets"), File::Targets)) {
    rows.addLabelled(tr("Features"), m_featuresPicker);
    rows.addLabelled(tr("Targets"), m_targetsPicker);
    m_error = rows.addSentence("dataError");
}

FilePicker* DataSection::addPicker(const PanelRows& rows, const QString& empty, const char* name,
                                   const QString& title, File which) {
    auto* picker = new FilePicker(empty, QString::fromLatin1(name), rows.parent());
    connect(picker, &FilePicker::pickRequested, this, [this, title, which] {
        emit fileWanted(title, [this, which](const QString& path) { choose(which, path); });
    });
    connect(picker, &FilePicker::cleared, this, [this, which] { choose(which, {}); });
    return picker;
}

void DataSection::show(const RunPanelState& state) {
    const RunConfig& config = m_editor.config();
    if (config.data != m_featuresInForce || config.targets != m_targetsInForce) {
        // Other files came into force, by choice, undo or a snapshot: nothing is half chosen any more.
        m_featuresInForce = config.data;
        m_targetsInForce = config.targets;
        m_features.clear();
        m_targets.clear();
        showSentence(m_error, {});
    }
    m_featuresPicker->showPath(m_features.isEmpty() ? state.data : m_features);
    m_targetsPicker->setEnabled(!config.readsTokens());  // the tokens that follow are the targets
    m_targetsPicker->showPath(m_targets.isEmpty() ? state.targets : m_targets);
}

void DataSection::choose(File which, const QString& path) {
    // The engine may have another working folder, and a snapshot is opened elsewhere.
    if (path.isEmpty())
        clear(which);
    else
        (which == File::Features ? m_features : m_targets) = QFileInfo(path).absoluteFilePath();
    showSentence(m_error, {});
    apply();
    emit changed();
}

// The other file stays: it is held until this one is chosen anew.
void DataSection::clear(File which) {
    RunConfig config = m_editor.config();
    const bool own = config.data != "synthetic";
    const QString features = which == File::Features ? QString()
                             : !m_features.isEmpty() ? m_features
                             : own                   ? toText(config.data)
                                                     : QString();
    const QString targets = which == File::Targets ? QString() : m_targets;
    if (own) {
        config.data = "synthetic";
        config.targets.clear();
        m_editor.edit(tr("data"), config);
    }
    m_features = features;
    m_targets = targets;
}

void DataSection::apply() {
    if (isComplete()) return;
    RunConfig config = m_editor.config();
    if (!addFiles(config)) return;
    if (const auto opened = openData(config); !opened.has_value())
        return showSentence(m_error, errorSentence(opened.error()));
    m_editor.editAt(m_error, tr("features and targets"), config);
    if (!(m_editor.config() == config)) return;  // refused, and said so
    m_features.clear();
    m_targets.clear();
}

bool DataSection::addFiles(RunConfig& config) {
    const auto refuse = [this](const QString& sentence) {
        showSentence(m_error, sentenceText(sentence));
        return false;
    };
    const bool own = config.data != "synthetic";
    if (m_features.isEmpty() && !own) return refuse(tr("Choose the features as well"));
    if (!m_features.isEmpty()) {
        config.data = m_features.toStdString();
        if (formatOfName(config.data) != DataFormat::Auto) config.dataFormat = DataFormat::Auto;
    }
    if (!m_targets.isEmpty()) config.targets = m_targets.toStdString();
    if (m_targets.isEmpty() && !own) config.targets.clear();
    RunConfig alone = config;
    alone.targets.clear();
    const bool array = alone.effectiveDataFormat() == DataFormat::TokensNpy;
    const bool tokens =
        array ? m_targets.isEmpty() && TokenFile::openNpy(config.data, config.vocabulary).has_value()
              : alone.readsTokens();
    if (tokens) {
        config.targets.clear();  // the tokens that follow are the targets
        m_targets.clear();
        return true;
    }
    if (array && config.targets.empty()) return refuse(tr("Choose the targets as well"));
    const auto widths = widthsOfData(config);
    if (!widths.has_value()) return refuse(errorSentence(widths.error()));
    config.dim = widths->features.value_or(config.dim);
    if (config.head) config.outputs = widths->targets.value_or(config.outputs);
    return true;
}

}  // namespace plumb::ui
