// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace_reader.h"

#include "core/io/file.h"
#include "core/io/json_fields.h"
#include "core/trace/event_scanner.h"
#include "core/trace/text_window.h"
#include "core/trace/trace_builder.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::trace {

namespace {

/// No event and no field of the envelope is longer: what is, is broken.
constexpr std::size_t kLongestValue = std::size_t{16} << 20U;
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kEvents = "traceEvents";

/// Whether `text` goes on with these marks, blanks between them; `cut` when it ends before that is known.
bool goesOn(std::string_view text, std::initializer_list<std::string_view> marks, bool& cut) {
    cut = false;
    for (const std::string_view mark : marks) {
        text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
        if (text.size() < mark.size() && mark.starts_with(text)) {
            cut = true;
            return false;
        }
        if (!text.starts_with(mark)) return false;
        text.remove_prefix(mark.size());
    }
    return true;
}

/// Reads the events one by one and what stands around them; knows how to go on behind what is broken.
class TraceParser {
public:
    TraceParser(TextSource& source, const ReadOptions& options)
        : m_source(source),
          m_options(options),
          m_window(source),
          m_builder(options.mostSlices, options.withTypes) {}

    Result<void> run();
    [[nodiscard]] TraceBuilder& builder() { return m_builder; }
    [[nodiscard]] std::uint64_t textBytes() const { return m_window.added(); }
    [[nodiscard]] std::int64_t wholeEvents() const { return m_whole; }

private:
    /// Adds text behind what is there; false at the end of the file.
    Result<bool> more();
    /// Passes blanks; the next character, 0 at the end.
    Result<char> next();
    Result<void> readEnvelope();
    Result<void> readField(std::string_view& key);
    Result<void> readEvents();
    Result<Scanned> readEvent();
    /// Goes to the next event behind one that is broken and begins at the window's beginning, or to the end
    /// of the events. `broke` is where it broke.
    Result<void> findEvent(const char* broke);
    Result<void> findField();
    [[nodiscard]] bool beginsEvent(std::size_t at, bool& cut) const;
    [[nodiscard]] bool endsEvents(std::size_t at, bool& cut) const;
    void takeField(std::string_view key, std::string_view text);

    Losses& losses() { return m_builder.trace().losses; }

