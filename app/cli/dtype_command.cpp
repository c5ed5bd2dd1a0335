// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "core/base/number_format.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/lab/block_format.h"
#include "core/lab/format_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace plumb::cli {

namespace {

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
            {"fate", fateName(stored.fate)},
            {"error", numberOrNull(stored.error)},
            {"relative_error", numberOrNull(stored.relativeError)},
            {"below", numberOrNull(stored.below)},
            {"above", numberOrNull(stored.above)}};
}

/// Numbers between blanks or commas.
Result<std::vector<double>> numbersOf(std::string_view text) {
    std::vector<double> numbers;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" ,"), text.size());
        if (end > 0) {
            PLUMB_TRY(const double number, parseNumber(text.substr(0, end)));
            if (!std::isfinite(number))
                return Error{ErrorCode::BadInput,
                             fmt::format("a block has no scale for {:s}", text.substr(0, end)),
                             "give finite numbers"};
            numbers.push_back(number);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (numbers.empty())
        return Error{ErrorCode::BadInput, "there is no number to store",
                     "write some, such as \"0.1 0.02 -3\""};
    return numbers;
}

/// Numbers that share scales, block after block.
Result<void> printBlocks(const Arguments& arguments, const lab::BlockFormat& format) {
    PLUMB_TRY(const std::vector<double> numbers, numbersOf(arguments.text("VALUE")));
    PLUMB_TRY(const NumberFormat element, findFormat(format.element));
    double largest = 0;
    for (const double number : numbers) largest = std::max(largest, std::abs(number));
    const double tensorScale = format.powerOfTwo ? 1 : lab::nvfp4TensorScale(largest);
    nlohmann::json blocks = nlohmann::json::array();
    Table table(2);
    table.add({"given", "element", "code", "scale", "stored", "error", "what happened"});
    const auto size = static_cast<std::size_t>(format.block);
    for (std::size_t begin = 0; begin < numbers.size(); begin += size) {
        const auto part = std::span(numbers).subspan(begin, std::min(size, numbers.size() - begin));
        const lab::StoredBlock block = lab::storeBlock(format, part, tensorScale);
        nlohmann::json elements = nlohmann::json::array();
        for (std::size_t i = 0; i < part.size(); ++i) {
            const StoredNumber& stored = block.elements[i];
            const std::string code = lab::codeText(element, stored.code);
            elements.push_back({{"given", part[i]},
                                {"code", code},
                                {"element", stored.value},
                                {"stored", block.values[i]},
                                {"error", block.values[i] - part[i]}});
            table.add({fmt::format("{}", part[i]), fmt::format("{}", stored.value), code,
                       fmt::format("{:.6g}", block.scale), fmt::format("{}", block.values[i]),
                       fmt::format("{:.3g}", block.values[i] - part[i]), std::string(fateName(stored.fate))});
        }
        blocks.push_back({{"scale", block.scale},
                          {"scale_code", fmt::format("0x{:02X}", block.scaleCode)},
                          {"elements", std::move(elements)}});
    }
    if (arguments.json())
        return print(
            dumpJson({{"format", format.name},
                      {"element_format", format.element},
                      {"block", format.block},
                      {"bits_per_element", format.bitsPerElement()},
                      {"tensor_scale", format.powerOfTwo ? nlohmann::json() : nlohmann::json(tensorScale)},
                      {"blocks", std::move(blocks)}},
                     1) +
            "\n");
    PLUMB_CHECK(print(table.text()));
    return print(fmt::format("\n{}: {} numbers of {} share a scale, {} bits for each{}\n", format.label,
                             format.block, element.label, format.bitsPerElement(),
                             format.powerOfTwo ? "" : fmt::format("; tensor scale {:.6g}", tensorScale)));
}

Result<void> runDtype(const Arguments& arguments) {
    const std::string text = arguments.text("VALUE");
    if (arguments.has("format"))
        for (const lab::BlockFormat& format : lab::blockFormats())
            if (format.name == arguments.text("format")) return printBlocks(arguments, format);
    PLUMB_TRY(const double value, parseNumber(text));
    std::vector<NumberFormat> formats(numberFormats().begin(), numberFormats().end());
    if (arguments.has("format")) {
        PLUMB_TRY(const NumberFormat only, findFormat(arguments.text("format")));
        formats = {only};
    }
    if (arguments.json()) {
        nlohmann::json list = nlohmann::json::array();
        for (const NumberFormat& format : formats) list.push_back(entryOf(format, store(format, value)));
        const nlohmann::json document{{"value", numberOrNull(value)}, {"text", text}, {"formats", list}};
        return print(dumpJson(document, 1) + "\n");
    }
    Table table(2);
    table.add({"Format", "sign exponent mantissa", "code", "stored", "error", "relative", "what happened"});
    for (const NumberFormat& format : formats) {
        const StoredNumber stored = store(format, value);
        // What was typed need be no number of fp64, which errors count from.
        const bool isGiven = format.bits() == 64 && lab::exactText(value) != text;
        table.add({std::string(format.label), lab::bitsText(format, stored.code),
                   lab::codeText(format, stored.code), fmt::format("{}", stored.value),
                   isGiven ? "–" : fmt::format("{:.3g}", stored.error),
                   stored.relativeError && !isGiven ? fmt::format("{:.3g}", *stored.relativeError) : "–",
                   isGiven ? "errors count from it" : std::string(fateName(stored.fate))});
    }
    PLUMB_CHECK(print(table.text()));
    if (formats.size() > 1) return {};
    const NumberFormat& format = formats.front();
    const StoredNumber stored = store(format, value);
    return print(fmt::format("\nneighbours  {} and {}\nlargest {}, least normal {}, least subnormal {}, "
                             "epsilon {}\n",
                             numberText(stored.below), numberText(stored.above), format.largest(),
                             format.leastNormal(), format.leastSubnormal(), format.epsilon()));
}

}  // namespace

CommandSpec dtypeCommand() {
    CommandSpec command{.name = "dtype",
                        .help = "how each number format stores a value: bits, stored value, error",
                        .positional = "VALUE",
                        .positionalHelp =
                            "a number, as 0.1, 1e-8, 2^-24 or 1/3; several of them are a block"};
    std::string blocks;
    for (const lab::BlockFormat& format : lab::blockFormats())
        blocks += (blocks.empty() ? "" : ", ") + std::string(format.name);
    command.options = {
        {"format", "NAME",
         "one format only, with its neighbours and limits; or a block of numbers in one of\n" + blocks}};
    command.examples = "Examples:\n"
                       "  plumbline-cli dtype 1e-8\n"
                       "  plumbline-cli dtype 2^-24 --format fp16\n"
                       "  plumbline-cli dtype \"0.1 0.02 -0.07 0.003\" --format mxfp4";
    command.run = runDtype;
    return command;
}

}  // namespace plumb::cli
