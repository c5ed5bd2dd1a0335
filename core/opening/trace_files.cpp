// SPDX-License-Identifier: Apache-2.0
#include "core/opening/trace_files.h"

#include "core/base/ascii.h"
#include "core/io/file.h"
#include "core/trace/nsys_reader.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace plumb {

namespace {

/// By number where names have one: rank2 comes before rank10.
bool comesBefore(const std::string& a, const std::string& b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i, ++j;
            continue;
        }
        const auto numberAt = [&](const std::string& text, std::size_t& at) {
            while (at < text.size() && text[at] == '0') ++at;
            const std::size_t begin = at;
            while (at < text.size() && isDigit(text[at])) ++at;
            return std::string_view(text).substr(begin, at - begin);
        };
        const std::string_view first = numberAt(a, i);
        const std::string_view second = numberAt(b, j);
        if (first.size() != second.size()) return first.size() < second.size();
        if (first != second) return first < second;
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b;
}

/// Any JSON may be a trace, but what else lies in a folder of them (a configuration) is none.
bool isSurelyTrace(std::string_view start) {
    const std::optional<FileKind> kind = fileKindOf(start);
    if (!kind || !isTrace(*kind)) return false;
    if (kind == FileKind::NsysTrace || start.starts_with("\x1F\x8B")) return true;
    for (const std::string_view mark : {"\"traceEvents\"", "\"schemaVersion\"", "\"ph\""})
        if (start.find(mark) != std::string_view::npos) return true;
    return false;
}

Result<std::vector<std::string>> tracesIn(const std::string& folder) {
    std::error_code problem;
    std::vector<std::string> files;
    std::filesystem::directory_iterator entry(folder, problem);
    for (; !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem)) {
        const std::string path = entry->path().string();
        const bool isNamed =
            path.ends_with(".json") || path.ends_with(".json.gz") || path.ends_with(".sqlite");
        std::error_code ignored;
        if (!isNamed || !entry->is_regular_file(ignored)) continue;
        const auto start = readFileStart(path, kFileKindBytes);
        if (start.has_value() && isSurelyTrace(*start)) files.push_back(path);
    }
    if (problem)
        return Error{ErrorCode::Io, "cannot read the folder " + folder + " (" + problem.message() + ")",
                     "check its permissions"};
    if (files.empty())
        return badFile(folder, "holds no trace",
                       "name a folder with a trace of each rank (.json, .json.gz or .sqlite), or a file");
    std::ranges::sort(files, comesBefore);
    return files;
}

}  // namespace

Result<trace::Trace> readTraceFile(const std::string& path, const trace::ReadOptions& options) {
    PLUMB_TRY(const std::optional<FileKind> kind, fileKindAt(path));
    return kind == FileKind::NsysTrace ? trace::readNsysTrace(path, options)
                                       : trace::readTrace(path, options);
}

Result<std::vector<std::string>> traceFilesOf(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(path, ignored)) {
            files.push_back(path);
            continue;
        }
        PLUMB_TRY(const std::vector<std::string> inside, tracesIn(path));
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

Result<void> checkRankFiles(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
        PLUMB_TRY(const std::optional<FileKind> kind, fileKindAt(file));
        if (!kind || !isTrace(*kind))
            return badFile(file,
                           "is no trace, and several files open together only as traces of one job's ranks",
                           "open it alone");
    }
    return {};
}

}  // namespace plumb
