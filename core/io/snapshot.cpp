// SPDX-License-Identifier: Apache-2.0
#include "core/io/snapshot.h"

#include "core/io/file.h"
#include "core/io/json_fields.h"

#include "plumbline_version.h"

#include <ctime>

namespace plumb {

namespace {

using nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
/// Room for the deepest network that the planner takes. In memory a value takes some hundred bytes, so this
/// is what keeps a hostile file from filling it.
constexpr std::int64_t kMostValues = 16'000'000;
constexpr std::size_t kMostDepth = 64;

std::string nowInUtc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

/// Walks through a document without building it: is it one that is worth building? Garbage of any size costs
/// a pass over its bytes and no memory.
class Inspector : public nlohmann::json_sax<json> {
public:
    Inspector(const std::string& path, std::size_t size) : m_path(path), m_size(size) {}
    [[nodiscard]] const std::string& refusal() const { return m_refusal; }
    [[nodiscard]] bool sawFormat() const { return m_sawFormat; }
    [[nodiscard]] const std::optional<Error>& problem() const { return m_problem; }

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t&) override { return value(); }
    bool binary(binary_t&) override { return value(); }
    bool string(string_t& text) override {
        if (m_depth == 1 && m_key == "format") {
            m_sawFormat = text == "plumbline.snapshot";
            if (!m_sawFormat) return refuse("is not a Plumbline snapshot");
        }
        return value();
    }
    bool key(string_t& text) override {
        if (m_depth == 1) m_key = text;
        return true;
    }
    bool start_object(std::size_t) override { return open(); }
    bool start_array(std::size_t) override {
        return m_depth == 0 ? refuse("is not a Plumbline snapshot") : open();
    }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t byte, const std::string&, const json::exception& problem) override {
        m_problem = jsonError(problem, byte, m_size, m_path);
        return false;
    }

private:
    bool refuse(const char* why) {
        m_refusal = why;
        return false;
    }
    bool value() {
        if (m_depth == 0) return refuse("is not a Plumbline snapshot");
        return ++m_values <= kMostValues || refuse("holds more values than any snapshot does");
    }
    bool open() { return ++m_depth <= kMostDepth ? value() : refuse("nests too deeply for a snapshot"); }
    bool close() {
        --m_depth;
        return true;
    }

    const std::string& m_path;
    std::size_t m_size;
    std::string m_key;
    std::string m_refusal;
    std::optional<Error> m_problem;
    std::size_t m_depth = 0;
    std::int64_t m_values = 0;
    bool m_sawFormat = false;
};

Error notOurs(const std::string& path, const std::string& why) {
    return Error{ErrorCode::BadInput, path + " " + why, "choose a file that Plumbline saved"};
}

Result<void> inspect(const std::string& text, const std::string& path) {
    Inspector inspector(path, text.size());
    json::sax_parse(text, &inspector);
    if (!inspector.refusal().empty()) return notOurs(path, inspector.refusal());
    if (inspector.problem()) return *inspector.problem();
    if (!inspector.sawFormat()) return notOurs(path, "is not a Plumbline snapshot (it has no \"format\")");
    return {};
}

}  // namespace

std::string programVersion() { return "plumbline " PLUMBLINE_VERSION " (" PLUMBLINE_REVISION ")"; }

Result<Snapshot> makeSnapshot(const RunConfig& config, const Machine& machine, const BackendTraits& traits) {
    PLUMB_TRY(const StepPlan plan, planStep(config, traits));
    Snapshot snapshot;
    snapshot.created = nowInUtc();
    snapshot.program = programVersion();
    snapshot.config = config;
    snapshot.machine = machine;
    snapshot.traits = traits;
    snapshot.predicted = predictedReading(plan, machine);
    return snapshot;
}

Result<Snapshot> readSnapshot(const std::string& path) {
    // A picture or an archive of any size is refused by its first bytes.
    PLUMB_TRY(const std::string start, readFileStart(path, 4096));
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    if (start.empty()) return notOurs(path, "is empty, not a Plumbline snapshot");
    if (first == std::string::npos || start[first] != '{')
        return notOurs(path, "is not a Plumbline snapshot (it is not a JSON object)");

    PLUMB_TRY(const std::string text, readFile(path, kMostBytes));
    PLUMB_CHECK(inspect(text, path));
    PLUMB_TRY(const json document, parseJson(text, path));
    auto snapshot = snapshotFromJson(document);
    if (!snapshot.has_value())
        return Error{snapshot.error().code, path + ": " + snapshot.error().message, snapshot.error().hint};
    return snapshot;
}

Result<void> writeSnapshot(const std::string& path, const Snapshot& snapshot) {
    return writeFileAtomically(path, dumpJson(toJson(snapshot), 1) + "\n");
}

}  // namespace plumb
