// SPDX-License-Identifier: Apache-2.0
#include "core/base/plain_text.h"
#include "core/base/utc_time.h"
#include "core/opening/imported_step.h"
#include "core/opening/op_arguments.h"
#include "core/trace/union_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>
#include <utility>

namespace plumb {

namespace {

using trace::kNone;
using trace::Nanoseconds;

Phase phaseOf(trace::TracePhase phase) {
    switch (phase) {
    case trace::TracePhase::Backward:
        return Phase::Backward;
    case trace::TracePhase::Recompute:
        return Phase::Recompute;
    case trace::TracePhase::Optimizer:
        return Phase::Optimizer;
    default:
        return Phase::Forward;
    }
}

/// An op that becomes one of the step.
struct TakenOp {
    Nanoseconds hostBegin = 0;
    std::uint32_t place = kNone;      ///< of TraceLinks::places; none: GPU work without an op
    std::vector<std::uint32_t> work;  ///< of TraceLinks::work
};

class TraceStepMaker {
public:
    TraceStepMaker(const trace::Trace& trace, const trace::TraceLinks& links)
        : m_trace(trace), m_slices(trace.slices), m_links(links) {}

    Result<StepFile> make(const std::string& name, const std::optional<std::string>& wanted) {
        if (m_links.places.empty())
            return badInput(name + " has no op of PyTorch, and a step consists of ops",
                            "open it as a trace, or record with activities of the CPU too");
        PLUMB_CHECK(chooseStep(name, wanted));
        takeOps();
        if (m_taken.empty())
            return badInput(fmt::format("{} has no op in {}", name, plainLine(m_stepName)),
                            "name another --step");
        if (m_taken.size() > StepFile::kMostRows)
            return badInput(fmt::format("{} has {} ops in one step, and a step file holds {}", name,
                                        m_taken.size(), StepFile::kMostRows),
                            "record a profile with a step() after each step");
        std::ranges::stable_sort(m_taken, {}, &TakenOp::hostBegin);
        for (const TakenOp& taken : m_taken) addOp(taken);
        addMemory();
        describe(name);
        return std::move(m_file);
    }

private:
    Result<void> chooseStep(const std::string& name, const std::optional<std::string>& wanted) {
        const auto& steps = m_links.steps;
        if (steps.empty()) {
            if (wanted)
                return badInput("--step is " + *wanted + ", and " + name + " has no steps", "leave it out");
            m_begin = INT64_MAX;
            for (const trace::OpPlace& place : m_links.places)
                m_begin = std::min(m_begin, m_slices.begin[place.slice]);
            m_end = INT64_MAX;
            m_stepName = "whole trace";
            return {};
        }
        std::size_t step = *trace::medianStep(m_links);
        if (wanted) {
            PLUMB_TRY(step, numberOfStep(name, *wanted));
        }
        m_begin = steps[step].begin;
        m_end = steps[step].windowEnd;
        m_stepName = std::string(m_trace.names.at(steps[step].name));
        for (const trace::TraceStep& each : steps)
            if (each.duration > 0) m_file.stepSeconds.push_back(trace::secondsOf(each.duration));
        return {};
    }

    Result<std::size_t> numberOfStep(const std::string& name, const std::string& wanted) const {
        const auto& steps = m_links.steps;
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (m_trace.names.at(steps[i].name) == wanted) return i;
        std::size_t number = 0;
        const auto [end, problem] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
        if (problem == std::errc() && end == wanted.data() + wanted.size() && number < steps.size())
            return number;
        return badInput(fmt::format("{} has no step {} (--step)", name, plainLine(wanted, 60)),
                        fmt::format("give 0 to {}, or a name such as {}", steps.size() - 1,
                                    plainLine(m_trace.names.at(steps.front().name))));
    }

    [[nodiscard]] bool isInStep(Nanoseconds time) const { return time >= m_begin && time < m_end; }

    void takeOps() {
        m_isOnGpu = !m_links.work.empty();
        std::unordered_map<std::uint32_t, std::uint32_t> placeOf;  // by slice
        for (std::uint32_t i = 0; i < m_links.places.size(); ++i) placeOf[m_links.places[i].slice] = i;
        std::vector<std::uint32_t> around(m_links.places.size(), kNone);
        for (std::uint32_t i = 0; i < around.size(); ++i)
            if (m_links.places[i].around != kNone) around[i] = placeOf.at(m_links.places[i].around);
        std::vector<std::uint32_t> taken(m_links.places.size(), kNone);  // of m_taken, by place
        if (m_isOnGpu)
            takeLaunching(placeOf, around, taken);
        else
            takeOfHost(around);
    }

