// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/engine/remote_host.h"
#include "ui/settings/preferences.h"

#include <QByteArray>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QSettings;
class QVariant;

namespace plumb::ui {

/// What the Lab remembers: text as it was typed. Null: never typed.
struct LabSettings {
    int page = 0;
    QString value = QStringLiteral("0.1");
    QString neighbours;
    int dtypePart = 0;            ///< what stands below the table of formats
    QString shape, steps, dtype;  ///< fields of the tensor
    QString device, bus;          ///< id of the GPU and name of the way there
    QString expression, sizes, einsumDtype, einsumDevice;
    QString collective;  ///< what its page asks, see keptCollective()
    bool operator==(const LabSettings&) const = default;
};

/// Ids of lessons: the one that was open last, and those that are done.
struct LessonSettings {
    QString current;
    QStringList done;
};

/// Which engine runs. `command`: program and arguments, as in a shell: `ssh host plumbline-cli engine`;
/// empty: the one beside the window. `pyTorchInterpreter`: the Python that has torch and plumbline; empty:
/// PLUMBLINE_PYTHON, else python3.
struct EngineSettings {
    QString command, pyTorchInterpreter;
    QString host = {};  ///< name of the host whose engine is used; empty: that of the command
};

/// The files that were open in tabs when a window was closed last, and whether the next start opens them.
struct DocumentSettings {
    bool isRestored = false;
    QStringList open;
    int current = 0;
    QMap<QString, QByteArray>
        plans{};  ///< what their planners were asked, as setPlannerInputs() has it, by path
};

/// How the user arranged the window. `outside`: ids of the views that are not among the tabs; `docks`: where
/// they are, as QMainWindow writes it; `shares`: sizes of the parts beside each other in a view, by the name
/// of what parts them and its direction.
struct LayoutSettings {
    QStringList outside;
    QByteArray docks;
    QMap<QString, QList<int>> shares;
    bool operator==(const LayoutSettings&) const = default;
};

/// What the window remembers between starts; the only place that knows QSettings. Every getter has a default
/// and takes whatever lies in the file: a value that cannot be used counts as absent.
class Settings final {
public:
    static constexpr int kFormatVersion = 2;
    static constexpr int kMostRecentFiles = 10;

    /// The settings of this user, in the place of the platform.
    Settings();
    /// A file of its own: tests.
    explicit Settings(const QString& path);
    ~Settings();

    /// Told once, when what was changed could not be written: Io with the file and a remedy. Whatever is set
    /// is written a moment later, all of it together.
    void onFailure(std::function<void(const Error&)> tell);
    /// Writes what was changed; what stands in the file then, or the error, is final.
    void save();

    /// Nobody used the program before: the file was not there.
    [[nodiscard]] bool isFirstStart() const { return m_isFirst; }

    [[nodiscard]] Preferences preferences() const;
    void setPreferences(const Preferences& preferences);

    /// Configurations under names, as JSON: those that another window has kept meanwhile, too.
    [[nodiscard]] QByteArray presets() const;
    /// Writes at once what `change` makes of the presets as they stand in the file now. Errors: those of
    /// `change`, and Io where they cannot be written; nothing is changed then.
    [[nodiscard]] Result<void>
    changePresets(const std::function<Result<QByteArray>(const QByteArray&)>& change);

    [[nodiscard]] EngineSettings engine() const;
    void setEngine(const EngineSettings& engine);

    [[nodiscard]] QList<RemoteHost> hosts() const;
    /// Only what differs from `before`, which is what the caller knew: the hosts that another window has
    /// added meanwhile stay, and so do texts that are no host for this program.
    void setHosts(const QList<RemoteHost>& hosts, const QList<RemoteHost>& before);

    /// Those of all windows. Absolute paths, newest first: of each entry the files that were opened together
    /// as one document.
    [[nodiscard]] QList<QStringList> recentFiles() const;
    void addRecentFiles(const QStringList& paths);
    void forgetRecentFiles(const QStringList& paths = {});  ///< an entry of them; empty: all

    /// Actions whose keys the user chose, by id: keys as QKeySequence writes them portably; empty: none.
    [[nodiscard]] QMap<QString, QString> shortcuts() const;
    /// At once, and only what differs from `before`, as setHosts() does. Keys that another window has given
    /// to an action meanwhile leave it for the one that gets them here.
    void setShortcuts(const QMap<QString, QString>& keys, const QMap<QString, QString>& before);

    [[nodiscard]] QString lastFolder() const;
    void setLastFolder(const QString& folder);

    /// What a planner was asked last, whatever its document, as plannerInputsFrom() reads it.
    [[nodiscard]] QByteArray plannerInputs() const;
    void setPlannerInputs(const QByteArray& inputs);

    [[nodiscard]] QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray& geometry);
    /// Whether the panel at the left stands beside the views where there is room for it.
    [[nodiscard]] bool isPanelUnfolded() const;
    void setPanelUnfolded(bool unfolded);
    /// Id of the view that was shown last; empty: none yet.
    [[nodiscard]] QString currentView() const;
    void setCurrentView(const QString& id);
    [[nodiscard]] LayoutSettings layout() const;
    void setLayout(const LayoutSettings& layout);
    [[nodiscard]] LabSettings lab() const;
    void setLab(const LabSettings& lab);
    [[nodiscard]] DocumentSettings documents() const;
    void setDocuments(const DocumentSettings& documents);
    [[nodiscard]] LessonSettings lessons() const;
    void setLessons(const LessonSettings& lessons);

private:
    void migrate();
    void set(const QString& key, const QVariant& value);
    std::unique_ptr<QSettings> m_store;
    QTimer m_saving;
    std::function<void(const Error&)> m_tell;
    std::optional<Error> m_failure;
    bool m_isFirst = false;
};

/// The preferences of whoever runs the program, of whose settings nothing is written.
[[nodiscard]] Preferences preferencesOfUser();

}  // namespace plumb::ui
