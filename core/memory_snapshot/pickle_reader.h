// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/file.h"
#include "core/memory_snapshot/memory_snapshot.h"
#include "core/memory_snapshot/snapshot_builder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace plumb {

/// Runs the opcodes of a pickle that hold data, and refuses all others. The file passes through a window;
/// what is made of it is the builder's affair.
class PickleReader {
public:
    PickleReader(const ReadableFile& file, SnapshotBuilder& builder, const MemorySnapshotOptions& options);

    /// The value of the whole pickle. Errors: those of readMemorySnapshot().
    [[nodiscard]] Result<PickleValue> read();
    [[nodiscard]] int protocol() const { return m_protocol; }
    /// Bytes of the file behind the end of the pickle.
    [[nodiscard]] std::uint64_t bytesBehindEnd() const { return m_file.size() - position(); }

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

    [[nodiscard]] std::uint64_t position() const { return m_offset + m_at; }
    [[nodiscard]] std::size_t available() const { return m_end - m_at; }

    const ReadableFile& m_file;
    SnapshotBuilder& m_builder;
    const MemorySnapshotOptions& m_options;
    std::size_t m_mostBytes;
    std::vector<char> m_window;
    std::size_t m_at = 0;        ///< place in the window
    std::size_t m_end = 0;       ///< end of what is filled of it
    std::uint64_t m_offset = 0;  ///< place of the window in the file
    std::uint64_t m_opcodeAt = 0;
    int m_protocol = 0;
    std::vector<PickleValue> m_stack;
    std::vector<std::size_t> m_marks;  ///< heights of the stack
    ChunkedColumn<PickleValue> m_memo;
    std::optional<Error> m_error;
};

}  // namespace plumb
