// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/file.h"
#include "core/memory_snapshot/memory_snapshot.h"
#include "core/memory_snapshot/pickle_window.h"
#include "core/memory_snapshot/snapshot_builder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace plumb {

/// Runs the opcodes of a pickle that hold data, and refuses all others. What is made of them is the builder's
/// affair.
class PickleReader {
public:
    PickleReader(const ReadableFile& file, SnapshotBuilder& builder, const MemorySnapshotOptions& options);

    /// The value of the whole pickle. Errors: those of readMemorySnapshot().
    [[nodiscard]] Result<PickleValue> read();
    [[nodiscard]] int protocol() const { return m_protocol; }
    /// Bytes of the file behind the end of the pickle.
    [[nodiscard]] std::uint64_t bytesBehindEnd() const { return m_window.left(); }

private:
    // Each of them returns false with m_error set.
    [[nodiscard]] bool step(bool& isDone);
    [[nodiscard]] bool take(std::size_t count, const char*& bytes);
    [[nodiscard]] bool refill(std::size_t count);
    [[nodiscard]] bool takeNumber(std::size_t bytes, std::uint64_t& number);
    [[nodiscard]] bool pushText(std::size_t lengthBytes);
    [[nodiscard]] bool pushLong(std::size_t lengthBytes);
    [[nodiscard]] bool pushNumber(std::uint8_t opcode);
    [[nodiscard]] bool pushTuple(std::size_t count);
    [[nodiscard]] bool memoize(std::uint64_t number);
    [[nodiscard]] bool recall(std::uint64_t number);
    [[nodiscard]] bool startsWithProtocol();
    [[nodiscard]] bool popMark(std::size_t& begin);
    [[nodiscard]] bool collect(std::uint8_t opcode);
    [[nodiscard]] bool frame();
    [[nodiscard]] bool mark();
    [[nodiscard]] bool needStack(std::size_t count);
    [[nodiscard]] bool checkMemory();
    [[nodiscard]] bool refuse(std::uint8_t opcode);
    [[nodiscard]] bool fail(std::string what);
    [[nodiscard]] bool failEarlyEnd();

    const ReadableFile& m_file;
    SnapshotBuilder& m_builder;
    const MemorySnapshotOptions& m_options;
    std::size_t m_mostBytes;
    PickleWindow m_window;
    std::uint64_t m_opcodeAt = 0;
    int m_protocol = 0;
    std::vector<PickleValue> m_stack;
    std::vector<std::size_t> m_marks;  ///< heights of the stack
    ChunkedColumn<PickleValue> m_memo;
    std::optional<Error> m_error;
};

}  // namespace plumb
