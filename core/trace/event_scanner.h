// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace plumb::trace {

/// The fields of an event that are read. Those from Correlation on stand in its `args`.
enum class Field : std::uint8_t {
    Phase,
    Category,
    Name,
    Process,
    Thread,
    Time,
    Duration,
    Correlation,
    External,
    Sequence,
    ForwardThread,
    Device,
    Stream,
    Bytes,
    Shapes,
    Types,
    SyncKind,
    WaitStream,
    WaitCorrelation,
    TotalAllocated,
    TotalReserved,
    DeviceType,
    DeviceId,
    Address,
    Collective,  ///< of a kernel that communicates, as are
    CollectiveSequence,
    ElementsIn,
    PeerRank,  ///< "Dst Rank" of a send, "Src Rank" of a receive
    ElementsOut,
    ElementType,
    GroupName,
    GroupDescription,
    GroupRanks,
    GroupSize,  ///< these
    Label,      ///< "name" or "labels" in the args of metadata
    Other       ///< the first argument of another name that is a number: the value of a counter
};
inline constexpr std::size_t kFields = static_cast<std::size_t>(Field::Other) + 1;
static_assert(kFields <= 64);  // a bit for each

/// One event as it stands in the file: views of its text, numbers as their digits, texts without quotes.
struct RawEvent {
    std::array<std::string_view, kFields> values;
    std::uint64_t present = 0;  ///< a bit for each field
    std::uint64_t escaped = 0;  ///< texts that hold a backslash
    std::uint64_t quoted = 0;   ///< texts; the others are numbers, words or arrays

    [[nodiscard]] static constexpr std::uint64_t bit(Field field) {
        return std::uint64_t{1} << static_cast<unsigned>(field);
    }
    [[nodiscard]] bool has(Field field) const { return (present & bit(field)) != 0; }
    /// Empty where the event has none.
    [[nodiscard]] std::string_view at(Field field) const {
        return has(field) ? values[static_cast<std::size_t>(field)] : std::string_view();
    }
};

enum class Scanned : std::uint8_t {
    Whole,  ///< `at` stands behind the value
    Cut,    ///< the text ends inside of it: with more text it may be whole
    Broken  ///< no JSON, also with more text
};

/// Reads JSON in a text that grows. `end` points at a byte that may be read and is 0, as do the seven behind
/// it.
///
/// Not all that is accepted is JSON: bare inf and nan, control characters (but line ends) and unknown escapes
/// in texts, and anything in arrays and objects that are skipped whose brackets and quotes match. Nothing
/// nests deeper than 64, and no call recurses.
class EventScanner {
public:
    static constexpr int kMostDepth = 64;

    EventScanner(const char* at, const char* end) : m_at(at), m_end(end) {}
    [[nodiscard]] const char* at() const { return m_at; }

    /// The object that begins here.
    [[nodiscard]] Scanned event(RawEvent& event);
    /// Any value; `text` is all of it, without the quotes of a text.
    [[nodiscard]] Scanned value(std::string_view& text, bool& quoted, bool& escaped);
    /// A text in quotes.
    [[nodiscard]] Scanned text(std::string_view& text, bool& escaped);
    /// Passes blanks, then this character.
    [[nodiscard]] Scanned pass(char expected);
    /// The next character that is not blank; 0 at the end.
    [[nodiscard]] char peek();

private:
    [[nodiscard]] Scanned member(RawEvent& event, bool inArgs, bool& opensArgs);
    [[nodiscard]] Scanned composite();

    const char* m_at;
    const char* m_end;
};

/// The text of a JSON string: escapes resolved, those that JSON does not know left as they stand.
[[nodiscard]] std::string unescaped(std::string_view text);

}  // namespace plumb::trace
