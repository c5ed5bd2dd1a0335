// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace plumb::trace {

/// The text of a file, from its beginning to its end; gzip is unpacked on the way.
class TextSource {
public:
    /// How many times its own size a compressed trace may unpack to. Traces reach 13 to 18; what grows a
    /// hundred times and more is made to fill memory and time.
    static constexpr std::uint64_t kMostGrowth = 200;

    TextSource() = default;
    TextSource(const TextSource&) = delete;
    TextSource& operator=(const TextSource&) = delete;
    virtual ~TextSource() = default;

    /// Fills `room` from its beginning and returns how much; 0 at the end. Errors: Io; BadInput for gzip that
    /// is damaged or grows too much.
    [[nodiscard]] virtual Result<std::size_t> read(std::span<char> room) = 0;
    /// The share of the file that was taken, 0 to 1.
    [[nodiscard]] virtual double share() const = 0;
    /// Whether the compressed file ends before its text does. Known at the end.
    [[nodiscard]] virtual bool isCut() const { return false; }
    [[nodiscard]] virtual bool isPacked() const { return false; }
    [[nodiscard]] virtual std::uint64_t fileBytes() const = 0;
    /// Bytes that were added to the file meanwhile, and are not read.
    [[nodiscard]] virtual std::uint64_t grownBy() const { return 0; }
};

/// What the file holds now: bytes that are added to it later are not read. A gzip file (known by its first
/// bytes) is unpacked by a thread of its own. Errors: Io as ReadableFile has them.
[[nodiscard]] Result<std::unique_ptr<TextSource>> openTextSource(const std::string& path);

}  // namespace plumb::trace
