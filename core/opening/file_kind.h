// SPDX-License-Identifier: Apache-2.0
// Which kind of file is to be opened, by its content, so that its name may be anything.
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plumb {

/// Kinds of files that are opened to be looked at.
enum class FileKind : std::uint8_t { MemorySnapshot, RecordedStep, Snapshot, NsysTrace, KernelReport, Trace };

/// How to tell a kind, and what people call it.
struct FileKindSpec {
    FileKind kind{};
    std::string_view what;                   ///< "snapshots of Plumbline (.plumb)", for messages
    bool (*begins)(std::string_view start);  ///< whether a file that begins so is of this kind
};
/// In the order in which they are tried.
[[nodiscard]] const std::array<FileKindSpec, 6>& fileKinds();

/// What all of them are called: "memory snapshots of PyTorch (.pickle); steps ...".
[[nodiscard]] std::string namesOfFileKinds();

/// How much of a file is looked at.
inline constexpr std::size_t kFileKindBytes = 65'536;

/// The kind of a file that begins so; none where nothing here reads it.
[[nodiscard]] std::optional<FileKind> fileKindOf(std::string_view start);
/// The same of a file. Errors: Io as readFile().
[[nodiscard]] Result<std::optional<FileKind>> fileKindAt(const std::string& path);

}  // namespace plumb
