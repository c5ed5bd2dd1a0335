// SPDX-License-Identifier: Apache-2.0
#include "core/measure/reading_columns.h"

#include "core/base/ascii.h"
#include "core/base/entry_at.h"
#include "core/io/packed_json.h"
#include "core/measure/counters_json.h"
#include "core/measure/library_product_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace plumb {

namespace {

using nlohmann::json;
using enum Presence;

constexpr std::string_view kLayer = "{layer";
/// Bytes of the id and of the name of a class. Every op repeats them in memory: of longer ones a small file
/// would become gigabytes.
constexpr std::size_t kMostClassText = 128;

/// "layer 7 · forward" of layer 7 as "layer {layer} · forward"; in a chain, "layers 5–7" as "layers
/// {layer-2}–{layer}", and one from the first layer on as "layers 1–{layer}". Ops that differ in nothing else
/// then share their texts.
std::string withoutLayer(const std::string& text, std::int32_t layer, bool isChain) {
    const std::string wanted = std::to_string(layer);
    std::string result;
    bool isFirst = isChain;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && isDigit(text[end])) ++end;
        if (end == i) {
            result += text[i++];
            continue;
        }
        const std::string number = text.substr(i, end - i);
        std::int32_t value = 0;
        const bool isShort = std::from_chars(text.data() + i, text.data() + end, value).ec == std::errc();
        if (number == wanted)
            result += "{layer}";
        else if (isFirst && isShort && value > 1 && value < layer && number == std::to_string(value))
            result += "{layer-" + std::to_string(layer - value) + "}";
        else
            result += number;
        isFirst = false;
        i = end;
    }
    return result;
}

/// The way back. What is no "{layer}" or "{layer-N}" stays as it is.
std::string withLayer(std::string_view text, std::int32_t layer) {
    std::string result;
    while (true) {
        const std::size_t mark = text.find(kLayer);
        result += text.substr(0, mark);
        if (mark == std::string_view::npos) return result;
        text.remove_prefix(mark);
        std::int32_t less = 0;
        const char* const end = text.data() + text.size();
        const char* at = text.data() + kLayer.size();
        if (at != end && *at == '-') {
            const auto [rest, problem] = std::from_chars(at + 1, end, less);
            at = problem == std::errc() && less > 0 ? rest : end;
        }
        if (at != end && *at == '}') {
            result += std::to_string(layer - less);
            text.remove_prefix(static_cast<std::size_t>(at + 1 - text.data()));
        } else {
            result += text.substr(0, kLayer.size());
            text.remove_prefix(kLayer.size());
        }
    }
}

/// What ops of one kind in one pass have in common.
struct OpClass {
    std::string id;
    std::string name;
    Phase phase{};
    std::string kind;
    Source source{};
    bool operator==(const OpClass&) const = default;
};

template <int least>
struct ClassText : Json<std::string> {
    static std::string read(const JsonField& field) {
        std::string text = field.text();
        if (text.size() > kMostClassText)
            field.fail(fmt::format("is longer than the {} bytes of such a text", kMostClassText));
        return text;
    }
    static json schema(json& /*definitions*/) {
        return {{"type", "string"}, {"minLength", least}, {"maxLength", kMostClassText}};
    }
};

JsonType<OpClass> jsonType(Of<OpClass> /*type*/) {
    static constexpr JsonMember<OpClass> kMembers[]{
        member<&OpClass::id, ClassText<1>>("id", Required),
        member<&OpClass::name, ClassText<0>>("name", Required),
        member<&OpClass::phase, Named<kPhaseNames>>("phase", Required),
        member<&OpClass::kind>("kind", Required),
        member<&OpClass::source, Named<kSourceNames>>("source", Required)};
    return {{}, {}, kMembers};
}

/// What each op is; its numbers are in columns beside that.
struct OpTable {
    std::int64_t count = 0;
    std::vector<OpClass> classes;
    std::vector<std::int64_t> classOf, layers;  ///< of each op
};

template <std::vector<std::int64_t> OpTable::*column>
struct Packed {
    static json write(const OpTable& table) { return packedJson(table.*column); }
    static void read(const JsonField& field, OpTable& table) {
        table.*column = readPacked(field, static_cast<std::size_t>(table.count));
    }
    static json schema(json& definitions) { return packedSchema(definitions); }
};

