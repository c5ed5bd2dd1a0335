// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/io/file.h"
#include "core/io/safetensors_header.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The .safetensors format (https://github.com/huggingface/safetensors): tensors under names in one file, with
// texts beside them. Bytes are little-endian and lie row by row.
namespace plumb {

/// A .safetensors file whose header was checked in full; nothing of its data is read before it is asked for.
class SafetensorsFile {
public:
    /// Errors: those of ReadableFile and of parseSafetensorsHeader().
    [[nodiscard]] static Result<SafetensorsFile> open(const std::string& path);

    [[nodiscard]] const std::string& path() const { return m_file.path(); }
    /// The tensors in the order of their data.
    [[nodiscard]] const std::vector<SafetensorsEntry>& tensors() const { return m_header.tensors; }
    [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return m_header.metadata; }
    /// Null when there is none of this name.
    [[nodiscard]] const SafetensorsEntry* find(std::string_view name) const;
    /// All data of one of tensors(). Errors: Io as ReadableFile::read(); OutOfMemory.
    [[nodiscard]] Result<std::vector<std::byte>> bytes(const SafetensorsEntry& entry) const;
    /// A part of it, from byte `first` of the tensor on. Errors: Io as ReadableFile::read().
    [[nodiscard]] Result<void> read(const SafetensorsEntry& entry, std::uint64_t first,
                                    std::span<std::byte> target) const;

private:
    SafetensorsFile(ReadableFile file, SafetensorsHeader header);
    ReadableFile m_file;
    SafetensorsHeader m_header;
    std::vector<std::uint32_t> m_byName;  ///< indices of tensors(), sorted by name
};

/// A tensor to be written; `bytes` outlive the call.
struct SafetensorsTensor {
    std::string name;
    Dtype dtype{};
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;
};

/// Their order in a file: by element size, largest first, and otherwise as given, so that each lies aligned.
[[nodiscard]] std::vector<const SafetensorsTensor*>
safetensorsOrder(const std::vector<SafetensorsTensor>& tensors);

/// "F32" for Fp32 and Tf32, "F8_E4M3", ...
[[nodiscard]] std::string_view safetensorsDtype(Dtype dtype);

/// Writes `tensors` in their safetensorsOrder(); the same input gives the same bytes. Atomic and durable as
/// writeFileAtomically(), and nothing of the data is copied. Errors: Io; BadInput for two tensors of one
/// name, "__metadata__" as a name, or bytes that do not fit shape and dtype.
[[nodiscard]] Result<void> writeSafetensors(const std::string& path,
                                            const std::vector<SafetensorsTensor>& tensors,
                                            const std::map<std::string, std::string>& metadata);
/// The same into a file that was begun and is committed here; AtomicFile::problem() says what went wrong.
[[nodiscard]] Result<void> writeSafetensors(AtomicFile& file, const std::string& path,
                                            const std::vector<SafetensorsTensor>& tensors,
                                            const std::map<std::string, std::string>& metadata);

}  // namespace plumb
