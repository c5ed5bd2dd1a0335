// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/snapshot_rows.h"

#include <string>

namespace plumb {

/// The end of reading: the containers of the file's outermost dict become the parts of a MemorySnapshot.
class SnapshotDocument {
public:
    SnapshotDocument(const PickleStore& values, const PickleContainers& containers, SnapshotRows& rows)
        : m_values(values), m_containers(containers), m_rows(rows), m_made(rows.made()) {}

    /// Puts all that `whole`, the value of the pickle, refers to into rows.made(). Errors: BadInput when it
    /// is no memory snapshot, as what is said behind the name of its file.
    [[nodiscard]] Result<void> take(PickleValue whole);

private:
    [[nodiscard]] Result<void> takeTraces(PickleValue value);
    [[nodiscard]] Result<void> takeSegments(PickleValue value);
    void takeSettings(PickleValue value, const std::string& prefix, int depth);
    void emptyRepeats();
    void checkTiling();
    void nameUnread();

    const PickleStore& m_values;
    const PickleContainers& m_containers;
    SnapshotRows& m_rows;
    MemorySnapshot& m_made;
};

}  // namespace plumb
