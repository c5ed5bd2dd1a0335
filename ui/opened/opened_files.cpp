// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opened/opened_files.h"

#include <algorithm>

namespace plumb::ui {

OpenedFiles::OpenedFiles(QObject* parent)
    : QObject(parent),
      m_kinds{{FileKind::Trace, "trace", &trace},
              {FileKind::NsysTrace, "trace", &trace},
              {FileKind::MemorySnapshot, "allocator", &memory}} {
    for (const Kind& kind : m_kinds) {
        connect(kind.file, &OpenedFile::changed, this, &OpenedFiles::changed);
        connect(kind.file, &OpenedFile::failed, this, &OpenedFiles::failed);
        connect(kind.file, &OpenedFile::progressed, this,
                [this, file = kind.file] { emit progressed(file); });
        connect(kind.file, &OpenedFile::opened, this,
                [this, tab = kind.tab](const QString& path) { emit opened(QLatin1String(tab), path); });
    }
}

bool OpenedFiles::open(const QString& path) {
    OpenedFile* file = of(path);
    if (file) file->open(path);
    return file != nullptr;
}

QStringList OpenedFiles::open(const QStringList& paths) {
    QStringList traces;
    QStringList left;
    for (const QString& path : paths) {
        OpenedFile* file = of(path);
        if (file == &trace)
            traces << path;
        else if (file)
            file->open(path);
        else
            left << path;
    }
    if (!traces.isEmpty()) trace.open(traces);
    return left;
}

OpenedFile* OpenedFiles::of(const QString& path) const {
    const Result<std::optional<FileKind>> kind = fileKindAt(path.toStdString());
    if (!kind.has_value() || !kind.value()) return nullptr;
    // Any JSON may be a trace, but what is called .plumb was meant to be a step: its reader says why it is
    // none.
    if (kind.value() == FileKind::Trace && path.endsWith(QStringLiteral(".plumb"), Qt::CaseInsensitive))
        return nullptr;
    const auto found = std::ranges::find(m_kinds, *kind.value(), &Kind::kind);
    return found == m_kinds.end() ? nullptr : found->file;
}

}  // namespace plumb::ui
