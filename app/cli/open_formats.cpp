// SPDX-License-Identifier: Apache-2.0
#include "app/cli/open_formats.h"

#include <algorithm>
#include <array>

namespace plumb::cli {

const OpenFormat& openFormat(FileKind kind) {
    static constexpr std::array kFormats{OpenFormat{FileKind::MemorySnapshot, openMemorySnapshot},
                                         OpenFormat{FileKind::RecordedStep, openStepFile},
                                         OpenFormat{FileKind::Snapshot, openSnapshot},
                                         OpenFormat{FileKind::Trace, openTrace}};
    return *std::ranges::find(kFormats, kind, &OpenFormat::kind);
}

}  // namespace plumb::cli
