// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>

#include <functional>
#include <optional>
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

/// An entry of the settings that cannot be read, written by a newer program or by hand. It stays as it is.
struct UnreadPreset {
    QString name;  ///< empty where it has none
    Error why;
};

/// An entry that was taken out of the settings, as it was written there.
struct RemovedPreset {
    qsizetype place = 0;
    std::string entry;
};

enum class IfTaken { Refuse, Replace };

/// The presets of the user, kept in the settings; those that another window keeps meanwhile are seen too. A
/// change is written at once, and leaves whatever it does not name as it is. Errors, where nothing is
/// changed: those of Settings::changePresets(), and BadInput where the settings hold no list of presets.
class Presets final : public QObject {
    Q_OBJECT
public:
    explicit Presets(Settings& settings, QObject* parent = nullptr);

    /// Those that can be read, in the order in which they were made.
    [[nodiscard]] QList<Preset> all() const;
    [[nodiscard]] QList<UnreadPreset> unread() const;
    /// Why nothing at all can be read.
    [[nodiscard]] std::optional<Error> problem() const;
    /// Whether save() under this name would replace one.
    [[nodiscard]] bool has(const QString& name) const;
    /// The first name of "Preset 1", "Preset 2", ... that is free.
    [[nodiscard]] QString freeName() const;
    /// In the place of one that has the name, where that is wanted. Errors: BadInput for an empty name, one
    /// that is taken, and that of a preset that cannot be read.
    [[nodiscard]] Result<void> save(const Preset& preset, IfTaken ifTaken = IfTaken::Refuse);
    /// Errors: BadInput for an empty name or that of another one.
    [[nodiscard]] Result<void> rename(const QString& name, const QString& to);
    /// Also of one that cannot be read. Errors: BadInput for a name that is not there.
    [[nodiscard]] Result<RemovedPreset> remove(const QString& name);
    /// Under the name that it had, or with a number behind it where that is taken by now; returns it.
    [[nodiscard]] Result<QString> putBack(const RemovedPreset& removed);

    /// Returns how many were added; what has a name that is taken gets a number behind it. Errors: those of
    /// readFile() and presetsFrom(), too.
    [[nodiscard]] Result<qsizetype> import(const QString& path);
    [[nodiscard]] static Result<void> exportTo(const QString& path, const QList<Preset>& presets);

signals:
    void changed();

private:
    struct Kept;
    [[nodiscard]] Result<Kept> kept() const;
    [[nodiscard]] static Result<Kept> keptIn(const QByteArray& settings);
    [[nodiscard]] Result<void> change(const std::function<Result<void>(Kept&)>& edit);

    Settings& m_settings;
};

}  // namespace plumb::ui
