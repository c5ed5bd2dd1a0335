// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/snapshot.h"

#include "core/engine/protocol.h"
#include "core/export/formats.h"
#include "core/io/json_fields.h"
#include "core/measure/reading.h"
#include "core/plan/step_plan.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {
namespace {

void exportAll(const Snapshot& read) {
    if (isPlannedQuickly(read.config)) {
        const ExportedStep step = exportedStep(read);
        for (const ExportFormat& format : exportFormats()) {
            const auto content = exported(step, format);
            if (content.has_value() && format.ending() == "json")
                require(nlohmann::json::accept(*content), format.id + " is JSON", *content);
        }
    }
    if (!read.measured) return;
    const std::string line = protocol::encode({1, protocol::ReadingEvent{*read.measured}});
    require(protocol::parseEvent(line).has_value(), "a reading goes through the protocol", line);
}

void planAgain(const Snapshot& read) {
    if (!isPlannedQuickly(read.config)) return;
    const auto plan = planStep(read.config, read.target.traits);
    if (!isTaken(plan)) return;
    require(predict(*plan, read.target.machine).memory.peakBytes >= 0, "a peak is not negative");
    (void)predictedReading(*plan, read.target.machine);
}

}  // namespace

void snapshot(std::string_view input) {
    const auto document = parseJson(input, "it");
    if (!isTaken(document)) return;
    const auto read = snapshotFromJson(*document);
    if (!isTaken(read)) return;
    const std::string written = dumpJson(toJson(*read));
    const auto parsed = parseJson(written, "it");
    require(parsed.has_value(), "a snapshot that was written is JSON", written);
    const auto again = snapshotFromJson(*parsed);
    require(again.has_value(), "a snapshot that was written is read",
            again.has_value() ? std::string() : again.error().text());
    require(dumpJson(toJson(*again)) == written, "a snapshot is written as it was read");
    exportAll(*read);
    planAgain(*read);
}

void snapshot_file(std::string_view input) {
    const MemoryFile file(input);
    (void)isTaken(readSnapshot(file.path()));
}

}  // namespace plumb::fuzz