    /// The outermost op that launched anything itself; what is within it is part of it.
    void takeLaunching(const std::unordered_map<std::uint32_t, std::uint32_t>& placeOf,
                       const std::vector<std::uint32_t>& around, std::vector<std::uint32_t>& taken) {
        std::vector<bool> launches(m_links.places.size(), false);
        for (const trace::GpuWork& work : m_links.work)
            if (work.op != kNone) launches[placeOf.at(work.op)] = true;
        for (std::uint32_t i = 0; i < m_links.work.size(); ++i) {
            const trace::GpuWork& work = m_links.work[i];
            const Nanoseconds begin = m_slices.begin[work.launch == kNone ? work.slice : work.launch];
            if (!isInStep(begin)) continue;
            if (work.op == kNone) {
                m_taken.push_back({begin, kNone, {i}});
                ++m_withoutOp;
                continue;
            }
            std::uint32_t place = placeOf.at(work.op);
            for (std::uint32_t outer = around[place]; outer != kNone; outer = around[outer])
                if (launches[outer]) place = outer;
            if (taken[place] == kNone) {
                taken[place] = static_cast<std::uint32_t>(m_taken.size());
                m_taken.push_back({m_slices.begin[m_links.places[place].slice], place, {}});
            }
            m_taken[taken[place]].work.push_back(i);
        }
    }

    /// Without GPU work: an op counts whole unless it is a mere wrapper, half of whose time others within it
    /// take or which autograd's engine put around a node.
    void takeOfHost(const std::vector<std::uint32_t>& around) {
        std::vector<Nanoseconds> within(around.size(), 0);
        for (std::uint32_t i = 0; i < around.size(); ++i)
            if (around[i] != kNone) within[around[i]] = trace::saturated(within[around[i]], durationOf(i));
        std::vector<bool> isDone(around.size(), false);      // it, or what is around it, was taken
        for (std::uint32_t i = 0; i < around.size(); ++i) {  // what encloses comes first
            if (around[i] != kNone && isDone[around[i]]) {
                isDone[i] = true;
                continue;
            }
            const bool isWrapper =
                within[i] > 0 && (within[i] >= durationOf(i) / 2 || nameOf(i).starts_with("autograd::"));
            if (isWrapper || !isInStep(m_slices.begin[m_links.places[i].slice])) continue;
            isDone[i] = true;
            m_taken.push_back({m_slices.begin[m_links.places[i].slice], i, {}});
        }
    }

    [[nodiscard]] Nanoseconds durationOf(std::uint32_t place) const {
        return m_slices.duration[m_links.places[place].slice];
    }
    [[nodiscard]] std::string_view nameOf(std::uint32_t place) const {
        return m_trace.name(m_links.places[place].slice);
    }

    void addOp(const TakenOp& taken) {
        RecordedOp op;
        if (taken.place != kNone) {
            const trace::OpPlace& place = m_links.places[taken.place];
            op.kind = plainLine(nameOf(taken.place));
            op.phase = phaseOf(place.phase);
            op.module = moduleOf(place.module);
            addCosts(op, place.slice);
            op.start = trace::secondsOf(m_slices.begin[place.slice] - m_begin);
            op.seconds = trace::secondsOf(m_slices.duration[place.slice]);
        } else {
            const trace::GpuWork& work = m_links.work[taken.work.front()];
            op.kind = plainLine(m_trace.name(work.slice));
            op.phase = phaseOf(work.phase);
            op.module = moduleOf(work.module);
            op.hasFlops = false;
        }
        if (!taken.work.empty()) addTimes(op, taken);
        op.id = idOf(op);
        if (!op.hasFlops) ++m_withoutFormula[op.kind].first;
        if (!op.hasFlops) m_withoutFormula[op.kind].second += op.seconds.value_or(0);
        m_seconds += op.seconds.value_or(0);
        m_file.step.ops.push_back(std::move(op));
    }

    std::string idOf(const RecordedOp& op) {
        std::string id(phaseName(op.phase));
        if (!op.module.empty()) id += "." + op.module;
        id += "." + op.kind.substr(op.kind.starts_with("aten::") ? 6 : 0);
        const std::int64_t before = m_ids[id]++;
        return before == 0 ? id : fmt::format("{}#{}", id, before);
    }

    /// On a GPU: from its first work on, for as long as any of it runs.
    void addTimes(RecordedOp& op, const TakenOp& taken) {
        std::vector<std::pair<Nanoseconds, Nanoseconds>> spans;
        for (const std::uint32_t i : taken.work) {
            const std::uint32_t slice = m_links.work[i].slice;
            spans.emplace_back(m_slices.begin[slice], m_slices.end(slice));
        }
        std::ranges::sort(spans);
        trace::UnionLength length;
        for (const auto& [begin, end] : spans) length.add(begin, end);
        op.seconds = trace::secondsOf(length.length());
        op.start = trace::secondsOf(std::max<Nanoseconds>(0, spans.front().first - m_begin));
    }

