// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/bookmark.h"

#include "core/io/json_type.h"
#include "core/snapshot/snapshot_json.h"

#include <string>

namespace plumb {

namespace {

using enum Presence;

/// A text of at most `most` bytes; kMostTextBytes bounds all of them.
template <std::size_t most>
struct ShortText : Json<std::string> {
    static std::string read(const JsonField& field) {
        std::string text = field.text();
        if (text.size() > most)
            field.fail("is a text of " + std::to_string(text.size()) + " bytes, and " + std::to_string(most) +
                       " is the most");
        return text;
    }
};

}  // namespace

std::string placeText(const Bookmark& bookmark) {
    std::string text = bookmark.op;
    if (!bookmark.lastOp.empty()) text += " to " + bookmark.lastOp;
    if (!bookmark.time) return text;
    if (!text.empty()) text += ", ";
    return text + formatQuantity(bookmark.time->from, "s") + " to " + formatQuantity(bookmark.time->to, "s");
}

JsonType<MarkedTime> jsonType(Of<MarkedTime> /*type*/) {
    static constexpr JsonMember<MarkedTime> kMembers[]{
        member<&MarkedTime::from>("from", Required, "Seconds from the beginning of the timeline"),
        member<&MarkedTime::to>("to", Required, "The same of its end")};
    static constexpr auto kCheck = [](const JsonField& field, MarkedTime& time) {
        if (time.to < time.from) field["to"].fail("is before from");
    };
    return {{}, {}, kMembers, kCheck};
}

JsonType<Bookmark> jsonType(Of<Bookmark> /*type*/) {
    static constexpr JsonMember<Bookmark> kMembers[]{
        member<&Bookmark::title, ShortText<kMostTitleBytes>>("title", Required, "In the words of its reader"),
        member<&Bookmark::view, ShortText<kMostViewBytes>>("view", Required,
                                                           "Id of the view that shows it: memory, timeline"),
        member<&Bookmark::op, ShortText<kMostOpIdBytes>>("op", IfSet, "Operation, or the first of several"),
        member<&Bookmark::lastOp, ShortText<kMostOpIdBytes>>("last_op", IfSet,
                                                             "Last operation; absent: `op` alone"),
        member<&Bookmark::time>("time", IfSet, "Stretch of the timeline, beside operations or alone")};
    static constexpr auto kCheck = [](const JsonField& field, Bookmark& bookmark) {
        if (bookmark.op.empty() && !bookmark.lastOp.empty()) field["last_op"].fail("has no op before it");
    };
    return {"bookmark", "A place of the step that its reader marked", kMembers, kCheck};
}

}  // namespace plumb
