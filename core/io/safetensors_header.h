// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// Bytes of the length at the start of a .safetensors file.
inline constexpr std::size_t kSafetensorsLengthBytes = 8;

/// One tensor of a .safetensors file.
struct SafetensorsEntry {
    std::string name;
    std::string dtype;  ///< as the format writes it: "F32", "BF16", "F8_E4M3", "I64", ...
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0;  ///< bytes from the start of the data
    std::uint64_t end = 0;
};

/// What the header of a .safetensors file says: 8 bytes of length, then JSON, then the data.
struct SafetensorsHeader {
    std::vector<SafetensorsEntry> tensors;        ///< in the order of their data
    std::map<std::string, std::string> metadata;  ///< "__metadata__"
    std::size_t dataOffset = 0;  ///< offset of the first data byte from the start of the file
};

/// Bytes of the file that hold its header, as its first 8 bytes say; at most what parseSafetensorsHeader()
/// reads. Pre: `start` has 8 bytes.
[[nodiscard]] std::uint64_t safetensorsHeaderBytes(std::span<const std::byte> start);

/// Reads the header of a file of `fileBytes` from its start, at least safetensorsHeaderBytes() of it, and
/// checks everything that it claims: the data of the tensors covers the rest of the file once, without holes,
/// and every tensor has the bytes that its shape and dtype ask for. A header whose length is no multiple of 8
/// is legal: nothing may assume that data is aligned.
///
/// Errors: BadInput naming `path` and the tensor. Nothing in the file makes this take more than about 20
/// times the header's bytes of memory, and the header has at most 100 MB, the limit of the reference.
[[nodiscard]] Result<SafetensorsHeader>
parseSafetensorsHeader(std::span<const std::byte> start, std::uint64_t fileBytes, const std::string& path);
/// The same of a file that is in memory as a whole.
[[nodiscard]] inline Result<SafetensorsHeader> parseSafetensorsHeader(std::span<const std::byte> file,
                                                                      const std::string& path) {
    return parseSafetensorsHeader(file, file.size(), path);
}

/// A name from a file for a message: quoted, in ASCII, cut short. A file must not write to a terminal what it
/// likes.
[[nodiscard]] std::string shownName(const std::string& name);

/// Bits that one element of a dtype of the format takes; 0 for an unknown one.
[[nodiscard]] int safetensorsDtypeBits(std::string_view dtype);
/// Bytes of a tensor of this shape whose elements take `bits`; empty when 63 bits do not count its bits, or
/// no whole bytes come out.
[[nodiscard]] std::optional<std::uint64_t> safetensorsBytes(std::span<const std::int64_t> shape, int bits);

}  // namespace plumb
