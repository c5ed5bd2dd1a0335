// SPDX-License-Identifier: Apache-2.0
// The border between plumbline-cli and MPI, whose handles differ from one implementation to the next: what is
// compiled against one of them is a shared object of its own that is loaded while the program runs. No header
// of MPI is needed on this side of it.
#pragma once

#include "core/base/result.h"
#include "core/comm/world.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <plumbline_version.h>

namespace plumb::mpi {

/// Stands for the layout of Module's first two fields, which never changes.
inline constexpr std::uint32_t kModuleMagic = 0x706c4d50;  // "plMP"

/// Both sides exchange C++ objects, so they must be of one build: version, commit and compiler.
inline constexpr const char* kModuleBuild = PLUMBLINE_VERSION " " PLUMBLINE_REVISION " " __VERSION__;

/// What the module offers. Only `magic` and `build` may be read before they were compared.
struct Module {
    std::uint32_t magic = kModuleMagic;
    const char* build = kModuleBuild;

    /// All processes that a launcher has started together, this one among them. Once in a process; waits for
    /// the others. A rank of which nothing is heard for `patience` ends them all. Errors: Unavailable where
    /// the library cannot start, or takes calls of one thread alone.
    Result<std::unique_ptr<World>> (*start)(std::chrono::seconds patience) = nullptr;
};

/// Name of the module's entry point, of type EntryPoint.
inline constexpr const char* kEntryName = "plumblineMpiModule";
using EntryPoint = const Module* (*)();

}  // namespace plumb::mpi
