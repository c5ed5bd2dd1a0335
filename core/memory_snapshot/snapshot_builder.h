// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/snapshot_rows.h"

#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

/// Makes a MemorySnapshot out of the dicts and lists of a pickle while it is read. A dict becomes an entry, a
/// block, a segment or a frame as soon as its keys say so, and a list of frames a stack: no tree of the file
/// is ever there.
class SnapshotBuilder {
public:
    [[nodiscard]] PickleStore& values() { return m_values; }
    [[nodiscard]] PickleValue emptyDict() { return m_containers.add(PickleShape::EmptyDict); }
    [[nodiscard]] PickleValue emptyList() { return m_containers.add(PickleShape::EmptyList); }
    /// Keys and values by turns. Returns false when `dict` is none. Pre: an even number.
    [[nodiscard]] bool setItems(PickleValue dict, std::span<const PickleValue> items);
    /// Returns false when `list` is none.
    [[nodiscard]] bool append(PickleValue list, std::span<const PickleValue> values);

    /// Bytes that all of it takes in memory.
    [[nodiscard]] std::size_t bytes() const {
        return m_values.bytes() + m_containers.bytes() + m_rows.bytes();
    }

    /// The snapshot that the value of the whole pickle is. Errors: BadInput when it is none, as what
    /// is said behind the name of its file. Call it last.
    [[nodiscard]] Result<MemorySnapshot> finish(PickleValue whole);

private:
    void become(PickleValue dict, PickleShape shape, std::span<const PickleValue> items);
    [[nodiscard]] bool appendFrames(PickleValue list, std::span<const PickleValue> values);

    PickleStore m_values;
    PickleContainers m_containers;
    SnapshotRows m_rows{m_values, m_containers};
    std::vector<std::uint32_t> m_stack;  ///< frames of the one that is being made
};

}  // namespace plumb
