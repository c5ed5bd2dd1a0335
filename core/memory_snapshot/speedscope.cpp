// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_fields.h"
#include "core/memory_snapshot/step_exports.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace plumb {

namespace {

using nlohmann::json;

/// The frames that all profiles of a file share: a name and a file each once.
class SharedFrames {
public:
    std::size_t of(const std::string& name, const std::string& file) {
        const auto [place, isNew] = m_numbers.try_emplace({name, file}, m_numbers.size());
        if (isNew) {
            json frame{{"name", name}};
            if (!file.empty()) frame["file"] = file;
            m_frames.push_back(std::move(frame));
        }
        return place->second;
    }
    [[nodiscard]] json take() { return std::move(m_frames); }

private:
    std::map<std::pair<std::string, std::string>, std::size_t> m_numbers;
    json m_frames = json::array();
};

json timeProfile(const Step& step, std::span<const std::optional<Seconds>> opSeconds, SharedFrames& frames) {
    json events = json::array();
    std::vector<std::size_t> open;
    double now = 0;
    std::int64_t at = 0;
    const auto close = [&](std::size_t depth) {
        for (; open.size() > depth; open.pop_back())
            events.push_back({{"type", "C"}, {"frame", open.back()}, {"at", at}});
    };
    for (std::int32_t op = 0; op < step.opCount(); ++op) {
        const auto index = static_cast<std::size_t>(op);
        if (index >= opSeconds.size() || !opSeconds[index] || !(*opSeconds[index] > 0)) continue;
        std::vector<std::size_t> stack{frames.of(std::string(phaseName(step.op(op).phase)), {})};
        const std::string module = step.opModule(op);
        if (!module.empty()) stack.push_back(frames.of(module, {}));
        const std::size_t name = frames.of(step.opName(op), std::string(step.opKind(op)));
        // What stays open is what both have in common.
        close(static_cast<std::size_t>(std::ranges::mismatch(open, stack).in1 - open.begin()));
        for (std::size_t i = open.size(); i < stack.size(); ++i) {
            events.push_back({{"type", "O"}, {"frame", stack[i]}, {"at", at}});
            open.push_back(stack[i]);
        }
        events.push_back({{"type", "O"}, {"frame", name}, {"at", at}});
        now += std::min(*opSeconds[index], 1e6) * 1e9;
        at = std::llround(now);
        events.push_back({{"type", "C"}, {"frame", name}, {"at", at}});
    }
    close(0);
    if (events.empty()) return nullptr;
    return {{"type", "evented"}, {"name", "time of the step"}, {"unit", "nanoseconds"}, {"startValue", 0},
            {"endValue", at},    {"events", std::move(events)}};
}

json memoryProfile(const Step& step, SharedFrames& frames) {
    const std::vector<CategoryBytes> curve = memoryCurve(step);
    std::int32_t peak = 0;
    for (std::size_t op = 0; op < curve.size(); ++op)
        if (total(curve[op]) > total(curve[static_cast<std::size_t>(peak)]))
            peak = static_cast<std::int32_t>(op);
    json samples = json::array();
    json weights = json::array();
    Bytes sum = 0;
    for (TensorId id = 0; id < step.tensorCount(); ++id) {
        const StepTensor& tensor = step.tensor(id);
        const Bytes bytes = step.tensorBytes(id);
        if (tensor.firstOp > peak || tensor.lastOp < peak || bytes <= 0) continue;
        samples.push_back({frames.of(std::string(categoryLabel(tensor.category)), {}),
                           frames.of(step.tensorName(id), step.tensorModule(id))});
        weights.push_back(bytes);
        sum += bytes;
    }
    const std::string name = curve.empty() ? "memory" : "memory at the peak (" + step.opName(peak) + ")";
    return {{"type", "sampled"},
            {"name", name},
            {"unit", "bytes"},
            {"startValue", 0},
            {"endValue", sum},
            {"samples", std::move(samples)},
            {"weights", std::move(weights)}};
}

}  // namespace

std::string toSpeedscope(const Step& step, std::span<const std::optional<Seconds>> opSeconds) {
    SharedFrames frames;
    json profiles = json::array();
    json time = timeProfile(step, opSeconds, frames);
    if (!time.is_null()) profiles.push_back(std::move(time));
    profiles.push_back(memoryProfile(step, frames));
    return dumpJson({{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                     {"name", step.title()},
                     {"exporter", "plumbline"},
                     {"activeProfileIndex", 0},
                     {"shared", {{"frames", frames.take()}}},
                     {"profiles", std::move(profiles)}});
}

}  // namespace plumb