    void addCosts(RecordedOp& op, std::uint32_t slice) {
        op.hasFlops = isViewOrEmpty(op.kind);
        if (m_slices.detail[slice] == 0) return;
        m_hasShapes = true;
        const std::vector<OpArgument> arguments = opArguments(
            m_trace.names.at(m_slices.detail[slice]),
            m_slices.types.empty() ? std::string_view() : m_trace.names.at(m_slices.types[slice]));
        for (const OpArgument& argument : arguments) op.inputShapes.push_back(argument.shape);
        if (op.hasFlops) return;
        op.bytes = bytesOfArguments(arguments);
        const auto product = productCost(op.kind, arguments);
        if (!product) return;
        op.hasFlops = op.isProduct = true;
        op.flops = op.matmulFlops = product->flops;
        op.bytes = product->bytes;
        op.units = product->units;
        m_flopsOf[product->units] += static_cast<double>(product->flops);
    }

    /// The modules of a path from the root, parts between dots.
    [[nodiscard]] std::string moduleOf(std::uint32_t module) const {
        constexpr std::string_view kPrefix = "nn.Module: ";
        constexpr int kDeepest = 64;
        std::string path;
        for (int depth = 0; module != kNone && depth < kDeepest; ++depth) {
            std::string_view name = m_trace.names.at(m_links.modules[module].name);
            if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
            path = path.empty() ? plainLine(name) : plainLine(name) + "." + path;
            module = m_links.modules[module].parent;
        }
        return path;
    }

    /// The last op that the host had begun by then.
    [[nodiscard]] std::int32_t opAt(Nanoseconds time) const {
        const auto behind = std::ranges::upper_bound(m_taken, time, {}, &TakenOp::hostBegin);
        return std::max(0, static_cast<std::int32_t>(behind - m_taken.begin()) - 1);
    }

    /// Storages of the marks that the allocator left: made and given back at an address.
    void addMemory() {
        const bool hasGpu =
            std::ranges::any_of(m_trace.memory, [](const auto& p) { return p.deviceType == 1; });
        // Several at one address: files without addresses, or marks of a free that was lost.
        std::unordered_map<std::int64_t, std::vector<std::size_t>> living;
        std::optional<Bytes> start;
        Bytes peak = 0;
        Bytes known = 0;
        for (const trace::MemoryPoint& point : m_trace.memory) {
            if (!isInStep(point.time) || (point.deviceType == 1) != hasGpu) continue;
            if (hasGpu && m_device.value_or(point.device) != point.device) continue;
            m_device = point.device;
            constexpr Bytes kMostBytes = Bytes{1} << 50U;
            if (point.bytes == 0 || point.bytes > kMostBytes || point.bytes < -kMostBytes ||
                m_file.step.tensors.size() + 1 >= StepFile::kMostRows)
                continue;
            if (point.allocated >= 0 && point.allocated <= kMostBytes) {
                if (!start) start = std::max<Bytes>(0, point.allocated - point.bytes);
                peak = std::max({peak, point.allocated, *start});
            }
            if (point.bytes > 0) {
                living[point.address].push_back(m_file.step.tensors.size());
                addStorage(point.bytes, opAt(point.time), m_file.step.opCount());
            } else if (auto& stack = living[point.address]; !stack.empty()) {
                free(m_file.step.tensors[stack.back()], opAt(point.time));
                stack.pop_back();
            } else {
                known -= point.bytes;
                addStorage(-point.bytes, -1, opAt(point.time));
            }
        }
        if (start && *start > known) addStorage(*start - known, -1, m_file.step.opCount());
        for (RecordedTensor& tensor : m_file.step.tensors) guess(tensor);
        if (!start) return;
        m_file.allocator.startBytes = *start;
        m_file.allocator.peakBytes = peak;
    }

    void addStorage(Bytes bytes, std::int32_t firstOp, std::int32_t lastOp) {
        RecordedTensor& tensor = m_file.step.tensors.emplace_back();
        tensor.bytes = bytes;
        tensor.elementType = "bytes";
        tensor.shape = {bytes};
        tensor.firstOp = tensor.madeBy = firstOp;
        tensor.lastOp = lastOp;
        if (lastOp < m_file.step.opCount()) tensor.freedBy = lastOp;
    }

    static void free(RecordedTensor& tensor, std::int32_t op) { tensor.lastOp = tensor.freedBy = op; }

