// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/read_control.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace plumb {

/// Walks through JSON without building it: is it a document that is worth building? Garbage of any size costs
/// a pass over its bytes and no memory. A document in memory is up to 30 times as large as its text, so what
/// it would take is counted before it is built.
class JsonInspector : public nlohmann::json_sax<nlohmann::json> {
public:
    /// Ours nest 6 deep. The parser itself is iterative, but copies and destructors of documents are not.
    static constexpr std::size_t kMostNesting = 64;

    /// `what` names the document in messages; in memory it may take `mostBytes`.
    JsonInspector(std::string what, std::size_t mostBytes)
        : m_what(std::move(what)), m_mostBytes(mostBytes) {}

    /// Errors: BadInput for text that is truncated (with the byte where it ends), malformed or with a number
    /// that no double holds (with the byte), that nests too deeply, or whose document would be too large; and
    /// what a class derived from this one refuses.
    /// Of a walk that was told to stop the result says nothing.
    [[nodiscard]] Result<void> inspect(std::string_view text, const ReadControl& control = {});
    /// The same, and builds the document on the way: of text that is refused as much as came before, which is
    /// never more than `mostBytes`.
    [[nodiscard]] Result<void> inspect(std::string_view text, const ReadControl& control,
                                       nlohmann::json& built);

    bool null() override { return scalar(); }
    bool boolean(bool /*value*/) override { return scalar(); }
    bool number_integer(number_integer_t /*value*/) override { return scalar(); }
    bool number_unsigned(number_unsigned_t /*value*/) override { return scalar(); }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return scalar(); }
    bool binary(binary_t& /*value*/) override { return scalar(); }
    bool string(string_t& text) override;
    bool key(string_t& text) override;
    bool start_object(std::size_t elements) override;
    bool start_array(std::size_t elements) override;
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t byte, const std::string& token,
                     const nlohmann::json::exception& problem) override;

protected:
    [[nodiscard]] std::size_t depth() const { return m_depth; }
    /// The key of the outermost object that is being read.
    [[nodiscard]] const std::string& topKey() const { return m_topKey; }
    /// "WHAT why: hint"; false, which ends the walk.
    bool refuse(const std::string& why, const std::string& hint);

private:
    [[nodiscard]] Result<void> inspect(std::string_view text, const ReadControl& control, json_sax& visitor);
    bool scalar() { return add(kScalar); }
    bool add(std::size_t bytes);
    bool open(std::size_t bytes);
    bool close() {
        --m_depth;
        return true;
    }

    // What nlohmann::json takes on a 64-bit machine, the rounding of the allocator included: a value in a
    // list that has grown by doubling, a list, an object, a member with its key, a text.
    static constexpr std::size_t kScalar = 24;
    static constexpr std::size_t kList = 64;
    static constexpr std::size_t kObject = 88;
    static constexpr std::size_t kMember = 88;
    static constexpr std::size_t kText = 72;

    std::string m_what;
    std::size_t m_mostBytes;
    std::size_t m_size = 0;
    std::size_t m_bytes = 0;
    std::size_t m_depth = 0;
    std::string m_topKey;
    std::optional<Error> m_problem;
};

}  // namespace plumb