    TextSource& m_source;
    const ReadOptions& m_options;
    TextWindow m_window;
    TraceBuilder m_builder;
    std::int64_t m_whole = 0;
    std::uint64_t m_wasted = 0;  ///< bytes that were scanned in vain
    bool m_atEnd = false;
    RawEvent m_event;
};

Result<bool> TraceParser::more() {
    if (m_atEnd) return false;
    if (m_options.stop.stop_requested())
        return Error{ErrorCode::RunFailed, "the trace was not read to its end (cancelled)", "open it again"};
    if (m_options.progress) m_options.progress(m_source.share());
    PLUMB_TRY(const bool added, m_window.more());
    m_atEnd = !added;
    return added;
}

Result<char> TraceParser::next() {
    for (;;) {
        EventScanner scanner(m_window.begin(), m_window.end());
        const char c = scanner.peek();
        m_window.take(scanner.at());
        if (scanner.at() != m_window.end()) return c;
        PLUMB_TRY(const bool added, more());
        if (!added) return '\0';
    }
}

void TraceParser::takeField(std::string_view key, std::string_view text) {
    Trace& trace = m_builder.trace();
    if (key == "baseTimeNanoseconds") trace.baseNanoseconds = wholeOf(text);
    if ((key != "deviceProperties" && key != "distributedInfo") || text.size() > (std::size_t{1} << 20U))
        return;
    const auto parsed = parseJson(text, "a field of the trace", std::size_t{4} << 20U);
    if (!parsed.has_value()) {
        ++losses().brokenFields;
        return;
    }
    const nlohmann::json& json = *parsed;
    const auto whole = [](const nlohmann::json& object, const char* name) -> std::optional<std::int64_t> {
        if (!object.is_object()) return std::nullopt;
        const auto found = object.find(name);
        if (found == object.end() || !found->is_number_integer()) return std::nullopt;
        return found->get<std::int64_t>();
    };
    if (key == "distributedInfo") {
        trace.rank = whole(json, "rank");
        trace.worldSize = whole(json, "world_size");
        const auto textOf = [&](const char* name) {
            constexpr std::size_t kLongest = 64;
            const auto found = json.is_object() ? json.find(name) : json.end();
            const bool isText = json.is_object() && found != json.end() && found->is_string();
            return isText ? found->get<std::string>().substr(0, kLongest) : std::string();
        };
        trace.backend = textOf("backend");
        trace.ncclVersion = textOf("nccl_version");
        return;
    }
    if (!json.is_array()) return;
    constexpr std::size_t kMostDevices = 1024;
    for (const nlohmann::json& entry : json) {
        const auto id = whole(entry, "id");
        if (!id || trace.devices.size() >= kMostDevices) continue;
        const auto name = entry.find("name");
        trace.devices.push_back(
            {*id, name != entry.end() && name->is_string() ? name->get<std::string>() : "",
             whole(entry, "totalGlobalMem").value_or(0), whole(entry, "numSms").value_or(0)});
    }
}

/// Reads `"key": value`, but for the events, of which it only passes the key.
Result<void> TraceParser::readField(std::string_view& key) {
    for (;;) {
        EventScanner scanner(m_window.begin(), m_window.end());
        std::string_view text;
        bool quoted = false;
        bool escaped = false;
        Scanned scanned = scanner.text(key, escaped);
        if (scanned == Scanned::Whole) scanned = scanner.pass(':');
        if (scanned == Scanned::Whole && key == kEvents) {
            if (scanner.peek() == '[') {
                key = kEvents;
                m_window.take(scanner.at());
                return {};
            }
            scanned = scanner.at() == m_window.end() ? Scanned::Cut : Scanned::Broken;
        }
        if (scanned == Scanned::Whole) scanned = scanner.value(text, quoted, escaped);
        if (scanned == Scanned::Whole) {
            takeField(key, text);
            m_window.take(scanner.at());
            return {};
        }
        if (scanned == Scanned::Cut && m_window.size() <= kLongestValue) {
            PLUMB_TRY(const bool added, more());
            if (added) continue;
            losses().cut = true;
            m_window.take(m_window.end());
            return {};
        }
        ++losses().brokenFields;
        return findField();
    }
}

/// Behind a broken field: to the next line that begins like one, or to the events.
Result<void> TraceParser::findField() {
    constexpr std::string_view kQuoted = "\"traceEvents\"";
    std::size_t at = 1;
    for (;;) {
        const std::string_view text = m_window.text();
        const std::size_t line = text.find('\n', at);
        const std::size_t events = text.substr(0, line).find(kQuoted, at);
        if (events != std::string_view::npos) {
            m_window.take(m_window.begin() + events);
            return {};
        }
        if (line != std::string_view::npos) {
            bool cut = false;
            if (goesOn(text.substr(line), {"\""}, cut)) {
                m_window.take(m_window.begin() + text.find('"', line));
                return {};
            }
            if (!cut) {
                at = line + 1;
                continue;
            }
        }
        // The last bytes may be the beginning of what is looked for.
        const std::size_t from = line != std::string_view::npos
                                     ? line
                                     : std::max(at, text.size() - std::min(text.size(), kQuoted.size()));
        m_window.take(m_window.begin() + from);
        at = 0;
        PLUMB_TRY(const bool added, more());
        if (!added) {
            m_window.take(m_window.end());
            return {};
        }
    }
}

bool TraceParser::beginsEvent(std::size_t at, bool& cut) const {
    static constexpr std::array<std::string_view, 6> kFirstKeys{"\"ph\"",  "\"name\"", "\"cat\"",
                                                                "\"pid\"", "\"tid\"",  "\"ts\""};
    const std::string_view text = m_window.text();
    if (!goesOn(text.substr(at), {"{", "\""}, cut)) return false;  // most braces of what is broken
    bool anyCut = false;
    bool begins = false;
    for (const std::string_view key : kFirstKeys) {
        bool thisCut = false;
        begins = begins || goesOn(text.substr(at), {"{", key, ":"}, thisCut);
        anyCut = anyCut || thisCut;
    }
    cut = anyCut && !begins;
    const std::size_t before = text.substr(0, at).find_last_not_of(kBlanks);
    return begins && (before == std::string_view::npos || text[before] != ':');
}

bool TraceParser::endsEvents(std::size_t at, bool& cut) const {
    static constexpr std::array<std::string_view, 6> kKeysBehind{
        "\"traceName\"", "\"displayTimeUnit\"",  "\"baseTimeNanoseconds\"",
        "\"otherData\"", "\"deviceProperties\"", "\"schemaVersion\""};
    const std::string_view text = m_window.text();
    bool ends = false;
    cut = false;
    for (const std::string_view key : kKeysBehind) {
        bool thisCut = false;
        ends = ends || goesOn(text.substr(at), {"]", ",", key, ":"}, thisCut);
        cut = cut || thisCut;
    }
    cut = cut && !ends;
    return ends;
}

Result<void> TraceParser::findEvent(const char* broke) {
    const auto broken = static_cast<std::size_t>(broke - m_window.begin());
    m_wasted += broken;
    // What breaks late again and again (one endless text full of beginnings) is passed by where it broke.
    const bool late = m_wasted > 8 * m_window.added() + (std::uint64_t{16} << 20U);
    std::size_t at = late ? std::max<std::size_t>(broken, 1) : 1;
    for (;;) {
        const std::string_view text = m_window.text();
        at = std::min(text.find_first_of("{]", at), text.size());
        if (at < text.size()) {
            bool cut = false;
            if (text[at] == '{' ? beginsEvent(at, cut) : endsEvents(at, cut)) {
                m_window.take(m_window.begin() + at);
                return {};
            }
            if (!cut || m_atEnd) {
                ++at;
                continue;
            }
        }
        // One more character stays, for what stands before a brace.
        const std::size_t keep = std::min<std::size_t>(at, 64);
        m_window.take(m_window.begin() + (at - keep));
        at = keep;
        PLUMB_TRY(const bool added, more());
        if (!added && at >= m_window.size()) {
            m_window.take(m_window.end());
            return {};
        }
    }
}

Result<Scanned> TraceParser::readEvent() {
    for (;;) {
        EventScanner scanner(m_window.begin(), m_window.end());
        Scanned scanned = scanner.event(m_event);
        if (scanned == Scanned::Whole) {
            if (!m_event.has(Field::Phase)) scanned = Scanned::Broken;
        } else if (scanned == Scanned::Cut && m_window.size() <= kLongestValue) {
            PLUMB_TRY(const bool added, more());
            if (added) continue;
            losses().cut = true;
        }
        if (scanned == Scanned::Whole) {
            ++m_whole;
            m_builder.add(m_event);
            m_window.take(scanner.at());
        } else {
            ++losses().broken;
            PLUMB_CHECK(findEvent(scanner.at()));
        }
        return scanned;
    }
}

Result<void> TraceParser::readEvents() {
    while (!m_builder.isFull()) {
        PLUMB_TRY(const char c, next());
        switch (c) {
        case '{': {
            PLUMB_TRY(const Scanned ignored, readEvent());
            (void)ignored;
            break;
        }
        case ',':
            m_window.take(m_window.begin() + 1);
            break;
        case ']': {
            m_window.take(m_window.begin() + 1);
            PLUMB_TRY(char behind, next());
            if (behind == ',') {
                m_window.take(m_window.begin() + 1);
                PLUMB_TRY(behind, next());
            }
            if (behind != '{') return {};
            break;  // a bracket too many: the events go on
        }
        case '\0':
            if (m_window.size() == 0) {
                losses().cut = true;
                return {};
            }
            [[fallthrough]];
        default:
            ++losses().broken;
            PLUMB_CHECK(findEvent(m_window.begin() + 1));
        }
    }
    return {};
}

Result<void> TraceParser::readEnvelope() {
    m_window.take(m_window.begin() + 1);
    while (!m_builder.isFull()) {
        PLUMB_TRY(const char c, next());
        if (c == '"') {
            std::string_view key;
            PLUMB_CHECK(readField(key));
            if (key == kEvents && m_window.size() > 0 && *m_window.begin() == '[') {
                m_window.take(m_window.begin() + 1);
                PLUMB_CHECK(readEvents());
            }
        } else if (c == ',') {
            m_window.take(m_window.begin() + 1);
        } else if (c == '}' && losses().brokenFields == 0) {
            return {};
        } else if (m_window.size() == 0) {
            if (losses().brokenFields == 0) losses().cut = true;
            return {};
        } else if (c == '}' || c == ']') {
            m_window.take(m_window.begin() + 1);  // of a field that was broken
        } else {
            ++losses().brokenFields;
            PLUMB_CHECK(findField());
        }
    }
    return {};
}

Result<void> TraceParser::run() {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    PLUMB_TRY(const bool any, more());
    if (any && m_window.text().starts_with(kMark)) m_window.take(m_window.begin() + kMark.size());
    PLUMB_TRY(const char c, next());
    if (c == '{') return readEnvelope();
    if (c == '[') {
        m_window.take(m_window.begin() + 1);
        return readEvents();
    }
    if (m_window.size() == 0) return {};
    return readEvents();  // perhaps its beginning is lost
}

}  // namespace

