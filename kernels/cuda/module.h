// SPDX-License-Identifier: Apache-2.0
// The border between plumbline-cli and the CUDA backend, which is a shared object of its own that is loaded
// while the program runs. No CUDA header is needed on this side of it.
#pragma once

#include "core/base/result.h"
#include "core/engine/backend.h"
#include "core/machine/machine.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <plumbline_version.h>
#include <stop_token>
#include <string_view>
#include <vector>

namespace plumb::cuda {

/// Stands for the layout of Module's first two fields, which never changes.
inline constexpr std::uint32_t kModuleMagic = 0x706c4355;  // "plCU"

/// Both sides exchange C++ objects, so they must be of one build: version, commit and compiler.
inline constexpr const char* kModuleBuild = PLUMBLINE_VERSION " " PLUMBLINE_REVISION " " __VERSION__;

/// Whether algorithms of products are timed before the first step, or taken as the matrix library proposes
/// them.
enum class Tuning : std::uint8_t { On, Off };

using CalibrationProgress = std::function<void(std::string_view what, int done, int total)>;

/// What the module offers. Only `magic` and `build` may be read before they were compared.
struct Module {
    std::uint32_t magic = kModuleMagic;
    const char* build = kModuleBuild;

    /// Every GPU that the driver lists, in its order: identity and memory, no ceilings. Errors: Unavailable
    /// where there is none, with the reason and the remedy.
    Result<std::vector<Machine>> (*devices)() = nullptr;
    /// The backend on the GPU that `machine` describes (with its calibration), by its index. Errors:
    /// Unavailable.
    Result<std::unique_ptr<Backend>> (*makeBackend)(const Machine& machine, Tuning tuning) = nullptr;
    /// Measures the GPU that `machine` describes, at fewer sizes when `quick`. Errors: Unavailable; RunFailed
    /// when stopped.
    Result<Machine> (*calibrate)(const Machine& machine, const CalibrationProgress& progress,
                                 std::stop_token stop, bool quick) = nullptr;
};

/// Name of the module's entry point, of type EntryPoint.
inline constexpr const char* kEntryName = "plumblineCudaModule";
using EntryPoint = const Module* (*)();

}  // namespace plumb::cuda
