// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/run/panel_rows.h"
#include "ui/run/run_panel_state.h"

#include <QObject>

#include <functional>

namespace plumb::ui {

class ConfigEditor;
class FilePicker;

/// The two files of own data. Either may come first: what is chosen is held and shown until both are there,
/// then they come into force together with the sizes that they have, as one step to undo.
class DataSection final : public QObject {
    Q_OBJECT
public:
    enum class File { Features, Targets };
    using UsePath = std::function<void(const QString&)>;

    DataSection(const PanelRows& rows, ConfigEditor& editor);
    void show(const RunPanelState& state);
    void choose(File which, const QString& path);  ///< an empty path: no file
    /// False while a file is chosen that is not in force.
    [[nodiscard]] bool isComplete() const { return m_features.isEmpty() && m_targets.isEmpty(); }

signals:
    void fileWanted(const QString& title, const plumb::ui::DataSection::UsePath& use);
    void changed();  ///< what is held and not yet in force

private:
    [[nodiscard]] FilePicker* addPicker(const PanelRows& rows, const QString& empty, const char* name,
                                        const QString& title, File which);
    void clear(File which);
    void apply();
    /// Adds what the chosen files say to `config`; false, and a sentence, when they cannot be used yet.
    [[nodiscard]] bool addFiles(RunConfig& config);

    ConfigEditor& m_editor;
    FilePicker *m_featuresPicker, *m_targetsPicker;
    QLabel* m_error;
    QString m_features, m_targets;  ///< chosen and not yet in force
    std::string m_featuresInForce, m_targetsInForce;
};

}  // namespace plumb::ui