    void guess(RecordedTensor& tensor) const {
        const auto& ops = m_file.step.ops;
        StorageLife life{.isFromBefore = tensor.firstOp < 0, .isKept = tensor.freedBy < 0};
        if (!life.isFromBefore) life.made = ops[static_cast<std::size_t>(tensor.firstOp)].phase;
        if (!life.isKept) life.freed = ops[static_cast<std::size_t>(tensor.freedBy)].phase;
        const GuessedCategory guessed = guessedCategory(life);
        tensor.category = guessed.category;
        tensor.role = std::string(guessed.role);
        if (life.isFromBefore) {
            tensor.name = "held from before the step";
            return;
        }
        const RecordedOp& op = ops[static_cast<std::size_t>(tensor.firstOp)];
        tensor.name = op.id;
        tensor.module = op.module;
    }

    void describe(const std::string& name) {
        m_file.created = nowInUtc();
        m_file.program = "plumbline-cli import (trace of PyTorch's profiler)";
        m_file.environment.device = m_isOnGpu ? "cuda" : "cpu";
        if (m_isOnGpu) m_file.environment.deviceName = deviceName();
        m_file.step.stepTitle = fmt::format("{} · {}", plainLine(name, 80), plainLine(m_stepName, 80));
        if (!m_flopsOf.empty())
            m_file.step.productDtype =
                std::ranges::max_element(m_flopsOf, {}, [](const auto& each) { return each.second; })->first;
        for (const auto& [kind, sums] : m_withoutFormula)
            m_file.missingFormulas.push_back(
                {kind, sums.first, m_seconds > 0 ? std::optional(sums.second / m_seconds) : std::nullopt});
        m_file.step.addUp();
        say();
    }

    [[nodiscard]] std::string deviceName() const {
        const auto& work = m_links.work[0];
        const trace::Device* device = m_trace.deviceOf(m_trace.tracks[m_slices.track[work.slice]]);
        return device != nullptr ? device->name : std::string();
    }

    void say() {
        m_file.losses.absent = "A trace has no losses.";
        auto& said = m_file.said;
        said.push_back(
            fmt::format("Imported of a trace: {}, recorded under the profiler, which makes steps longer.",
                        plainLine(m_stepName, 80)));
        if (m_isOnGpu)
            said.emplace_back(
                "An op is one that launched work on the GPU, with all within it; its seconds are those "
                "in which its work ran there. Ops that launched nothing, as views, are left out.");
        else
            said.emplace_back(
                "The trace has no GPU work: seconds are those of ops on the host, without wrappers.");
        if (m_withoutOp > 0)
            said.push_back(
                fmt::format("{} pieces of GPU work have no op in the trace (replayed graphs, or launches "
                            "that it does not have): they stand as ops by their own names.",
                            m_withoutOp));
        said.emplace_back(
            m_hasShapes
                ? "A trace has no shapes of results: bytes are those of inputs, and of results for products "
                  "alone, so that predicted times are too low. FLOPs are of products alone."
                : "The trace has no shapes (record_shapes=True): FLOPs and bytes of ops are not known.");
        if (m_links.modules.empty())
            said.emplace_back("The trace has no modules (with_stack=True): ops are of the model as a whole.");
        else
            said.emplace_back(
                "Modules are classes with a running number, as the profiler calls them, not the names "
                "that the model gives them.");
        said.emplace_back(
            "Phases are forward, recompute, backward and optimizer: a trace does not tell data and loss "
            "from forward.");
        if (m_file.step.tensors.empty())
            said.emplace_back("The trace has no marks of memory (profile_memory=True): memory is not known.");
        else
            said.emplace_back(
                "Storages are what the allocator gave and took; what each is for is guessed by when it "
                "was made and given back, and what is older is workspace held from before.");
        if (!m_file.stepSeconds.empty())
            said.push_back(fmt::format("The step's time is the median of {} steps of the trace.",
                                       m_file.stepSeconds.size()));
    }

    const trace::Trace& m_trace;
    const trace::Slices& m_slices;
    const trace::TraceLinks& m_links;
    StepFile m_file;
    std::string m_stepName;
    Nanoseconds m_begin = 0;
    Nanoseconds m_end = 0;
    bool m_isOnGpu = false;
    bool m_hasShapes = false;
    std::int64_t m_withoutOp = 0;
    std::optional<std::int64_t> m_device;  ///< of which memory is shown
    Seconds m_seconds = 0;
    std::vector<TakenOp> m_taken;
    std::map<std::string, std::pair<std::int64_t, Seconds>> m_withoutFormula;
    std::map<Dtype, double> m_flopsOf;
    std::unordered_map<std::string, std::int64_t> m_ids;
};

}  // namespace

Result<StepFile> stepOfTrace(const trace::Trace& trace, const trace::TraceLinks& links,
                             const std::string& name, const std::optional<std::string>& step) {
    return TraceStepMaker(trace, links).make(name, step);
}

}  // namespace plumb
