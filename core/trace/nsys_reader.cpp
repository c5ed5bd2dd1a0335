// SPDX-License-Identifier: Apache-2.0
#include "core/trace/nsys_reader.h"

#include "core/io/file.h"
#include "core/trace/trace_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <sqlite3.h>
#include <string>
#include <utility>

namespace plumb::trace {

namespace {

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
/// Steps of SQLite's machine between two looks at whether to stop.
constexpr int kStepsBetweenLooks = 100'000;
/// Pages that SQLite holds, in KiB (below 0: not in pages).
constexpr const char* kSettings = "PRAGMA cache_size=-16384; PRAGMA temp_store=2; PRAGMA query_only=1;"
                                  "PRAGMA trusted_schema=0; PRAGMA cell_size_check=1;";

struct CloseDatabase {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct EndStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;
using Statement = std::unique_ptr<sqlite3_stmt, EndStatement>;

/// A name in a query: in quotes, so that it is nothing but a name.
std::string quoted(std::string_view name) {
    std::string text = "\"";
    for (const char c : name) {
        if (c == '"') text += '"';
        text += c;
    }
    return text + '"';
}

/// The path as a URI, in which a few characters mean something.
std::string uriOf(const std::string& path) {
    std::string uri = "file:";
    for (const char c : path) {
        if (c == '%' || c == '?' || c == '#')
            uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
        else
            uri += c;
    }
    // Unchanging: no lock is taken, and no journal beside it is looked for or made.
    return uri + "?mode=ro&immutable=1";
}

/// What an event of a table becomes, as the fields of RawEvent; texts live until the next row.
struct RowFields {
    std::optional<std::int64_t> begin, end;
    std::optional<std::int64_t> process, thread, correlation, bytes;
    std::string name;
};

/// A table that holds slices, and where its columns stand.
struct TableKind {
    std::string_view table;
    std::string_view category;   ///< as traces of PyTorch call it
    std::string_view process;    ///< the column of device or thread
    std::string_view thread;     ///< of the stream; empty: both are of globalTid
    std::string_view fixedName;  ///< of what has no name of its own
};
constexpr TableKind kTables[]{
    {"CUPTI_ACTIVITY_KIND_KERNEL", "kernel", "deviceId", "streamId", ""},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", "gpu_memcpy", "deviceId", "streamId", "Memcpy"},
    {"CUPTI_ACTIVITY_KIND_MEMSET", "gpu_memset", "deviceId", "streamId", "Memset"},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", "cuda_runtime", "globalTid", "", "CUDA call"},
    {"CUPTI_ACTIVITY_KIND_DRIVER", "cuda_driver", "globalTid", "", "CUDA driver call"},
    {"NVTX_EVENTS", "user_annotation", "globalTid", "", "NVTX range"},
};

std::string copyName(std::int64_t kind) {
    constexpr std::pair<std::int64_t, std::string_view> kKinds[]{
        {1, "Memcpy HtoD"}, {2, "Memcpy DtoH"}, {8, "Memcpy DtoD"}, {9, "Memcpy HtoH"}, {10, "Memcpy PtoP"}};
    for (const auto& [number, name] : kKinds)
        if (number == kind) return std::string(name);
    return "Memcpy";
}

class NsysReader {
public:
    NsysReader(const std::string& path, const ReadOptions& options)
        : m_path(path), m_options(options), m_builder(options.mostSlices) {}

    Result<Trace> read();

private:
    Result<void> open();
    Result<Statement> prepare(const std::string& sql);
    /// False at the end of the rows.
    Result<bool> next(sqlite3_stmt* statement);
    Result<std::set<std::string, std::less<>>> namesOf(const std::string& sql, int column);
    Result<void> readTable(const TableKind& kind);
    Result<void> readDevices();
    void add(const TableKind& kind, const RowFields& row);
    [[nodiscard]] Error damaged() const {
        return badFile(m_path,
                       fmt::format("cannot be read as a database ({})", sqlite3_errmsg(m_database.get())),
                       "export it again: nsys export --type sqlite");
    }

