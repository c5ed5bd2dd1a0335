// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>

#include <string>

namespace plumb::ui {

class Settings;

/// A configuration under a name.
struct Preset {
    QString name;
    RunConfig config;
    bool operator==(const Preset&) const = default;
};

/// JSON for a file or the settings; configurations stand there as in a snapshot.
[[nodiscard]] QByteArray presetsText(const QList<Preset>& presets);
/// The way back. Errors: BadInput, said of `what`, for what is no such JSON, for a preset without a name and
/// for a configuration that cannot be trained.
[[nodiscard]] Result<QList<Preset>> presetsFrom(const std::string& text, const std::string& what);

/// Examples that come with the program, in the language of the window.
[[nodiscard]] QList<Preset> builtInPresets();

/// The presets of the user, kept in the settings; those that another window keeps meanwhile are seen too.
class Presets final : public QObject {
    Q_OBJECT
public:
    explicit Presets(Settings& settings, QObject* parent = nullptr);

    /// In the order in which they were made.
    [[nodiscard]] QList<Preset> all() const;
    /// The first name of "Preset 1", "Preset 2", ... that is free.
    [[nodiscard]] QString freeName() const;
    /// Under a name that is there, in the place of what it was. Errors: BadInput for an empty name.
    [[nodiscard]] Result<void> save(const Preset& preset);
    /// Errors: BadInput for an empty name or that of another one.
    [[nodiscard]] Result<void> rename(const QString& name, const QString& to);
    void remove(const QString& name);
    /// Puts one back that was removed.
    void insert(qsizetype place, const Preset& preset);

    /// Returns how many were added; what has a name that is taken gets a number behind it. Errors: those of
    /// readFile() and presetsFrom().
    [[nodiscard]] Result<qsizetype> import(const QString& path);
    [[nodiscard]] static Result<void> exportTo(const QString& path, const QList<Preset>& presets);

signals:
    void changed();

private:
    void keep(const QList<Preset>& presets);

    Settings& m_settings;
};

}  // namespace plumb::ui
