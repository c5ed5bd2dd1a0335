// SPDX-License-Identifier: Apache-2.0
// A type described once: its fields, from which come what writes it, what reads it and its JSON Schema.
//
//     JsonType<Machine> jsonType(Of<Machine>) {
//         static constexpr JsonMember<Machine> kMembers[]{
//             member<&Machine::name>("name", Presence::Required),
//             member<&Machine::memoryBytes>("memory_bytes", Presence::Always, "..."), ...};
//         return {"machine", "One device ...", kMembers};
//     }
#pragma once

#include "core/base/enum_names.h"
#include "core/io/json_fields.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb {

enum class Presence : std::uint8_t {
    Required,  ///< without it a document is refused
    Always,    ///< in documents of every version; null and missing leave the default
    Added,     ///< the same, and older documents lack it
    IfSet      ///< the same, and only written where it says something: a value, a text, a count above 0
};

/// One field of `Owner`, or, without a key, some that stand in its object as they are.
template <class Owner>
struct JsonMember {
    std::string_view key;
    Presence presence{};
    std::string_view about;  ///< its meaning and unit, for the schema
    nlohmann::json (*write)(const Owner& owner);
    void (*read)(const JsonField& field, Owner& owner);  ///< reads the field, of a group that of `owner`
    nlohmann::json (*schema)(nlohmann::json& definitions);
    bool (*isSet)(const Owner& owner);
    std::string_view formerly = {};  ///< its key in older documents
};

template <class Type>
struct JsonType {
    std::string_view name;        ///< in the schema's $defs; empty: described where it stands
    std::string_view about = {};  ///< for the schema
    std::span<const JsonMember<Type>> members = {};
    /// What one field alone cannot say; called when all of them could be read.
    void (*check)(const JsonField& field, Type& value) = nullptr;
    /// Fields that are not described are refused instead of passed over. Pre: no member is a group.
    bool closed = false;
};

/// Names a type to jsonType(), which is overloaded for each type that has a description.
template <class Type>
struct Of {};
template <class Type>
concept Described = requires {
    jsonType(Of<Type>{});
};

/// {"type": T} as {"type": [T, "null"]}, others as one of two.
[[nodiscard]] nlohmann::json orNull(nlohmann::json schema);
/// Adds the properties of one object, and which it requires, to those of another.
void addProperties(nlohmann::json& schema, const nlohmann::json& more);

template <class Type>
[[nodiscard]] nlohmann::json writeObject(const JsonType<Type>& type, const Type& value) {
    nlohmann::json object = nlohmann::json::object();
    for (const JsonMember<Type>& member : type.members) {
        if (member.key.empty())
            object.update(member.write(value));
        else if (member.presence != Presence::IfSet || member.isSet(value))
            object[std::string(member.key)] = member.write(value);
    }
    return object;
}
template <Described Type>
[[nodiscard]] nlohmann::json toJson(const Type& value) {
    return writeObject(jsonType(Of<Type>{}), value);
}

/// A problem for the first field of an object that is not in `known`, with the one that may be meant.
void refuseOthers(const JsonField& field, const std::vector<std::string>& known);
template <class Type>
void refuseOthers(const JsonType<Type>& type, const JsonField& field) {
    std::vector<std::string> known;
    for (const JsonMember<Type>& member : type.members)
        for (const std::string_view key : {member.key, member.formerly})
            if (!key.empty()) known.emplace_back(key);
    refuseOthers(field, known);
}

/// Fields that are not known are passed over unless the type is closed; ends at the first problem of the
/// document.
template <class Type>
void readMembers(const JsonType<Type>& type, const JsonField& field, Type& value) {
    if (type.closed) refuseOthers(type, field);
    for (const JsonMember<Type>& member : type.members) {
        if (!field.ok()) return;
        if (member.key.empty()) {
            member.read(field, value);
            continue;
        }
        const bool isOlder = !member.formerly.empty() && field[member.key].isNull();
        const JsonField entry = field[isOlder ? member.formerly : member.key];
        if (member.presence == Presence::Required || !entry.isNull()) member.read(entry, value);
    }
    if (type.check != nullptr && field.ok()) type.check(field, value);
}
template <Described Type>
void readMembers(const JsonField& field, Type& value) {
    readMembers(jsonType(Of<Type>{}), field, value);
}

