// SPDX-License-Identifier: Apache-2.0
#include "core/measure/reading_columns.h"

#include "core/base/ascii.h"
#include "core/io/json_names.h"
#include "core/io/json_values.h"
#include "core/io/packed_json.h"
#include "core/measure/counters_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

namespace plumb {

namespace {

using nlohmann::json;

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

json classJson(const OpClass& each) {
    return json{{"id", each.id},
                {"name", each.name},
                {"phase", phaseName(each.phase)},
                {"kind", each.kind},
                {"source", sourceName(each.source)}};
}

template <class Cell>
json cellsJson(const std::vector<OpReading>& ops, const Cell& cell) {
    std::vector<json> cells;
    cells.reserve(ops.size());
    for (const OpReading& op : ops) cells.push_back(cell(op));
    return columnJson(cells);
}

std::vector<OpClass> readClasses(const JsonField& field) {
    std::vector<OpClass> classes;
    const std::size_t size = field.arraySize();
    for (std::size_t i = 0; i < size && field.ok(); ++i) {
        const JsonField entry = field.at(i);
        if (!entry.expectObject()) break;
        for (const char* key : {"id", "name"})
            if (entry[key].text().size() > kMostClassText)
                entry[key].fail(fmt::format("is longer than the {} bytes of such a text", kMostClassText));
        classes.push_back({entry["id"].text(), entry["name"].text(), readName(entry["phase"], kPhaseNames),
                           entry["kind"].text(), readName(entry["source"], kSourceNames)});
    }
    return classes;
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

/// Ranges and tiers of the seconds; of a file that says nothing of an op, the tier of the whole.
void readTrust(const JsonField& field, std::optional<Tier> whole, std::vector<OpReading>& ops) {
    const JsonField lows = field["seconds_low"], highs = field["seconds_high"], tiers = field["tier"];
    std::vector<std::optional<Seconds>> low(ops.size());
    if (field.ok() && !lows.isNull() && !highs.isNull()) {
        readColumn(lows, ops.size(),
                   [&](std::size_t i, const JsonField& cell) { low[i] = cell.numberOrNull(); });
        readColumn(highs, ops.size(), [&](std::size_t i, const JsonField& cell) {
            const auto high = cell.numberOrNull();
            if (!low[i] || !high) return;
            if (*low[i] > *high) cell.fail("is below seconds_low");
            ops[i].spread = Spread{*low[i], *high};
        });
    }
    if (field.ok() && !tiers.isNull())
        readColumn(tiers, ops.size(), [&](std::size_t i, const JsonField& cell) {
            if (!cell.isNull()) ops[i].tier = readName(cell, kTierNames);
        });
    for (OpReading& op : ops)
        if (op.seconds && !op.tier) op.tier = whole;
}

}  // namespace

std::optional<json> opColumns(const std::vector<OpReading>& ops, std::optional<Tier> whole) {
    json classes = json::array();
    std::unordered_map<std::string, std::int64_t> known;
    std::vector<std::int64_t> classOf, layers;
    classOf.reserve(ops.size());
    layers.reserve(ops.size());
    for (const OpReading& op : ops) {
        const bool isChain = op.kind == kindName(OpKind::RecomputeChain);
        const OpClass each{withoutLayer(op.id, op.layer, false), withoutLayer(op.name, op.layer, isChain),
                           op.phase, op.kind, op.source};
        if (each.id.size() > kMostClassText || each.name.size() > kMostClassText ||
            withLayer(each.id, op.layer) != op.id || withLayer(each.name, op.layer) != op.name)
            return std::nullopt;
        json written = classJson(each);
        const auto [place, fresh] = known.emplace(dumpJson(written), static_cast<std::int64_t>(known.size()));
        if (fresh) classes.push_back(std::move(written));
        classOf.push_back(place->second);
        layers.push_back(op.layer);
    }
    const auto counters = [](const OpReading& op) { return Json<OpCounters>::write(op.counters); };
    const auto low = [](const OpReading& op) {
        return op.spread ? numberJson(outward(op.spread->low, -1)) : json();
    };
    const auto high = [](const OpReading& op) {
        return op.spread ? numberJson(outward(op.spread->high, 1)) : json();
    };
    const auto tier = [&](const OpReading& op) {
        return op.tier && op.tier != whole ? json(tierName(*op.tier)) : json();
    };
    return json{{"count", ops.size()},
                {"classes", std::move(classes)},
                {"class", packedJson(classOf)},
                {"layer", packedJson(layers)},
                {"executions", cellsJson(ops, [](const OpReading& op) { return json(op.executions); })},
                {"flops", cellsJson(ops, [](const OpReading& op) { return countJson(op.flops); })},
                {"bytes", cellsJson(ops, [](const OpReading& op) { return countJson(op.bytes); })},
                {"seconds", cellsJson(ops, [](const OpReading& op) { return numberJson(op.seconds); })},
                {"seconds_low", cellsJson(ops, low)},
                {"seconds_high", cellsJson(ops, high)},
                {"tier", cellsJson(ops, tier)},
                {"counters", cellsJson(ops, counters)}};
}

std::vector<OpReading> readOpColumns(const JsonField& field, std::optional<Tier> whole) {
    if (!field.expectObject()) return {};
    const auto count = static_cast<std::size_t>(field["count"].count(0, static_cast<std::int64_t>(kMostOps)));
    const JsonField classField = field["class"], layerField = field["layer"];
    const std::vector<OpClass> classes = readClasses(field["classes"]);
    const std::vector<std::int64_t> classOf = readPacked(classField, count);
    const std::vector<std::int64_t> layers = readPacked(layerField, count);
    std::vector<OpReading> ops(field.ok() ? count : 0);
    for (std::size_t i = 0; i < ops.size() && field.ok(); ++i) {
        if (classOf[i] >= static_cast<std::int64_t>(classes.size())) {
            classField.fail("points beyond its " + std::to_string(classes.size()) + " classes");
        } else if (layers[i] > INT32_MAX) {
            layerField.fail("has a layer beyond " + std::to_string(INT32_MAX));
        } else {
            const OpClass& each = classes[static_cast<std::size_t>(classOf[i])];
            OpReading& op = ops[i];
            op.layer = static_cast<std::int32_t>(layers[i]);
            op.id = withLayer(each.id, op.layer);
            op.name = withLayer(each.name, op.layer);
            op.phase = each.phase;
            op.kind = each.kind;
            op.source = each.source;
        }
    }
    if (!field.ok()) return {};
    readColumn(field["executions"], count,
               [&](std::size_t i, const JsonField& cell) { ops[i].executions = cell.count(); });
    readColumn(field["flops"], count,
               [&](std::size_t i, const JsonField& cell) { ops[i].flops = cell.countOrNull(); });
    readColumn(field["bytes"], count,
               [&](std::size_t i, const JsonField& cell) { ops[i].bytes = cell.countOrNull(); });
    readColumn(field["seconds"], count,
               [&](std::size_t i, const JsonField& cell) { ops[i].seconds = cell.numberOrNull(); });
    readTrust(field, whole, ops);
    if (const JsonField counters = field["counters"]; field.ok() && !counters.isNull())
        readColumn(counters, count, [&](std::size_t i, const JsonField& cell) {
            if (!cell.isNull()) ops[i].counters = Json<OpCounters>::read(cell);
        });
    return ops;
}

json curveColumns(const std::vector<CategoryBytes>& curve) {
    json result{{"count", curve.size()}};
    std::vector<std::int64_t> column(curve.size());
    for (const Category category : kAllCategories) {
        for (std::size_t i = 0; i < curve.size(); ++i)
            column[i] = curve[i][static_cast<std::size_t>(category)];
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
        const std::vector<std::int64_t> column = readPacked(field[categoryName(category)], count);
        for (std::size_t i = 0; i < count; ++i) curve[i][static_cast<std::size_t>(category)] = column[i];
    }
    for (std::size_t i = 0; i < count && field.ok(); ++i) {
        Bytes sum = 0;
        for (const Bytes bytes : curve[i]) sum = addOrOverflow(sum, bytes);
        if (sum < 0) field.fail("adds up to more than 63 bits can count");
    }
    return curve;
}

}  // namespace plumb
