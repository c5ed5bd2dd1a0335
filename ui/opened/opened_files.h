// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/opening/file_kind.h"
#include "ui/opened/opened_kernels.h"
#include "ui/opened/opened_memory.h"
#include "ui/opened/opened_trace.h"

#include <QObject>

#include <vector>

namespace plumb::ui {

/// All files that are open beside the step. A kind is added by a member, and by its line in kinds().
class OpenedFiles final : public QObject {
    Q_OBJECT
public:
    struct Kind {
        FileKind kind{};
        const char* tab = nullptr;  ///< id of the view that shows it
        OpenedFile* file = nullptr;
    };
    explicit OpenedFiles(QObject* parent = nullptr);

    [[nodiscard]] const std::vector<Kind>& kinds() const { return m_kinds; }
    /// Opens the file when it is of one of these kinds, else false: it may be a step, or nothing.
    [[nodiscard]] bool open(const QString& path);
    /// Opens those that are of these kinds, several traces as the ranks of one job, the last of several
    /// memory snapshots compared with the one before it; what is left is returned.
    [[nodiscard]] QStringList open(const QStringList& paths);
    [[nodiscard]] bool isReading() const;
    /// Whether the file is of one of these kinds.
    [[nodiscard]] bool knows(const QString& path) const { return of(path) != nullptr; }

    OpenedAs<OpenedTrace> trace{readOpenedTraces};
    OpenedAs<OpenedKernels> kernels{readOpenedKernels};
    OpenedAs<OpenedSnapshot> memory{readOpenedSnapshot};
    OpenedAs<OpenedSnapshot> memoryBaseline{readOpenedSnapshot};  ///< that `memory` is compared with

signals:
    void changed();
    /// `paths`: all files of what was opened as one document.
    void opened(const QString& tab, const QStringList& paths);
    void progressed(plumb::ui::OpenedFile* file);
    void failed(const plumb::Error& error);

private:
    [[nodiscard]] OpenedFile* of(const QString& path) const;
    void follow(OpenedFile& file, const char* tab);

    std::vector<Kind> m_kinds;
};

}  // namespace plumb::ui