/// Errors: the first problem of the document, with the path of the field.
template <Described Type>
[[nodiscard]] Type readJson(const JsonField& field) {
    Type value{};
    if (field.expectObject()) readMembers(field, value);
    return value;
}

/// A document of its own. Errors: BadInput with the path of the field.
template <Described Type>
[[nodiscard]] Result<Type> fromJson(const nlohmann::json& document) {
    JsonField::Problem problem;
    const JsonField root(document, jsonType(Of<Type>{}).name, problem);
    Type value = readJson<Type>(root);
    if (problem) return *std::move(problem);
    return value;
}

/// The schema of an object; those of named types that it refers to are put into `definitions`.
template <class Type>
[[nodiscard]] nlohmann::json objectSchema(const JsonType<Type>& type, nlohmann::json& definitions) {
    nlohmann::json schema{{"type", "object"}, {"properties", nlohmann::json::object()}};
    if (!type.about.empty()) schema["description"] = type.about;
    if (type.closed) schema["additionalProperties"] = false;
    for (const JsonMember<Type>& member : type.members) {
        nlohmann::json each = member.schema(definitions);
        if (member.key.empty()) {
            addProperties(schema, each);
            continue;
        }
        if (!member.about.empty()) each["description"] = member.about;
        schema["properties"][std::string(member.key)] = std::move(each);
        if (member.presence == Presence::Required || member.presence == Presence::Always)
            schema["required"].push_back(member.key);
    }
    return schema;
}
template <Described Type>
[[nodiscard]] nlohmann::json objectSchema(nlohmann::json& definitions) {
    return objectSchema(jsonType(Of<Type>{}), definitions);
}

/// A reference to the definition of this name, which `make()` gives when it is not there yet.
template <class Make>
[[nodiscard]] nlohmann::json namedSchema(std::string_view name, nlohmann::json& definitions,
                                         const Make& make) {
    if (std::string key(name); !definitions.contains(key)) {
        definitions[key] = nullptr;  // ends the descent of a type that holds itself
        definitions[key] = make();
    }
    return {{"$ref", "#/$defs/" + std::string(name)}};
}

/// How a value is written, read and described: by its type, or as one of those below says.
template <class Value>
struct Json;

template <Described Type>
struct Json<Type> {
    static nlohmann::json write(const Type& value) { return toJson(value); }
    static Type read(const JsonField& field) { return readJson<Type>(field); }
    static nlohmann::json schema(nlohmann::json& definitions) {
        const auto make = [&] { return objectSchema<Type>(definitions); };
        const std::string_view name = jsonType(Of<Type>{}).name;
        return name.empty() ? make() : namedSchema(name, definitions, make);
    }
};

/// A whole number within limits.
template <std::int64_t least = 0, std::int64_t most = INT64_MAX>
struct Whole {
    static nlohmann::json write(std::int64_t value) { return value; }
    static std::int64_t read(const JsonField& field) { return field.count(least, most); }
    static nlohmann::json schema(nlohmann::json& /*definitions*/) {
        nlohmann::json schema{{"type", "integer"}, {"minimum", least}};
        if (most != INT64_MAX) schema["maximum"] = most;
        return schema;
    }
};
template <std::integral Number>
struct Json<Number> : Whole<0, static_cast<std::int64_t>(
                                   std::min<std::uint64_t>(std::numeric_limits<Number>::max(), INT64_MAX))> {
};

/// A whole number, also a negative one.
struct Signed {
    static nlohmann::json write(std::int64_t value) { return value; }
    static std::int64_t read(const JsonField& field) { return field.integer(); }
    static nlohmann::json schema(nlohmann::json& /*definitions*/) { return {{"type", "integer"}}; }
};

template <>
struct Json<bool> {
    static nlohmann::json write(bool value) { return value; }
    static bool read(const JsonField& field) { return field.boolean(); }
    static nlohmann::json schema(nlohmann::json& /*definitions*/) { return {{"type", "boolean"}}; }
};

