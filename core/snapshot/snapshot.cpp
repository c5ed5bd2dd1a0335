// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/snapshot.h"

#include "core/base/program_version.h"
#include "core/base/utc_time.h"
#include "core/io/file.h"
#include "core/io/json_fields.h"
#include "core/io/json_inspector.h"
#include "core/io/watched_json.h"

namespace plumb {

namespace {

using nlohmann::json;

constexpr double kFileRead = 0.05, kAllRead = 1;  // of the time of reading a file, when these are done
constexpr double kDocumentBuilt = 0.74;           // and of the time of its text
/// Memory of the document; ours take a tenth of it at most, files of older versions with deep networks more.
constexpr std::size_t kMostMemory = std::size_t{512} << 20U;

Error notOurs(const std::string& path, const std::string& why) {
    return Error{ErrorCode::BadInput, path + " " + why, "choose a file that Plumbline saved"};
}

/// Also looks at the format while it walks through a document.
class SnapshotInspector final : public JsonInspector {
public:
    explicit SnapshotInspector(const std::string& path) : JsonInspector(path, kMostMemory) {}
    [[nodiscard]] bool sawFormat() const { return m_sawFormat; }

    bool string(string_t& text) override {
        if (depth() == 1 && topKey() == "format") {
            m_sawFormat = text == "plumbline.snapshot";
            if (!m_sawFormat)
                return refuse("is not a Plumbline snapshot", "choose a file that Plumbline saved");
        }
        return JsonInspector::string(text);
    }

private:
    bool m_sawFormat = false;
};

Result<json> parseSnapshotJson(const std::string& text, const std::string& path, const ReadControl& control) {
    SnapshotInspector inspector(path);
    PLUMB_TRY(json document, parseJson(text, path, inspector, control));
    if (!inspector.sawFormat()) return notOurs(path, "is not a Plumbline snapshot (it has no \"format\")");
    return document;
}

}  // namespace

Result<Snapshot> makeSnapshot(const RunConfig& config, const Target& target) {
    PLUMB_TRY(const StepPlan plan, planStep(config, target.traits));
    Reading predicted = predictedReading(plan, target.machine);
    PLUMB_TRY(predicted.ranks, predictedRanks(config, target));
    return Snapshot{.created = nowInUtc(),
                    .program = programVersion(),
                    .config = config,
                    .target = target,
                    .predicted = std::move(predicted)};
}

Result<Snapshot> readSnapshot(const std::string& path, const ReadControl& control) {
    // A picture or an archive of any size is refused by its first bytes.
    PLUMB_TRY(const std::string start, readFileStart(path, 4096));
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    if (start.empty()) return notOurs(path, "is empty, not a Plumbline snapshot");
    if (first == std::string::npos || start[first] != '{')
        return notOurs(path, "is not a Plumbline snapshot (it is not a JSON object)");

    PLUMB_TRY(const std::string text, readFile(path, kMostSnapshotBytes, control.part(0, kFileRead)));
    return parseSnapshot(text, path, control.part(kFileRead, kAllRead));
}

Result<Snapshot> parseSnapshot(const std::string& text, const std::string& name, const ReadControl& control) {
    PLUMB_TRY(const json document, parseSnapshotJson(text, name, control.part(0, kDocumentBuilt)));
    auto snapshot = snapshotFromJson(document);
    if (control.isStopped()) return readingStopped(name);
    if (!snapshot.has_value())
        return Error{snapshot.error().code, name + ": " + snapshot.error().message, snapshot.error().hint};
    return snapshot;
}

std::string snapshotText(const Snapshot& snapshot) {
    const json document = toJson(snapshot);
    // Lines are for people, who do not read columns of 100 000 numbers.
    const int indent = document["version"] == Snapshot::kVersion ? -1 : 1;
    return dumpJson(document, indent) + "\n";
}

Result<void> writeSnapshot(const std::string& path, const Snapshot& snapshot) {
    return writeFileAtomically(path, snapshotText(snapshot));
}

}  // namespace plumb
