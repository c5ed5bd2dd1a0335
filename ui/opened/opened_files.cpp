// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opened/opened_files.h"

#include <algorithm>

namespace plumb::ui {

OpenedFiles::OpenedFiles(QObject* parent)
    : QObject(parent),
      m_kinds{{FileKind::Trace, "trace", &trace},
              {FileKind::NsysTrace, "trace", &trace},
              {FileKind::KernelReport, "roofline", &kernels},
              {FileKind::MemorySnapshot, "allocator", &memory}} {
    follow(trace, "trace");
    follow(kernels, "roofline");
    follow(memory, "allocator");
    follow(memoryBaseline, "allocator");
}

void OpenedFiles::follow(OpenedFile& file, const char* tab) {
    connect(&file, &OpenedFile::changed, this, &OpenedFiles::changed);
    connect(&file, &OpenedFile::failed, this, &OpenedFiles::failed);
    connect(&file, &OpenedFile::progressed, this, [this, read = &file] { emit progressed(read); });
    connect(&file, &OpenedFile::opened, this,
            [this, tab, read = &file] { emit opened(QLatin1String(tab), read->paths()); });
}

bool OpenedFiles::isReading() const {
    return memoryBaseline.isReading() ||
           std::ranges::any_of(m_kinds, [](const Kind& kind) { return kind.file->isReading(); });
}

bool OpenedFiles::open(const QString& path) {
    OpenedFile* file = of(path);
    if (file) file->open(path);
    return file != nullptr;
}

QStringList OpenedFiles::open(const QStringList& paths) {
    QStringList traces, snapshots;
    QStringList left;
    for (const QString& path : paths) {
        OpenedFile* file = of(path);
        if (file == &trace)
            traces << path;
        else if (file == &memory)
            snapshots << path;
        else if (file)
            file->open(path);
        else
            left << path;
    }
    if (!traces.isEmpty()) trace.open(traces);
    if (snapshots.size() > 1) memoryBaseline.open(snapshots[snapshots.size() - 2]);
    if (!snapshots.isEmpty()) memory.open(snapshots.back());
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
