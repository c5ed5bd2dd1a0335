// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/for_people.h"
#include "app/cli/out_file.h"
#include "app/cli/step_files.h"
#include "core/export/exported_step.h"
#include "core/export/thumbnail.h"
#include "core/io/file.h"

#include <fmt/format.h>

namespace plumb::cli {
namespace {

constexpr std::int64_t kUsualSize = 256;

Result<void> runThumbnail(const Arguments& arguments) {
    const std::string file = arguments.text("FILE.plumb");
    const std::string out = arguments.text("out");
    if (out.empty()) return badInput("--out is missing", "name a file, such as --out step.png");
    PLUMB_TRY(const std::int64_t size, arguments.countOr("size", kLeastThumbnail, kUsualSize));
    PLUMB_CHECK(checkOutput({"--out", out}, {{forPeople("the snapshot"), file}}));
    PLUMB_CHECK(checkIsStep(file));
    // Memory does not ask on which machine a step was recorded, so none is looked for.
    PLUMB_TRY(const ExportedStep exported, readExportedStep(file, {}));
    if (exported.step() == nullptr)
        return badInput(fmt::format("the step cannot be planned ({:s})", file),
                        exported.notPlanned.empty() ? "open it with the version that wrote it"
                                                    : exported.notPlanned);
    PLUMB_TRY(
        const std::string picture,
        thumbnailOf(*exported.step(), static_cast<int>(std::min<std::int64_t>(size, kMostThumbnail + 1))));
    return writeFileAtomically(out, picture);
}

}  // namespace

CommandSpec thumbnailCommand() {
    return CommandSpec{
        .name = "thumbnail",
        .help = "a small picture of a step's memory, as file managers show it",
        .takesJson = false,
        .positional = "FILE.plumb",
        .positionalHelp = "a snapshot or a recorded step",
        .options = {{"out", "FILE.png", "where to"}, {"size", "N", "width in pixels, 16 to 1024 (256)"}},
        .examples = "Examples:\n  plumbline-cli thumbnail step.plumb --out step.png --size 512",
        .run = runThumbnail};
}

}  // namespace plumb::cli
