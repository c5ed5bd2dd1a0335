// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// One figure of a data sheet as resources/hardware.json has it: more of them than a Machine takes over.
struct SheetFigure {
    std::string path;             ///< "peak_flop_per_s.bf16"
    std::string unit;             ///< as formatQuantity() takes it; empty: a plain number or a text
    std::optional<double> value;  ///< absent where the status says why, and for a text
    std::string text;             ///< "9.0", of a compute capability
    std::string status;  ///< "seen:stas,epoch", "derived:...", "memory", "unsupported", "unpublished"
};

struct SheetSource {
    std::string id;
    std::string title;
    std::string url;
};

/// A built-in data sheet with everything that is known of its figures.
struct PublishedSheet {
    std::string id;
    std::string name;
    std::string vendor;
    std::string architecture;
    std::string formFactor;
    std::string memoryType;
    std::string linkName;
    std::string hostLink;
    std::vector<SheetFigure> figures;
    std::vector<std::string> notes;
    std::vector<SheetSource> sources;  ///< those that its figures name
};

/// Nothing for an id that is not built in.
[[nodiscard]] std::optional<PublishedSheet> publishedSheet(std::string_view id);

}  // namespace plumb
