// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/memory_snapshot/memory_snapshot.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// The part of a training that an allocation was made in, by its stack.
enum class MemoryOrigin : std::uint8_t {
    Forward,    ///< under a Python frame named forward
    Backward,   ///< under a node of autograd or its engine
    Optimizer,  ///< under a file of torch/optim, or under a step() in a file named after optimizers
    Workspace,  ///< under at::cuda::getNewWorkspace: of the matrix library, one for each handle and stream
    Other,      ///< Python frames, but none of these
    Unknown,    ///< no frame that says anything: C++ frames are recorded with stacks="all" only
};
inline constexpr std::size_t kMemoryOriginCount = 6;
inline constexpr auto kMemoryOriginNames = enumNames<MemoryOrigin>({{MemoryOrigin::Forward, "forward"},
                                                                    {MemoryOrigin::Backward, "backward"},
                                                                    {MemoryOrigin::Optimizer, "optimizer"},
                                                                    {MemoryOrigin::Workspace, "workspace"},
                                                                    {MemoryOrigin::Other, "other"},
                                                                    {MemoryOrigin::Unknown, "unknown"}});

/// What a stack says of the allocation that it made. Texts are empty where the stack does not say.
struct AllocationSite {
    MemoryOrigin origin = MemoryOrigin::Unknown;
    std::string op;      ///< innermost at::_ops frame ("mul_Tensor"); empty_* where no other encloses it
    std::string node;    ///< of autograd: "MulBackward0"
    std::string module;  ///< innermost frame named forward, file and line; frames hold no class and no path
    std::string place;   ///< innermost Python frame outside torch: file, line, name; else the innermost one

    /// One line that is the same for the same place of two snapshots: operation and place.
    [[nodiscard]] std::string label() const;
};

/// What the stacks of a snapshot say. Keeps a reference to it, and a byte for each frame and each stack.
class AllocationSites {
public:
    explicit AllocationSites(const MemorySnapshot& snapshot);

    /// Pre: a number of the snapshot's stacks.
    [[nodiscard]] MemoryOrigin origin(std::uint32_t stack) const { return m_origins[stack]; }
    [[nodiscard]] AllocationSite site(std::uint32_t stack) const;
    /// File, line and name of Python frames, or the name alone of what is no Python; innermost first, at most
    /// `most`, without those of the recording itself.
    [[nodiscard]] std::vector<std::string> frames(std::uint32_t stack, std::size_t most) const;

private:
    [[nodiscard]] std::string frameText(const MemoryFrame& frame) const;
    [[nodiscard]] std::string fileAndLine(const MemoryFrame& frame) const;

    const MemorySnapshot& m_snapshot;
    std::vector<std::uint8_t> m_traits;  ///< of each frame
    std::vector<MemoryOrigin> m_origins;
};

}  // namespace plumb
