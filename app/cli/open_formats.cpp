// SPDX-License-Identifier: Apache-2.0
#include "app/cli/open_formats.h"

#include "core/kernel_report/kernel_report.h"
#include "core/memory_snapshot/memory_snapshot.h"
#include "core/recorded/step_file.h"
#include "core/trace/nsys_reader.h"
#include "core/trace/trace_reader.h"

namespace plumb::cli {

std::span<const OpenFormat> openFormats() {
    // Traces come last: any JSON may be one.
    static constexpr OpenFormat kFormats[]{
        {"memory snapshots of PyTorch (.pickle)", isPickle, openMemorySnapshot},
        {"steps that plumbline.record wrote (.plumb)", isStepFile, openStepFile},
        {"snapshots of Plumbline (.plumb)", looksLikeSnapshot, openSnapshot},
        {"databases of Nsight Systems (.sqlite)", trace::looksLikeSqlite, openNsysTrace},
        {"tables of Nsight Compute (.csv)", looksLikeKernelReport, openKernelReport},
        {"traces of PyTorch's profiler and other Chrome traces (.json, .json.gz)", trace::looksLikeTrace,
         openTrace}};
    return kFormats;
}

}  // namespace plumb::cli