JsonType<OpTable> jsonType(Of<OpTable> /*type*/) {
    static constexpr JsonMember<OpTable> kMembers[]{
        member<&OpTable::count, Whole<0, static_cast<std::int64_t>(kMostOps)>>("count", Required),
        member<&OpTable::classes>("classes", Required),
        custom<OpTable, Packed<&OpTable::classOf>>("class", Required),
        custom<OpTable, Packed<&OpTable::layers>>("layer", Required)};
    return {
        {},
        "Since version 2, for more than 8192 ops. Op i has the texts, phase, kind and source of "
        "classes[class[i]], with {layer} and {layer-N} in id and name replaced by its layer and the one N "
        "before it.",
        kMembers};
}

/// One end of a range to six digits, which is more than times repeat to and half of the room. Rounded away
/// from the value, which the range still encloses; an end that has six digits stays as it is.
double outward(double end, int direction) {
    constexpr int kDigits = 6;
    if (!std::isfinite(end) || end <= 0) return end;
    std::array<char, 32> text{};
    const auto [last, problem] = std::to_chars(text.data(), text.data() + text.size(), end,
                                               std::chars_format::scientific, kDigits - 1);
    if (problem != std::errc()) return end;
    const auto value = [](const char* from, const char* to) {
        double result = 0;
        return std::from_chars(from, to, result).ec == std::errc() ? std::optional(result) : std::nullopt;
    };
    const std::optional<double> nearest = value(text.data(), last);
    if (nearest && (*nearest - end) * direction >= 0) return *nearest;

    const char* const exponentAt = std::find<const char*>(text.data(), last, 'e') + 1;
    std::int64_t digits = 0;
    int exponent = 0;
    for (const char* at = text.data(); at != exponentAt; ++at)
        if (isDigit(*at)) digits = 10 * digits + (*at - '0');
    std::from_chars(exponentAt + (*exponentAt == '+' ? 1 : 0), last, exponent);
    const std::string next =
        std::to_string(digits + direction) + "e" + std::to_string(exponent - (kDigits - 1));
    return value(next.data(), next.data() + next.size()).value_or(end);
}

/// Above every end of a range: of one that a file says nothing of.
constexpr Seconds kOpen = std::numeric_limits<Seconds>::infinity();

struct Low {
    static json write(const OpReading& op) {
        return op.spread ? numberJson(outward(op.spread->low, -1)) : json();
    }
    static void read(const JsonField& cell, OpReading& op) { op.spread = Spread{cell.number(), kOpen}; }
    static json schema(json& definitions) { return Json<double>::schema(definitions); }
};
/// Null where an op ran none.
struct Products {
    static json write(const OpReading& op) { return op.products.empty() ? json() : json(op.products); }
    static void read(const JsonField& cell, OpReading& op) { op.products = ProductsOfOp::read(cell); }
    static json schema(json& definitions) { return ProductsOfOp::schema(definitions); }
};
struct High : Low {
    static json write(const OpReading& op) {
        return op.spread ? numberJson(outward(op.spread->high, 1)) : json();
    }
    static void read(const JsonField& cell, OpReading& op) {
        const double high = cell.number();
        if (!op.spread) return;
        if (op.spread->low > high) cell.fail("is below seconds_low");
        op.spread->high = high;
    }
};

constexpr JsonMember<OpReading> kColumns[]{member<&OpReading::executions>("executions", Required),
                                           member<&OpReading::flops>("flops", Always),
                                           member<&OpReading::bytes>("bytes", Always),
                                           member<&OpReading::seconds>("seconds", Always),
                                           custom<OpReading, Low>("seconds_low", Added),
                                           custom<OpReading, High>("seconds_high", Added),
                                           member<&OpReading::tier, Maybe<Named<kTierNames>>>("tier", Added),
                                           member<&OpReading::counters>("counters", Added),
                                           custom<OpReading, Products>("products", Added)};

}  // namespace