    std::string m_path;
    const ReadOptions& m_options;
    Database m_database;
    TraceBuilder m_builder;
    std::set<std::string, std::less<>> m_tables;
    std::int64_t m_rows = 0;
    std::size_t m_read = 0;  ///< tables
};

int mustStop(void* options) {
    return static_cast<const ReadOptions*>(options)->stop.stop_requested() ? 1 : 0;
}

Result<void> NsysReader::open() {
    PLUMB_TRY(const std::string start, readFileStart(m_path, kMagic.size()));
    if (start != kMagic)
        return badFile(m_path, "is no database of SQLite", "give what nsys export --type sqlite wrote");
    sqlite3* database = nullptr;
    const int problem =
        sqlite3_open_v2(uriOf(m_path).c_str(), &database,
                        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
    m_database.reset(database);
    if (problem != SQLITE_OK) return damaged();
    // A schema is text of the file: it may call no function and no text may be longer than a name is.
    constexpr int kLongestText = 1 << 24;
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, kLongestText);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_progress_handler(database, kStepsBetweenLooks, mustStop, const_cast<ReadOptions*>(&m_options));
    if (sqlite3_exec(database, kSettings, nullptr, nullptr, nullptr) != SQLITE_OK) return damaged();
    PLUMB_TRY(m_tables, namesOf("SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 10000", 0));
    return {};
}

Result<Statement> NsysReader::prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(m_database.get(), sql.c_str(), static_cast<int>(sql.size()), &statement,
                           nullptr) != SQLITE_OK)
        return damaged();
    return Statement(statement);
}

Result<bool> NsysReader::next(sqlite3_stmt* statement) {
    switch (sqlite3_step(statement)) {
    case SQLITE_ROW:
        return true;
    case SQLITE_DONE:
        return false;
    case SQLITE_INTERRUPT:
        return Error{ErrorCode::RunFailed, "the trace was not read to its end (cancelled)", "open it again"};
    default:
        return damaged();
    }
}

std::string textOf(sqlite3_stmt* statement, int column) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
    return text == nullptr
               ? std::string()
               : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
}

/// Empty for NULL and for what is no whole number: nothing is made a number of.
std::optional<std::int64_t> wholeOf(sqlite3_stmt* statement, int column) {
    if (sqlite3_column_type(statement, column) != SQLITE_INTEGER) return std::nullopt;
    return sqlite3_column_int64(statement, column);
}

Result<std::set<std::string, std::less<>>> NsysReader::namesOf(const std::string& sql, int column) {
    PLUMB_TRY(const Statement statement, prepare(sql));
    std::set<std::string, std::less<>> names;
    for (;;) {
        PLUMB_TRY(const bool any, next(statement.get()));
        if (!any) return names;
        names.insert(textOf(statement.get(), column));
    }
}

Result<void> NsysReader::readTable(const TableKind& kind) {
    if (!m_tables.contains(kind.table)) return {};
    PLUMB_TRY(const auto columns, namesOf(fmt::format("PRAGMA table_info({})", quoted(kind.table)), 1));
    if (!columns.contains("start") || !columns.contains("end")) return {};
    ++m_read;
    const auto column = [&](std::string_view name) {
        return columns.contains(name) ? "t." + quoted(name) : std::string("NULL");
    };
    // A name stands in the row, or is a number of StringIds; the demangled one says most.
    std::string name = column("text");
    if (m_tables.contains("StringIds"))
        for (const std::string_view id : {"textId", "demangledName", "nameId", "shortName"})
            if (columns.contains(id))
                name = fmt::format("COALESCE({}, (SELECT value FROM StringIds WHERE id = {}))", name,
                                   column(id));
    const std::string sql = fmt::format(
        "SELECT t.\"start\", t.\"end\", {}, {}, {}, {}, {}, {} FROM {} AS t{}", column(kind.process),
        kind.thread.empty() ? std::string("NULL") : column(kind.thread), column("correlationId"),
        column("bytes"), column("copyKind"), name, quoted(kind.table),
        // Ranges that are pushed and popped, or begun and ended; marks and names of things are none.
        kind.table == "NVTX_EVENTS" && columns.contains("eventType") ? " WHERE t.\"eventType\" IN (59, 60)"
                                                                     : "");
    PLUMB_TRY(const Statement statement, prepare(sql));
    for (;;) {
        PLUMB_TRY(const bool any, next(statement.get()));
        if (!any || m_builder.isFull()) return {};
        RowFields row{.begin = wholeOf(statement.get(), 0),
                      .end = wholeOf(statement.get(), 1),
                      .process = wholeOf(statement.get(), 2),
                      .thread = wholeOf(statement.get(), 3),
                      .correlation = wholeOf(statement.get(), 4),
                      .bytes = wholeOf(statement.get(), 5),
                      .name = textOf(statement.get(), 7)};
        if (row.name.empty())
            row.name = kind.category == "gpu_memcpy" ? copyName(wholeOf(statement.get(), 6).value_or(0))
                                                     : std::string(kind.fixedName);
        add(kind, row);
    }
}

