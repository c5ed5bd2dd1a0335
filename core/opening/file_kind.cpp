// SPDX-License-Identifier: Apache-2.0
#include "core/opening/file_kind.h"

#include "core/io/file.h"
#include "core/kernel_report/kernel_report.h"
#include "core/memory_snapshot/memory_snapshot.h"
#include "core/recorded/step_file.h"
#include "core/trace/nsys_reader.h"
#include "core/trace/trace_reader.h"

namespace plumb {

namespace {

bool looksLikeSnapshot(std::string_view start) {
    return start.find(R"("plumbline.snapshot")") != std::string_view::npos;
}

}  // namespace

const std::array<FileKindSpec, 6>& fileKinds() {
    // Traces come last: any JSON may be one.
    static constexpr std::array<FileKindSpec, 6> kKinds{
        {{FileKind::MemorySnapshot, "memory snapshots of PyTorch (.pickle)", isPickle},
         {FileKind::RecordedStep, "steps that plumbline.record wrote (.plumb)", isStepFile},
         {FileKind::Snapshot, "snapshots of Plumbline (.plumb)", looksLikeSnapshot},
         {FileKind::NsysTrace, "databases of Nsight Systems (.sqlite)", trace::looksLikeSqlite},
         {FileKind::KernelReport, "tables of Nsight Compute (.csv)", looksLikeKernelReport},
         {FileKind::Trace, "traces of PyTorch's profiler and other Chrome traces (.json, .json.gz)",
          trace::looksLikeTrace}}};
    return kKinds;
}

std::string namesOfFileKinds() {
    std::string names;
    for (const FileKindSpec& spec : fileKinds())
        names += (names.empty() ? "" : "; ") + std::string(spec.what);
    return names;
}

std::optional<FileKind> fileKindOf(std::string_view start) {
    for (const FileKindSpec& spec : fileKinds())
        if (spec.begins(start)) return spec.kind;
    return std::nullopt;
}

Result<std::optional<FileKind>> fileKindAt(const std::string& path) {
    PLUMB_TRY(const std::string start, readFileStart(path, kFileKindBytes));
    return fileKindOf(start);
}

}  // namespace plumb