template <>
struct Json<std::string> {
    static nlohmann::json write(const std::string& value) { return value; }
    static std::string read(const JsonField& field) { return field.text(); }
    static nlohmann::json schema(nlohmann::json& /*definitions*/) { return {{"type", "string"}}; }
};

/// A number from 0 on; one that is not finite is written as null.
template <>
struct Json<double> {
    static nlohmann::json write(double value) { return numberJson(value); }
    static double read(const JsonField& field) { return field.number(); }
    static nlohmann::json schema(nlohmann::json& /*definitions*/) {
        return {{"type", "number"}, {"minimum", 0}};
    }
};

/// Any number; null is one that is not finite.
struct AnyNumber {
    static nlohmann::json write(double value) { return numberJson(value); }
    static double read(const JsonField& field) { return field.numberOrNan(); }
    static nlohmann::json schema(nlohmann::json& /*definitions*/) { return {{"type", {"number", "null"}}}; }
};

/// A number above 0; null is written for one that is not.
struct Positive {
    static nlohmann::json write(double value) { return value > 0 ? numberJson(value) : nlohmann::json(); }
    static double read(const JsonField& field) {
        const double value = field.number();
        if (value == 0.0) field.fail("is zero");
        return value;
    }
    static nlohmann::json schema(nlohmann::json& /*definitions*/) {
        return {{"type", "number"}, {"exclusiveMinimum", 0}};
    }
};

/// A number from Limits::least to Limits::most.
template <class Limits>
struct Within : Json<double> {
    static double read(const JsonField& field) {
        const double value = field.number();
        if (field.ok() && (value < Limits::least || value > Limits::most)) field.fail("is out of range");
        return field.ok() ? value : Limits::least;
    }
    static nlohmann::json schema(nlohmann::json& /*definitions*/) {
        return {{"type", "number"}, {"minimum", Limits::least}, {"maximum", Limits::most}};
    }
};

/// One of the names of an EnumNames.
template <const auto& names>
struct Named {
    template <class Enum>
    static nlohmann::json write(Enum value) {
        return names.name(value);
    }
    static auto read(const JsonField& field) {
        const std::string text = field.text();
        const auto found = names.find(text);
        if (!found)
            field.fail("is '" + text.substr(0, 40) + "', and one of " + names.list() + " is possible");
        return found.value_or(names.at(0).first);
    }
    static nlohmann::json schema(nlohmann::json& /*definitions*/) {
        nlohmann::json texts = nlohmann::json::array();
        for (const auto& entry : names) texts.push_back(entry.second);
        return {{"enum", std::move(texts)}};
    }
};

/// Null where it is absent.
template <class Codec>
struct Maybe {
    template <class Value>
    static nlohmann::json write(const std::optional<Value>& value) {
        return value ? Codec::write(*value) : nlohmann::json();
    }
    static auto read(const JsonField& field) {
        using Value = decltype(Codec::read(field));
        return field.isNull() ? std::optional<Value>() : std::optional<Value>(Codec::read(field));
    }
    static nlohmann::json schema(nlohmann::json& definitions) { return orNull(Codec::schema(definitions)); }
};
template <class Value>
struct Json<std::optional<Value>> : Maybe<Json<Value>> {};
/// A value as it is written, null where it is absent.
template <class Value>
[[nodiscard]] nlohmann::json valueOrNull(const std::optional<Value>& value) {
    return Json<std::optional<Value>>::write(value);
}

template <class Codec, std::size_t most = SIZE_MAX>
struct ListOf {
    template <class Value>
    static nlohmann::json write(const std::vector<Value>& values) {
        nlohmann::json list = nlohmann::json::array();
        for (const Value& value : values) list.push_back(Codec::write(value));
        return list;
    }
    static auto read(const JsonField& field) {
        std::vector<decltype(Codec::read(field))> values;
        const std::size_t size = field.arraySize();
        if (size > most)
            field.fail("has " + std::to_string(size) + " entries, and " + std::to_string(most) +
                       " is the most");
        for (std::size_t i = 0; i < size && field.ok(); ++i) values.push_back(Codec::read(field.at(i)));
        return values;
    }
    static nlohmann::json schema(nlohmann::json& definitions) {
        nlohmann::json schema{{"type", "array"}, {"items", Codec::schema(definitions)}};
        if (most != SIZE_MAX) schema["maxItems"] = most;
        return schema;
    }
};
template <class Value>
struct Json<std::vector<Value>> : ListOf<Json<Value>> {};