void NsysReader::add(const TableKind& kind, const RowFields& row) {
    ++m_rows;
    if (!row.begin || !row.end) {
        ++m_builder.trace().losses.withoutTime;
        return;
    }
    const auto microseconds = [](std::int64_t nanoseconds) {
        const auto magnitude = nanoseconds < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(nanoseconds)
                                               : static_cast<std::uint64_t>(nanoseconds);
        return fmt::format("{}{}.{:03}", nanoseconds < 0 ? "-" : "", magnitude / 1000, magnitude % 1000);
    };
    std::int64_t duration = 0;
    if (__builtin_sub_overflow(*row.end, *row.begin, &duration)) duration = INT64_MIN;
    RawEvent event;
    const auto set = [&](Field field, std::string_view text) {
        event.values[static_cast<std::size_t>(field)] = text;
        event.present |= RawEvent::bit(field);
    };
    const std::string begin = microseconds(*row.begin);
    const std::string length = microseconds(duration);
    std::string process = row.process ? std::to_string(*row.process) : "-1";
    std::string thread = row.thread ? std::to_string(*row.thread) : "-1";
    const std::string correlation = row.correlation ? std::to_string(*row.correlation) : "";
    const std::string bytes = row.bytes ? std::to_string(*row.bytes) : "";
    if (kind.thread.empty() && row.process) {
        // Hardware, machine, process, thread: the lower halves are of 24 bits each.
        const auto packed = static_cast<std::uint64_t>(*row.process);
        constexpr std::uint64_t kMask = (std::uint64_t{1} << 24U) - 1;
        process = std::to_string((packed >> 24U) & kMask);
        thread = std::to_string(packed & kMask);
    }
    set(Field::Phase, "X");
    set(Field::Category, kind.category);
    set(Field::Name, row.name);
    set(Field::Process, process);
    set(Field::Thread, thread);
    set(Field::Time, begin);
    set(Field::Duration, length);
    if (!correlation.empty()) set(Field::Correlation, correlation);
    if (!bytes.empty()) set(Field::Bytes, bytes);
    m_builder.add(event);
}

Result<void> NsysReader::readDevices() {
    if (!m_tables.contains("TARGET_INFO_GPU")) return {};
    PLUMB_TRY(const auto columns, namesOf("PRAGMA table_info(\"TARGET_INFO_GPU\")", 1));
    if (!columns.contains("id") || !columns.contains("name")) return {};
    const auto column = [&](const char* name) { return columns.contains(name) ? name : "NULL"; };
    PLUMB_TRY(const Statement statement,
              prepare(fmt::format("SELECT {}, name, {}, {} FROM TARGET_INFO_GPU LIMIT 1024",
                                  columns.contains("cuDevice") ? "COALESCE(cuDevice, id)" : "id",
                                  column("totalMemory"), column("smCount"))));
    for (;;) {
        PLUMB_TRY(const bool any, next(statement.get()));
        if (!any) return {};
        const auto id = wholeOf(statement.get(), 0);
        if (id)
            m_builder.trace().devices.push_back({*id, textOf(statement.get(), 1),
                                                 wholeOf(statement.get(), 2).value_or(0),
                                                 wholeOf(statement.get(), 3).value_or(0)});
    }
}

Result<Trace> NsysReader::read() {
    PLUMB_CHECK(open());
    std::size_t at = 0;
    for (const TableKind& kind : kTables) {
        if (m_options.progress) m_options.progress(static_cast<double>(at++) / std::size(kTables));
        PLUMB_CHECK(readTable(kind));
    }
    if (m_builder.isFull())
        return badFile(m_path, fmt::format("has more than {} slices", m_options.mostSlices),
                       "record a shorter time");
    if (m_read == 0)
        return badFile(m_path, "has none of the tables of Nsight Systems",
                       "give what nsys export --type sqlite wrote of a recording with --trace=cuda,nvtx");
    PLUMB_CHECK(readDevices());
    PLUMB_TRY(const ReadableFile file, ReadableFile::open(m_path));
    Trace trace = m_builder.finish();
    trace.isOfNsys = true;
    trace.events = m_rows;
    trace.fileBytes = file.size();
    trace.textBytes = file.size();
    if (m_options.progress) m_options.progress(1);
    return trace;
}

}  // namespace

bool looksLikeSqlite(std::string_view start) { return start.starts_with(kMagic); }

Result<Trace> readNsysTrace(const std::string& path, const ReadOptions& options) {
    return NsysReader(path, options).read();
}

}  // namespace plumb::trace
