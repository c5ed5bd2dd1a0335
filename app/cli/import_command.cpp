// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/out_file.h"
#include "core/io/file.h"
#include "core/io/json_fields.h"
#include "core/opening/imported_step.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <utility>

namespace plumb::cli {

namespace {

using nlohmann::json;

/// "trace.plumb" beside "trace.pt.json.gz", in the folder that the program was started in.
std::string outName(const std::string& file) {
    std::string name = std::filesystem::path(file).filename().string();
    for (const std::string_view ending : {".gz", ".json", ".pt.trace", ".pickle", ".pkl"})
        if (name.ends_with(ending) && name.size() > ending.size()) name.resize(name.size() - ending.size());
    return name + ".plumb";
}

json importedJson(const std::string& out, const StepFile& file) {
    return {{"out", out},
            {"title", file.step.title()},
            {"ops", file.step.opCount()},
            {"tensors", file.step.tensorCount()},
            {"notes", file.said}};
}

Result<void> importOne(const std::string& file, const std::string& out, const Arguments& arguments) {
    PLUMB_CHECK(checkOutput({"--out", out}, {{"FILE", file}}));
    const Interrupt interrupt;
    ProgressLine progress;
    ImportOptions options;
    options.stop = interrupt.token();
    options.progress = [&](double share) {
        if (progress.due()) progress.show(fmt::format("reading {:.0f} %", share * 100));
    };
    if (arguments.has("step")) options.step = arguments.text("step");
    PLUMB_TRY(const StepFile step, importStep(file, options));
    progress.clear();
    PLUMB_CHECK(writeFileAtomically(out, dumpJson(toJson(step), -1) + "\n"));
    if (arguments.json()) return print(dumpJson(importedJson(out, step), 1) + "\n");
    std::string text = fmt::format("{}: {}, {} ops, {} storages\n", out, step.step.title(),
                                   step.step.opCount(), step.step.tensorCount());
    for (const std::string& sentence : step.said) text += "  " + sentence + "\n";
    return print(text);
}

Result<void> runImport(const Arguments& arguments) {
    const std::vector<std::string> files = arguments.texts("FILE");
    if (files.size() > 1 && arguments.has("out"))
        return badInput(fmt::format("--out names one file, and there are {}", files.size()),
                        "leave it out: each gets a name of its own");
    if (files.size() > 1 && arguments.json())
        return badInput(fmt::format("--json prints one document, and there are {} files", files.size()),
                        "import them one by one");
    for (const std::string& file : files)
        PLUMB_CHECK(importOne(file, arguments.text("out", outName(file)), arguments));
    return {};
}

}  // namespace

CommandSpec importCommand() {
    return CommandSpec{
        .name = "import",
        .help = "traces of PyTorch's profiler and memory snapshots as recorded steps, which open in "
                "the window with every view that they can fill",
        .positional = "FILE",
        .positionalHelp = "a trace of PyTorch's profiler or a memory snapshot; also several",
        .options = {{"out", "OUT.plumb", "where to (the file's name with .plumb, in this folder)"},
                    {"step", "STEP", "of a trace: its name, or its number from 0 (that of median time)"}},
        .examples = "Examples:\n"
                    "  plumbline-cli import worker0.pt.trace.json.gz\n"
                    "  plumbline-cli import trace.json --step ProfilerStep#5 --out step.plumb\n"
                    "  plumbline-cli import memory.pickle",
        .run = runImport,
        .positionalRepeats = true};
}

}  // namespace plumb::cli