/// Whether a value says more than that it is not there.
template <class Value>
[[nodiscard]] bool isSet(const Value& value) {
    if constexpr (requires { value.has_value(); })
        return value.has_value();
    else if constexpr (requires { value.empty(); })
        return !value.empty();
    else if constexpr (std::integral<Value>)
        return value != 0;
    else
        return true;
}

/// A member of an owner, or one of its member.
template <auto... path>
struct MemberOf;
template <class Owner_, class Value_, Value_ Owner_::*pointer>
struct MemberOf<pointer> {
    using Owner = Owner_;
    using Value = Value_;
    static auto& of(auto& owner) { return owner.*pointer; }
};
template <auto outer, auto inner>  // where the outer one may be absent, but is not when this is asked for
struct MemberOf<outer, inner> {
    using Owner = typename MemberOf<outer>::Owner;
    using Value = typename MemberOf<inner>::Value;
    static auto& of(auto& owner) {
        if constexpr (requires { (owner.*outer).value(); })
            return (*(owner.*outer)).*inner;
        else
            return owner.*outer.*inner;
    }
};

/// How a member is written, read and described, said of its owner.
template <class Member, class Codec = Json<typename Member::Value>>
struct OfOwner {
    using Owner = typename Member::Owner;
    static nlohmann::json write(const Owner& owner) { return Codec::write(Member::of(owner)); }
    static void read(const JsonField& field, Owner& owner) {
        Member::of(owner) = static_cast<typename Member::Value>(Codec::read(field));
    }
    static nlohmann::json schema(nlohmann::json& definitions) { return Codec::schema(definitions); }
    static bool isSet(const Owner& owner) { return plumb::isSet(Member::of(owner)); }
};

/// A field that is one member; `Codec` where its type does not say how it is written.
template <auto pointer, class Codec = Json<typename MemberOf<pointer>::Value>>
[[nodiscard]] constexpr auto member(std::string_view key, Presence presence, std::string_view about = {},
                                    std::string_view formerly = {}) {
    using Each = OfOwner<MemberOf<pointer>, Codec>;
    return JsonMember<typename Each::Owner>{key,        presence,     about,       Each::write,
                                            Each::read, Each::schema, Each::isSet, formerly};
}
template <auto outer, auto inner, class Codec = Json<typename MemberOf<inner>::Value>>
[[nodiscard]] constexpr auto member(std::string_view key, Presence presence, std::string_view about = {}) {
    using Each = OfOwner<MemberOf<outer, inner>, Codec>;
    return JsonMember<typename Each::Owner>{key,        presence,     about,      Each::write,
                                            Each::read, Each::schema, Each::isSet};
}

/// A field that needs more of its owner than one member: Codec::write(owner) and Codec::read(field, owner).
template <class Owner, class Codec>
[[nodiscard]] constexpr JsonMember<Owner> custom(std::string_view key, Presence presence,
                                                 std::string_view about = {}) {
    return {key, presence, about, Codec::write, Codec::read, Codec::schema, nullptr};
}

/// The fields of a member, among those of its owner.
template <auto pointer>
[[nodiscard]] constexpr auto inlined() {
    using Owner = typename MemberOf<pointer>::Owner;
    using Value = typename MemberOf<pointer>::Value;
    return JsonMember<Owner>{{},
                             Presence::Required,
                             {},
                             [](const Owner& owner) { return toJson(owner.*pointer); },
                             [](const JsonField& field, Owner& owner) { readMembers(field, owner.*pointer); },
                             objectSchema<Value>,
                             nullptr};
}

}  // namespace plumb
