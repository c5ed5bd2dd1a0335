// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "core/base/quantity.h"
#include "core/base/table.h"
#include "core/io/file.h"
#include "core/io/json_fields.h"
#include "core/machine/device_figures.h"
#include "core/machine/machine_json.h"
#include "core/machine/own_devices.h"
#include "core/machine/published_sheet.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace plumb::cli {

namespace {

using nlohmann::json;

constexpr std::size_t kMostSheetBytes = std::size_t{4} << 20U;

/// Options of `device add` and the figure that each gives.
struct FigureOption {
    std::string_view option;
    std::string_view key;
};
constexpr std::array kFigureOptions{
    FigureOption{"memory", "memory_bytes"},
    FigureOption{"bandwidth", "bandwidth_bytes_per_s"},
    FigureOption{"bf16", "peak_flop_per_s.bf16"},
    FigureOption{"fp16", "peak_flop_per_s.fp16"},
    FigureOption{"tf32", "peak_flop_per_s.tf32"},
    FigureOption{"fp32", "peak_flop_per_s.fp32"},
    FigureOption{"fp8", "peak_flop_per_s.fp8_e4m3"},
    FigureOption{"fp4", "peak_flop_per_s.fp4_e2m1"},
    FigureOption{"fp64", "peak_flop_per_s.fp64"},
    FigureOption{"links", "link_bytes_per_s"},
    FigureOption{"power", "power_w"},
    FigureOption{"price", "dollars_per_hour"},
};

const DeviceFigure& figureOfKey(std::string_view key) {
    const auto figures = deviceFigures();
    return *std::find_if(figures.begin(), figures.end(),
                         [&](const DeviceFigure& figure) { return figure.key == key; });
}

std::string figureText(const std::optional<double>& value, std::string_view unit) {
    return value ? formatQuantity(*value, unit) : "–";
}

bool isOwn(const KnownDevices& known, std::string_view id) {
    return std::ranges::find(known.own, id, &Machine::id) != known.own.end();
}

Result<void> runList(const Arguments& arguments) {
    const KnownDevices known = KnownDevices::load();
    if (arguments.json()) {
        json list = json::array();
        for (const Machine& machine : known.all()) {
            json entry = toJson(machine);
            entry.erase("costs");
            entry["own"] = isOwn(known, machine.id);
            list.push_back(std::move(entry));
        }
        return print(dumpJson(list, 1) + "\n");
    }
    Table table(2);
    table.add({"id", "name", "memory", "bandwidth", "bf16", "fp8", "links", "power"});
    for (const Machine& machine : known.all())
        table.add({machine.id, machine.name + (isOwn(known, machine.id) ? " (your own)" : ""),
                   machine.memoryBytes ? bytesText(*machine.memoryBytes) : "–",
                   figureText(machine.bandwidthBytesPerSecond, "B/s"),
                   figureText(machine.peak(Dtype::Bf16), "FLOP/s"),
                   figureText(machine.peak(Dtype::Fp8E4M3), "FLOP/s"),
                   figureText(machine.linkBytesPerSecond, "B/s"), figureText(machine.powerWatts, "W")});
    std::string text = table.text() + "links: to the other devices of the node, one direction\n";
    if (known.problem) text += fmt::format("your own are not shown: {}\n", known.problem->text());
    return print(text);
}

json sheetJson(const PublishedSheet& sheet) {
    json figures = json::object(), sources = json::array();
    for (const SheetFigure& figure : sheet.figures)
        figures[figure.path] = {{"value", figure.value          ? json(*figure.value)
                                          : figure.text.empty() ? json()
                                                                : json(figure.text)},
                                {"unit", figure.unit},
                                {"status", figure.status}};
    for (const SheetSource& source : sheet.sources)
        sources.push_back({{"id", source.id}, {"title", source.title}, {"url", source.url}});
    return {{"id", sheet.id},
            {"name", sheet.name},
            {"own", false},
            {"vendor", sheet.vendor},
            {"architecture", sheet.architecture},
            {"form_factor", sheet.formFactor},
            {"memory_type", sheet.memoryType},
            {"link_name", sheet.linkName},
            {"host_link", sheet.hostLink},
            {"figures", figures},
            {"notes", sheet.notes},
            {"sources", sources}};
}

std::string shownFigure(const SheetFigure& figure) {
    if (!figure.text.empty()) return figure.text;
    if (!figure.value) return "–";
    if (figure.unit.empty()) return fmt::format("{:g}", *figure.value);
    return figure.unit == "MHz" ? fmt::format("{:g} MHz", *figure.value)
                                : formatQuantity(*figure.value, figure.unit);
}

Result<void> printSheet(const PublishedSheet& sheet) {
    Table lines(3);
    lines.add({"figure", "value", "where it is from"});
    for (const SheetFigure& figure : sheet.figures)
        lines.add({figure.path, shownFigure(figure), figure.status});
    std::string text = fmt::format("{}\nid {}; {}, {}, {}, memory {}, links {}, host {}\n\n{}", sheet.name,
                                   sheet.id, sheet.vendor, sheet.architecture, sheet.formFactor,
                                   sheet.memoryType, sheet.linkName, sheet.hostLink, lines.text());
    text += "\nseen: read in these sources; derived: follows from them; memory: unverified\n";
    for (const std::string& note : sheet.notes) text += note + "\n";
    for (const SheetSource& source : sheet.sources)
        text += fmt::format("{}: {} ({})\n", source.id, source.title, source.url);
    return print(text);
}

/// A device of the user's own, or this machine: what it has, and where that is from.
Result<void> printOwn(const Machine& machine, bool own) {
    Table table(1);
    table.add({"figure", "value"});
    for (const DeviceFigure& figure : deviceFigures())
        table.add({std::string(figure.label), figureText(figureOf(machine, figure), figure.unit)});
    return print(fmt::format("{}\nid {}{}{}\n\n{}\n{}\n", machine.name, machine.id,
                             own ? "; your own" : "; this machine",
                             machine.linkName.empty() ? "" : "; links " + machine.linkName, table.text(),
                             machine.source.empty() ? "its source is not known" : machine.source));
}

Result<void> runShow(const Arguments& arguments) {
    const KnownDevices known = KnownDevices::load();
    PLUMB_TRY(const Machine machine, known.find(arguments.text("DEVICE")));
    const bool own = isOwn(known, machine.id);
    const auto sheet = own ? std::nullopt : publishedSheet(machine.id);
    if (!arguments.json()) return sheet ? printSheet(*sheet) : printOwn(machine, own);
    json document = sheet ? sheetJson(*sheet) : toJson(machine);
    document.erase("costs");
    document["own"] = own;
    return print(dumpJson(document, 1) + "\n");
}

/// The device that the options describe.
Result<Machine> machineOfOptions(const Arguments& arguments) {
    Machine machine;
    machine.name = arguments.text("NAME|FILE.json");
    machine.id = arguments.text("id");
    machine.linkName = arguments.text("link-name");
    machine.source = arguments.text("source", "entered by hand");
    for (const FigureOption& option : kFigureOptions) {
        if (!arguments.has(option.option)) continue;
        auto value = parseFigure(figureOfKey(option.key), arguments.text(option.option));
        if (!value.has_value())
            return Error{ErrorCode::BadInput,
                         fmt::format("{} (--{:s})", value.error().message, option.option),
                         value.error().hint};
        setFigure(machine, figureOfKey(option.key), *value);
    }
    // The name stays as it was given: one that is taken is refused, not changed.
    if (machine.id.empty()) machine.id = renamedApart(machine, {}).id;
    return machine;
}

Result<void> runAdd(const Arguments& arguments) {
    const std::string given = arguments.text("NAME|FILE.json");
    std::vector<Machine> machines;
    if (given.ends_with(".json")) {
        for (const FigureOption& option : kFigureOptions)
            if (arguments.has(option.option))
                return Error{ErrorCode::BadInput,
                             fmt::format("--{:s} has no meaning beside a file", option.option),
                             "write the figure into the file, or give a name instead of it"};
        PLUMB_TRY(const std::string text, readFile(given, kMostSheetBytes));
        PLUMB_TRY(machines, sheetsFromText(text, given));
        if (machines.empty())
            return Error{ErrorCode::BadInput, fmt::format("{:s} has no device", given),
                         "give it one, or export some from the window"};
    } else {
        PLUMB_TRY(Machine machine, machineOfOptions(arguments));
        machines.push_back(std::move(machine));
    }
    PLUMB_CHECK(addOwnDevices(machines));
    if (arguments.json()) {
        json added = json::array();
        for (const Machine& machine : machines) added.push_back(toJson(machine));
        return print(dumpJson({{"added", added}, {"file", ownDevicesPath()}}, 1) + "\n");
    }
    std::string text;
    for (const Machine& machine : machines) text += fmt::format("added {} ({})\n", machine.id, machine.name);
    return print(text + "kept in " + ownDevicesPath() + "\n");
}

Result<void> runRemove(const Arguments& arguments) {
    PLUMB_TRY(const std::vector<Machine> own, loadOwnDevices());
    const std::string id = arguments.text("ID");
    if (std::ranges::find(own, id, &Machine::id) == own.end()) {
        std::string ids;
        for (const Machine& machine : own) ids += (ids.empty() ? "" : ", ") + machine.id;
        return Error{ErrorCode::BadInput, fmt::format("you have no device '{:s}' of your own", id),
                     ids.empty() ? "there are none; add one with plumbline-cli device add"
                                 : fmt::format("yours are {:s}", ids)};
    }
    PLUMB_CHECK(removeOwnDevice(id));
    return print(arguments.json() ? dumpJson({{"removed", id}}, 1) + "\n" : "removed " + id + "\n");
}

CommandSpec addQuestion() {
    CommandSpec add{.name = "add",
                    .help = "keeps a data sheet of your own, which is then known everywhere",
                    .positional = "NAME|FILE.json",
                    .positionalHelp = "what it is called, or a data sheet that was written by show --json"};
    for (const FigureOption& option : kFigureOptions) {
        const DeviceFigure& figure = figureOfKey(option.key);
        add.options.push_back({std::string(option.option), fmt::format("\"{}\"", figure.example),
                               fmt::format("{}:\n{}", figure.label, figure.help)});
    }
    add.options.push_back({"link-name", "TEXT", "what the links are: NVLink 4, PCIe 5.0 x16"});
    add.options.push_back({"id", "ID", "a short name; made of the name where it is left out"});
    add.options.push_back({"source", "TEXT", "where the figures are from (entered by hand)"});
    add.examples =
        "A file has one device, or a list as the window exports it.\nKeys are those of device show --json "
        "of a device of your own.\nAn id or a name that is taken is refused, and so is a figure that no "
        "device has.\nExamples:\n  plumbline-cli device add \"Lab card\" --memory 48GB --bandwidth 864GB/s "
        "--bf16 181TFLOP/s --power 300W\n  plumbline-cli device add my-card.json";
    add.run = runAdd;
    return add;
}

}  // namespace

CommandSpec deviceCommand() {
    CommandSpec command{.name = "device",
                        .help =
                            "data sheets to plan with: list, show, add and remove (this machine: devices)"};
    command.questions = {
        CommandSpec{.name = "list", .help = "every device that can be planned with", .run = runList},
        CommandSpec{.name = "show",
                    .help = "a whole data sheet, each figure with its source",
                    .positional = "DEVICE",
                    .positionalHelp = "an id, or any unambiguous part of a name",
                    .examples = "Example:\n  "
                                "plumbline-cli device show \"H100 SXM\"",
                    .run = runShow},
        addQuestion(),
        CommandSpec{.name = "remove",
                    .help = "forgets one of your own",
                    .positional = "ID",
                    .positionalHelp = "one that device list shows as your own",
                    .run = runRemove}};
    command.examples = "Examples:\n  plumbline-cli device list\n  plumbline-cli device show b200";
    return command;
}

}  // namespace plumb::cli
