// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exported_step.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// A format that a step can be sent on in, as the command line and the window offer it.
struct ExportFormat {
    std::string id;        ///< "chrome-trace", for --format
    std::string name;      ///< "Chrome trace", for people
    std::string holds;     ///< what is in it and who opens it, a phrase
    std::string fileName;  ///< what such a file is called unless the user says otherwise: "timeline.json"
    bool isText = true;    ///< whether it may go to a terminal
    /// Why this step has no such data, and what would give it some; empty where it has.
    std::function<std::optional<Error>(const ExportedStep&)> absent;
    /// The file. Pre: not absent. Errors: BadInput for what the format cannot hold.
    std::function<Result<std::string>(const ExportedStep&)> write;

    /// "json": how the name of such a file ends.
    [[nodiscard]] std::string_view ending() const;
};

/// All of them, in the order in which they are offered.
[[nodiscard]] const std::vector<ExportFormat>& exportFormats();
/// The format of that id, or null.
[[nodiscard]] const ExportFormat* findExportFormat(std::string_view id);
/// "csv, tensors-csv, ... and html".
[[nodiscard]] std::string exportFormatList();

/// The file. Errors: why there is no such data, or what the format cannot hold.
[[nodiscard]] Result<std::string> exported(const ExportedStep& step, const ExportFormat& format);

}  // namespace plumb
