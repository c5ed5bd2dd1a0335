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

/// A .safetensors file that was checked in full and is mapped: nothing of its data is read before it is used.
class SafetensorsFile {
public:
    /// Errors: those of MappedFile::open() and of parseSafetensorsHeader().
    [[nodiscard]] static Result<SafetensorsFile> open(const std::string& path);

    [[nodiscard]] const std::string& path() const { return m_path; }
    /// In the order of their data.
    [[nodiscard]] const std::vector<SafetensorsEntry>& tensors() const { return m_header.tensors; }
    [[nodiscard]] const std::map<std::string, std::string>& metadata() const { return m_header.metadata; }
    /// Null when there is none of this name.
    [[nodiscard]] const SafetensorsEntry* find(std::string_view name) const;
    /// Of one of tensors(). Not aligned: the format does not promise it.
    [[nodiscard]] std::span<const std::byte> bytes(const SafetensorsEntry& entry) const;

private:
    SafetensorsFile(MappedFile file, SafetensorsHeader header, std::string path);
    MappedFile m_file;
    SafetensorsHeader m_header;
    std::vector<std::uint32_t> m_byName;  ///< indices of tensors(), sorted by name
    std::string m_path;
};

/// A tensor to be written; `bytes` outlive the call.
struct SafetensorsTensor {
    std::string name;
    Dtype dtype{};
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;
};

/// "F32" for Fp32 and Tf32, "F8_E4M3", ...
[[nodiscard]] std::string_view safetensorsDtype(Dtype dtype);

/// Writes `tensors` in the order of element size, largest first, and otherwise as given, so that each lies
/// aligned; the same input gives the same bytes. Atomic and durable as writeFileAtomically(), and nothing of
/// the data is copied. Errors: Io; BadInput for two tensors of one name, "__metadata__" as a name, or bytes
/// that do not fit shape and dtype.
[[nodiscard]] Result<void> writeSafetensors(const std::string& path,
                                            const std::vector<SafetensorsTensor>& tensors,
                                            const std::map<std::string, std::string>& metadata);

}  // namespace plumb
