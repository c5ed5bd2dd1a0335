// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/table.h"
#include "core/io/json_fields.h"
#include "core/lab/format_text.h"
#include "core/lab/number_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace plumb::cli {

namespace {

using lab::NumberFormat;
using lab::StoredNumber;

std::string numberText(std::optional<double> value) { return value ? fmt::format("{}", *value) : "–"; }

nlohmann::json numberOrNull(std::optional<double> value) {
    return value && std::isfinite(*value) ? nlohmann::json(*value) : nlohmann::json();
}

nlohmann::json entryOf(const NumberFormat& format, const StoredNumber& stored) {
    return {{"format", format.name},
            {"bits", lab::bitsText(format, stored.code)},
            {"code", lab::codeText(format, stored.code)},
            {"stored", numberOrNull(stored.value)},
            {"stored_text", fmt::format("{}", stored.value)},
            {"fate", lab::fateName(stored.fate)},
            {"error", numberOrNull(stored.error)},
            {"relative_error", numberOrNull(stored.relativeError)},
            {"below", numberOrNull(stored.below)},
            {"above", numberOrNull(stored.above)}};
}

Result<void> runDtype(const Arguments& arguments) {
    const std::string text = arguments.text("VALUE");
    PLUMB_TRY(const double value, lab::parseNumber(text));
    std::vector<NumberFormat> formats(lab::numberFormats().begin(), lab::numberFormats().end());
    if (arguments.has("format")) {
        PLUMB_TRY(const NumberFormat only, lab::findFormat(arguments.text("format")));
        formats = {only};
    }
    if (arguments.json()) {
        nlohmann::json list = nlohmann::json::array();
        for (const NumberFormat& format : formats) list.push_back(entryOf(format, lab::store(format, value)));
        const nlohmann::json document{{"value", numberOrNull(value)}, {"text", text}, {"formats", list}};
        return print(dumpJson(document, 1) + "\n");
    }
    Table table(2);
    table.add({"Format", "sign exponent mantissa", "code", "stored", "error", "relative", "what happened"});
    for (const NumberFormat& format : formats) {
        const StoredNumber stored = lab::store(format, value);
        table.add({std::string(format.label), lab::bitsText(format, stored.code),
                   lab::codeText(format, stored.code), fmt::format("{}", stored.value),
                   fmt::format("{:.3g}", stored.error),
                   stored.relativeError ? fmt::format("{:.3g}", *stored.relativeError) : "–",
                   std::string(lab::fateName(stored.fate))});
    }
    PLUMB_CHECK(print(table.text()));
    if (formats.size() > 1) return {};
    const NumberFormat& format = formats.front();
    const StoredNumber stored = lab::store(format, value);
    return print(fmt::format("\nneighbours  {} and {}\nlargest {}, least normal {}, least subnormal {}, "
                             "epsilon {}\n",
                             numberText(stored.below), numberText(stored.above), format.largest(),
                             format.leastNormal(), format.leastSubnormal(), format.epsilon()));
}

}  // namespace

CommandSpec dtypeCommand() {
    CommandSpec command;
    command.name = "dtype";
    command.help = "how each number format stores a value: bits, stored value, error";
    command.positional = "VALUE";
    command.options = {{"format", "NAME", "one format only, with its neighbours and limits"}};
    command.run = runDtype;
    return command;
}

}  // namespace plumb::cli