Result<Trace> readTrace(TextSource& source, const std::string& what, const ReadOptions& options) {
    TraceParser parser(source, options);
    PLUMB_CHECK(parser.run());
    if (parser.builder().isFull())
        return badFile(what, "has more than " + std::to_string(options.mostSlices) + " slices",
                       "record fewer steps, or without stacks");
    const Losses& losses = parser.builder().trace().losses;
    if (parser.wholeEvents() == 0)
        return badFile(what, "holds no event of a trace",
                       "give what torch.profiler's export_chrome_trace() wrote, or another Chrome trace");
    const std::int64_t events = parser.wholeEvents() + losses.broken;
    Trace trace = parser.builder().finish();
    trace.events = events;
    trace.textBytes = parser.textBytes();
    trace.fileBytes = source.fileBytes();
    trace.losses.cut = trace.losses.cut || source.isCut();
    trace.losses.grownBytes = static_cast<std::int64_t>(source.grownBy());
    if (options.progress) options.progress(1);
    return trace;
}

Result<Trace> readTrace(const std::string& path, const ReadOptions& options) {
    PLUMB_TRY(const std::unique_ptr<TextSource> source, openTextSource(path));
    return readTrace(*source, path, options);
}

bool looksLikeTrace(std::string_view start) {
    if (start.starts_with("\x1F\x8B")) return true;
    const std::size_t first = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    return first != std::string_view::npos && (start[first] == '{' || start[first] == '[');
}

}  // namespace plumb::trace
