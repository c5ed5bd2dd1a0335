// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// What a document may take in memory, unless a reader says otherwise: several times the largest of ours.
inline constexpr std::size_t kMostJsonBytes = std::size_t{256} << 20U;
/// The longest text that a field may hold: beyond a message that names several paths.
inline constexpr std::size_t kMostTextBytes = 65536;

/// Parses JSON that somebody else wrote. Errors: BadInput, said of `what` ("the snapshot a.plumb"), as
/// JsonInspector has them: nothing is built of a document that would take more than `mostBytes`.
[[nodiscard]] Result<nlohmann::json> parseJson(std::string_view text, const std::string& what,
                                               std::size_t mostBytes = kMostJsonBytes);

/// What a parser of JSON says of text that it cannot read: `problem` at `byte` (from 1) of `size`.
[[nodiscard]] Error jsonError(const nlohmann::json::exception& problem, std::size_t byte, std::size_t size,
                              const std::string& what);

/// One line or, with `indent` >= 0, many. Bytes that are not UTF-8 become U+FFFD; NaN and infinity become
/// null.
[[nodiscard]] std::string dumpJson(const nlohmann::json& json, int indent = -1);

/// Finite numbers as they are; others as null.
[[nodiscard]] nlohmann::json numberJson(double value);

/// The first key of an object that is not in `known`; nothing where all are, and of what is no object.
[[nodiscard]] std::optional<std::string> unknownKeyOf(const nlohmann::json& object,
                                                      const std::vector<std::string>& known);

/// A value inside a document, its path, and the first problem found anywhere in that document.
///
/// Readers ask for what they need and check problem() once at the end: after a problem every answer is a
/// harmless default. A child refers to its parent, so parents are named variables (the operators refuse
/// temporaries); paths are put together only when something is wrong.
class JsonField {
public:
    using Problem = std::optional<Error>;

    /// The document itself. `problem` and `json` outlive the field.
    JsonField(const nlohmann::json& json, std::string_view name, Problem& problem)
        : m_value(&json), m_key(name), m_problem(&problem) {}

    [[nodiscard]] JsonField operator[](std::string_view key) const&;  ///< missing reads as null
    [[nodiscard]] JsonField at(std::size_t index) const&;             ///< Pre: index < arraySize()
    JsonField operator[](std::string_view key) const&& = delete;
    JsonField at(std::size_t index) const&& = delete;

    [[nodiscard]] bool isNull() const { return m_value == nullptr || m_value->is_null(); }
    [[nodiscard]] const nlohmann::json* json() const { return m_value; }
    [[nodiscard]] std::string path() const;
    [[nodiscard]] bool ok() const { return !*m_problem; }
    void fail(const std::string& what) const;  ///< "PATH what"; kept when it is the first problem

    /// False, and a problem, for what is no object or array.
    bool expectObject() const;
    [[nodiscard]] std::size_t arraySize() const;

    [[nodiscard]] std::string text() const;                               ///< text of at most kMostTextBytes
    [[nodiscard]] std::string textOr(const std::string& fallback) const;  ///< for null or missing
    [[nodiscard]] bool boolean() const;
    /// A whole number from `least` to `most`.
    [[nodiscard]] std::int64_t count(std::int64_t least = 0, std::int64_t most = INT64_MAX) const;
    [[nodiscard]] std::optional<std::int64_t> countOrNull() const;
    [[nodiscard]] std::int64_t integer() const;                ///< a whole number, also a negative one
    [[nodiscard]] double number() const;                       ///< >= 0
    [[nodiscard]] double numberOrNan() const;                  ///< any number; null is NaN
    [[nodiscard]] std::optional<double> numberOrNull() const;  ///< >= 0

private:
    JsonField(const nlohmann::json* value, const JsonField& parent, std::string_view key, std::int64_t index)
        : m_value(value), m_parent(&parent), m_key(key), m_index(index), m_problem(parent.m_problem) {}
    bool expect(bool condition, const char* what) const;

    const nlohmann::json* m_value;
    const JsonField* m_parent = nullptr;
    std::string_view m_key;
    std::int64_t m_index = -1;
    Problem* m_problem;
};

}  // namespace plumb
