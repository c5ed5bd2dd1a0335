// SPDX-License-Identifier: Apache-2.0
#include "core/recorded/step_file.h"

#include "core/compare/comparison_report.h"
#include "core/export/tables.h"
#include "core/io/json_fields.h"
#include "core/machine/hardware_database.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {
namespace {

/// Every row of every table that is made of a recorded step.
void writeTables(const StepFile& file, const Machine& machine) {
    const ExportedStep step = exportedStep(file, machine);
    const auto rows = [](const Table& table) { (void)toCsv(table); };
    rows(opsTable(step));
    rows(tensorsTable(step));
    rows(memoryTable(step));
    rows(modulesTable(step));
    if (step.measured && step.measured->timeline) rows(timelineTable(step));
    if (step.training) rows(trainingTable(step));
}

}  // namespace

void step_file(std::string_view input) {
    const auto read = parseStepFile(input, "it");
    if (!isTaken(read)) return;
    const std::string written = dumpJson(toJson(*read));
    const auto again = parseStepFile(written, "it");
    require(again.has_value(), "a step that was written is read",
            again.has_value() ? std::string() : again.error().text());
    require(dumpJson(toJson(*again)) == written, "a step is written as it was read");
    const Machine& machine = HardwareDatabase::builtIn().machines.front();
    const PlannedStep planned = plannedOn(*read, {machine, {}});
    require(planned.prediction->memory.peakBytes >= 0, "a peak is not negative");
    const ComparedStep step = comparedStep(*read, "it");
    const Comparison same = compare({step, step});
    require(!same.isChanged(1), "a step does not differ from itself");
    (void)comparisonReport(same, TableForm::Csv, true);
    writeTables(*read, machine);
    if (const auto reading = readingOf(*read, machine)) (void)MeasuredStep(planned, reading);
}

}  // namespace plumb::fuzz