std::optional<json> opColumns(const std::vector<OpReading>& ops, std::optional<Tier> whole) {
    OpTable table{static_cast<std::int64_t>(ops.size()), {}, {}, {}};
    std::unordered_map<std::string, std::int64_t> known;
    table.classOf.reserve(ops.size());
    table.layers.reserve(ops.size());
    for (const OpReading& op : ops) {
        const bool isChain = op.kind == kindName(OpKind::RecomputeChain);
        OpClass each{withoutLayer(op.id, op.layer, false), withoutLayer(op.name, op.layer, isChain), op.phase,
                     op.kind, op.source};
        if (each.id.size() > kMostClassText || each.name.size() > kMostClassText ||
            withLayer(each.id, op.layer) != op.id || withLayer(each.name, op.layer) != op.name)
            return std::nullopt;
        const auto [place, fresh] =
            known.emplace(dumpJson(toJson(each)), static_cast<std::int64_t>(known.size()));
        if (fresh) table.classes.push_back(std::move(each));
        table.classOf.push_back(place->second);
        table.layers.push_back(op.layer);
    }
    json columns = toJson(table);
    writeColumns<OpReading>(kColumns, ops, columns);
    std::vector<json> tiers;
    tiers.reserve(ops.size());
    for (const OpReading& op : ops)
        tiers.push_back(op.tier && op.tier != whole ? json(tierName(*op.tier)) : json());
    columns["tier"] = columnJson(tiers);
    return columns;
}

std::vector<OpReading> readOpColumns(const JsonField& field, std::optional<Tier> whole) {
    const auto table = readJson<OpTable>(field);
    std::vector<OpReading> ops(field.ok() ? static_cast<std::size_t>(table.count) : 0);
    for (std::size_t i = 0; i < ops.size(); ++i) {
        if (table.classOf[i] >= static_cast<std::int64_t>(table.classes.size())) {
            field["class"].fail("points beyond its " + std::to_string(table.classes.size()) + " classes");
            return {};
        }
        if (table.layers[i] > INT32_MAX) {
            field["layer"].fail("has a layer beyond " + std::to_string(INT32_MAX));
            return {};
        }
        const OpClass& each = entryAt(table.classes, table.classOf[i]);
        OpReading& op = ops[i];
        op.layer = static_cast<std::int32_t>(table.layers[i]);
        op.id = withLayer(each.id, op.layer);
        op.name = withLayer(each.name, op.layer);
        op.phase = each.phase;
        op.kind = each.kind;
        op.source = each.source;
    }
    readColumns<OpReading>(field, kColumns, ops);
    for (OpReading& op : ops) {
        if (op.spread && op.spread->high == kOpen) op.spread.reset();
        if (op.seconds && !op.tier) op.tier = whole;
    }
    return ops;
}

json opColumnsSchema(json& definitions) {
    return namedSchema("op_columns", definitions, [&] {
        json schema = objectSchema<OpTable>(definitions);
        describeColumns<OpReading>(kColumns, definitions, schema);
        return schema;
    });
}

json curveColumns(const std::vector<CategoryBytes>& curve) {
    json result{{"count", curve.size()}};
    std::vector<std::int64_t> column(curve.size());
    for (const Category category : kAllCategories) {
        for (std::size_t i = 0; i < curve.size(); ++i) column[i] = curve[i][category];
        result[std::string(categoryName(category))] = packedJson(column);
    }
    return result;
}

std::vector<CategoryBytes> readCurveColumns(const JsonField& field, std::size_t ops) {
    const auto count = static_cast<std::size_t>(field["count"].count(0, static_cast<std::int64_t>(kMostOps)));
    if (field.ok() && count != ops)
        field.fail("has " + std::to_string(count) + " entries for " + std::to_string(ops) + " ops");
    if (!field.ok()) return {};
    std::vector<CategoryBytes> curve(count);
    for (const Category category : kAllCategories) {
        const JsonField entry = field[categoryName(category)];
        if (entry.isNull() && !isInEveryFile(category)) continue;
        const std::vector<std::int64_t> column = readPacked(entry, count);
        for (std::size_t i = 0; i < count; ++i) curve[i][category] = column[i];
    }
    for (std::size_t i = 0; i < count && field.ok(); ++i) {
        Bytes sum = 0;
        for (const Bytes bytes : curve[i]) sum = addOrOverflow(sum, bytes);
        if (sum < 0) field.fail("adds up to more than 63 bits can count");
    }
    return curve;
}

json curveColumnsSchema(json& definitions) {
    json schema{{"type", "object"},
                {"description", "Since version 2, for more than 8192 ops: resident bytes while each op runs"},
                {"required", {"count"}},
                {"properties", {{"count", Whole<>::schema(definitions)}}}};
    for (const auto& [category, name] : kCategoryNames) {
        schema["properties"][std::string(name)] = packedSchema(definitions);
        if (isInEveryFile(category)) schema["required"].push_back(name);
    }
    return schema;
}

}  // namespace plumb
