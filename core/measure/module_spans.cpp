// SPDX-License-Identifier: Apache-2.0
#include "core/measure/module_spans.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace plumb {
namespace {

constexpr std::size_t kMostSpans = 200;
constexpr int kMostSplits = 16;  ///< that deep no model hides its layers

bool isWayForth(Phase phase) {
    return phase == Phase::Data || phase == Phase::Forward || phase == Phase::Loss;
}

/// Tells the modules apart that make up a step.
class Units {
public:
    explicit Units(const std::vector<std::string>& paths) : m_paths(paths) {
        for (int i = 0; i < kMostSplits && splitLargest(); ++i) {
        }
    }

    /// The unit that a path lies in; empty: in none of them, but in what they are parts of.
    [[nodiscard]] std::string_view of(std::string_view path) const {
        for (std::size_t end = path.find('.');; end = path.find('.', end + 1)) {
            const std::string_view part = path.substr(0, end);
            if (!m_split.contains(part)) return part;
            if (end == path.npos) return {};
        }
    }

    /// The last part of a unit's path, and that before where it is a number: "h.0".
    [[nodiscard]] static std::string labelOf(std::string_view unit) {
        std::size_t dot = unit.rfind('.');
        const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
        if (dot != unit.npos && std::ranges::all_of(unit.substr(dot + 1), isDigit))
            dot = unit.rfind('.', dot - 1);
        return std::string(dot == unit.npos ? unit : unit.substr(dot + 1));
    }

private:
    bool splitLargest() {
        std::map<std::string_view, std::size_t> counts;
        std::size_t all = 0;
        for (const std::string& path : m_paths) {
            if (path.empty()) continue;
            ++all;
            if (const std::string_view unit = of(path); !unit.empty()) ++counts[unit];
        }
        const auto largest =
            std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
        if (largest == counts.end() || 2 * largest->second <= all) return false;
        const std::string_view unit = largest->first;
        const bool hasChildren = std::ranges::any_of(m_paths, [&](const std::string& path) {
            return path.size() > unit.size() && path.starts_with(unit) && path[unit.size()] == '.';
        });
        if (hasChildren) m_split.emplace(unit);
        return hasChildren;
    }

    const std::vector<std::string>& m_paths;
    std::set<std::string, std::less<>> m_split{""};
};

}  // namespace

std::vector<ModuleSpan> moduleSpans(const Step& step) {
    std::vector<std::string> paths;
    paths.reserve(static_cast<std::size_t>(step.opCount()));
    for (std::int32_t i = 0; i < step.opCount(); ++i)
        paths.push_back(step.op(i).phase == Phase::Optimizer ? std::string() : step.opModule(i));
    const Units units(paths);
    // What is outside for a moment, as a tensor that is made beside a layer's, does not cut the layer.
    const std::int32_t bridge = std::max(2, step.opCount() / 100);
    std::vector<ModuleSpan> spans;
    for (std::int32_t i = 0; i < step.opCount(); ++i) {
        const std::string_view unit = units.of(paths[static_cast<std::size_t>(i)]);
        if (unit.empty()) continue;
        ModuleSpan* const last = spans.empty() ? nullptr : &spans.back();
        if (last != nullptr && last->path == unit && i - last->end <= bridge &&
            isWayForth(step.op(last->begin).phase) == isWayForth(step.op(i).phase)) {
            last->end = i + 1;
            continue;
        }
        if (spans.size() == kMostSpans) return {};
        spans.push_back({std::string(unit), Units::labelOf(unit), i, i + 1});
    }
    return spans;
}

}  // namespace plumb
