// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/findings_report.h"
#include "app/cli/step_files.h"
#include "core/export/exported_findings.h"
#include "core/io/json_fields.h"
#include "core/recorded/step_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace plumb::cli {
namespace {

Result<void> runFindings(const Arguments& arguments) {
    const std::string file = arguments.text("FILE");
    PLUMB_CHECK(checkIsStep(file));
    PLUMB_TRY(const bool isRecorded, isStepFileAt(file));
    PLUMB_TRY(const ExportedStep step,
              readExportedStep(file, isRecorded ? knownMachines() : std::vector<Machine>()));
    if (!step.planned)
        return badInput(fmt::format("the step cannot be planned ({:s})", file),
                        step.notPlanned.empty() ? "open it with the version that wrote it" : step.notPlanned);
    const Findings findings = findingsOf(step);
    if (arguments.json()) return print(dumpJson(findingsJson(findings), 1) + "\n");
    return print(findingsReport(findings));
}

}  // namespace

CommandSpec findingsCommand() {
    return CommandSpec{.name = "findings",
                       .help = "what a step loses or risks, with evidence and what to try (docs/findings.md)",
                       .positional = "FILE",
                       .positionalHelp = "a snapshot or a recorded step",
                       .examples = "",
                       .run = runFindings};
}

}  // namespace plumb::cli
