// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace_links.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

namespace plumb::trace {

namespace {

/// What exporters close their last step with, for readers that leave out the last: no step, and as short as
/// a slice can be.
constexpr Nanoseconds kEndOfSteps = 1;

/// What a name says, worked out once for each.
struct NameFacts {
    KernelCategory category{};
    std::optional<KernelCategory> ofOp;
    bool communicates = false;
    bool isModule = false;
    bool isBackward = false;
    bool isOptimizer = false;
    bool isStep = false;
};

/// Whether a slice is a node of autograd's graph: since 1.9 the engine puts a slice of its own around each;
/// before, the node's class name stands alone ("MulBackward0", "CudnnConvolutionBackward").
bool isNodeOfBackward(std::string_view name) {
    if (name.starts_with("autograd::engine::evaluate_function")) return true;
    constexpr std::string_view kEnd = "Backward";
    while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.remove_suffix(1);
    return name.size() > kEnd.size() && name.ends_with(kEnd) && name.front() >= 'A' && name.front() <= 'Z' &&
           std::ranges::all_of(name, [](char letter) { return isLetter(letter) || isDigit(letter); });
}

std::vector<NameFacts> factsOf(const Trace& trace) {
    std::vector<std::uint8_t> used(trace.names.size(), 0);
    for (std::size_t i = 0; i < trace.slices.size(); ++i) {
        std::uint8_t& by = used[trace.slices.name[i]];
        by = static_cast<std::uint8_t>(by | (isGpuWork(trace.slices.category[i]) ? 1U : 2U));
    }
    std::vector<NameFacts> facts(used.size());
    for (std::size_t id = 0; id < used.size(); ++id) {
        const std::string_view name = trace.names.at(static_cast<NameId>(id));
        if ((used[id] & 1U) != 0) {
            facts[id].category = categoryByName(name);
            facts[id].communicates = communicates(name);
        }
        if ((used[id] & 2U) == 0) continue;
        facts[id].ofOp = categoryByOp(name);
        facts[id].isModule = name.starts_with("nn.Module: ");
        facts[id].isBackward = isNodeOfBackward(name);
        facts[id].isOptimizer = name.starts_with("Optimizer.step#");
        facts[id].isStep = name.starts_with("ProfilerStep#");
    }
    return facts;
}

/// What encloses a slice on its thread, the slice itself included.
struct Context {
    std::uint32_t slice = kNone;
    std::uint32_t op = kNone;
    std::uint32_t module = kNone;
    TracePhase phase{};
};

/// A sequence number of autograd and the module of the forward op that has it.
using SequenceOwner = std::pair<std::int64_t, std::uint32_t>;

struct Launch {
    std::int64_t correlation = 0;
    Context context;
};

class Linker {
public:
    Linker(const Trace& trace, const LinkOptions& options)
        : m_options(options), m_trace(trace), m_slices(trace.slices), m_facts(factsOf(trace)) {}

    TraceLinks link() {
        m_ofOp.assign(m_trace.names.size(), kNone);
        // Threads of backward may come before those of forward: first the modules of all forward ops.
        for (const bool forwardOnly : {true, false}) {
            for (const Track& track : m_trace.tracks)
                if (track.kind == TrackKind::Thread) walk(track, forwardOnly);
            std::ranges::stable_sort(m_moduleOfSequence, {}, &SequenceOwner::first);
        }
        joinWork();
        sumModules();
        findSteps();
        std::ranges::stable_sort(m_links.ops, std::ranges::greater(), &OpUse::hostTime);
        return std::move(m_links);
    }

private:
    void walk(const Track& track, bool forwardOnly) {
        std::vector<Context> open;
        for (std::size_t i = track.first; i < track.first + track.count; ++i) {
            while (!open.empty() && m_slices.end(open.back().slice) <= m_slices.begin[i]) open.pop_back();
            Context context = open.empty() ? Context{} : open.back();
            const std::uint32_t around = context.op;
            context.slice = static_cast<std::uint32_t>(i);
            enter(context, forwardOnly);
            if (!forwardOnly) count(i, around);
            if (!forwardOnly && m_options.withPlaces && m_slices.category[i] == Category::Op)
                m_links.places.push_back({context.slice, around, context.module, context.phase});
            const Category category = m_slices.category[i];
            if (!forwardOnly && isLaunch(category) && m_slices.link[i] >= 0)
                m_launches.push_back({m_slices.link[i], context});
            if (m_slices.duration[i] > 0) open.push_back(context);
        }
    }

    /// What changes with this slice.
    void enter(Context& context, bool forwardOnly) {
        const std::size_t i = context.slice;
        const Category category = m_slices.category[i];
        const NameFacts& facts = m_facts[m_slices.name[i]];
        if (facts.isBackward) context.phase = TracePhase::Backward;
        if (facts.isOptimizer) context.phase = TracePhase::Optimizer;
        if (category == Category::Python && facts.isModule) {
            context.module = moduleOf(context.module, m_slices.name[i]);
            if (!forwardOnly && context.module != kNone) {
                ++m_links.modules[context.module].calls;
                m_links.modules[context.module].hostTime =
                    saturated(m_links.modules[context.module].hostTime, m_slices.duration[i]);
            }
        }
        if (category != Category::Op) return;
        context.op = static_cast<std::uint32_t>(i);
        const std::int64_t sequence = m_slices.link[i];
        if (sequence < 0) return;
        const bool isForward = m_slices.forward[i] != 0;
        if (isForward && context.phase == TracePhase::Backward) context.phase = TracePhase::Recompute;
        if (forwardOnly && isForward && context.phase == TracePhase::Forward && context.module != kNone)
            m_moduleOfSequence.emplace_back(sequence, context.module);
        if (!forwardOnly && !isForward && context.phase == TracePhase::Backward) {
            // Of several with one number the last one that began owns it.
            const auto behind =
                std::ranges::upper_bound(m_moduleOfSequence, sequence, {}, &SequenceOwner::first);
            if (behind != m_moduleOfSequence.begin() && std::prev(behind)->first == sequence)
                context.module = std::prev(behind)->second;
        }
    }

    std::uint32_t moduleOf(std::uint32_t parent, NameId name) {
        const std::uint64_t key = (static_cast<std::uint64_t>(parent) << 32U) | name;
        const auto [found, isNew] =
            m_modules.try_emplace(key, static_cast<std::uint32_t>(m_links.modules.size()));
        if (isNew) {
            if (m_links.modules.size() >= TraceLinks::kMostModules) {
                m_modules.erase(found);
                return parent;
            }
            m_links.modules.push_back({.name = name, .parent = parent});
        }
        return found->second;
    }

    void count(std::size_t i, std::uint32_t around) {
        if (m_slices.category[i] != Category::Op) return;
        OpUse& use = useOf(m_slices.name[i]);
        ++use.count;
        use.hostTime = saturated(use.hostTime, m_slices.duration[i]);
        use.selfTime = saturated(use.selfTime, m_slices.duration[i]);
        if (around != kNone) {
            OpUse& outer = useOf(m_slices.name[around]);
            outer.selfTime = saturated(outer.selfTime, -m_slices.duration[i]);
        }
    }

    OpUse& useOf(NameId name) {
        if (m_ofOp[name] == kNone) {
            m_ofOp[name] = static_cast<std::uint32_t>(m_links.ops.size());
            m_links.ops.push_back({.name = name});
        }
        return m_links.ops[m_ofOp[name]];
    }

    void joinWork() {
        const auto earlier = [](const Launch& a, const Launch& b) { return a.correlation < b.correlation; };
        std::ranges::stable_sort(m_launches, earlier);
        for (std::size_t i = 1; i < m_launches.size(); ++i)
            if (m_launches[i].correlation == m_launches[i - 1].correlation) ++m_links.duplicateLaunches;
        for (const Track& track : m_trace.tracks) {
            if (track.kind != TrackKind::Stream) continue;
            for (std::size_t i = track.first; i < track.first + track.count; ++i)
                if (isGpuWork(m_slices.category[i])) join(i, earlier);
        }
    }

    void join(std::size_t i, auto earlier) {
        const NameFacts& facts = m_facts[m_slices.name[i]];
        GpuWork work{.slice = static_cast<std::uint32_t>(i),
                     .category = facts.category,
                     .communicates = facts.communicates};
        const auto launch = std::ranges::lower_bound(m_launches, Launch{m_slices.link[i], {}}, earlier);
        if (m_slices.link[i] >= 0 && launch != m_launches.end() && launch->correlation == m_slices.link[i]) {
            const Context& context = launch->context;
            work.launch = context.slice;
            work.op = context.op;
            work.module = context.module;
            work.phase = context.phase;
        } else {
            ++m_links.unlaunched;
        }
        if (work.op != kNone) {
            OpUse& use = useOf(m_slices.name[work.op]);
            use.gpuTime = saturated(use.gpuTime, m_slices.duration[i]);
            if (const auto byOp = m_facts[m_slices.name[work.op]].ofOp; byOp && isOfOp(i, *byOp))
                work.category = *byOp;
        }
        if (work.phase == TracePhase::Optimizer && isOfOp(i, KernelCategory::Optimizer))
            work.category = KernelCategory::Optimizer;
        m_links.work.push_back(work);
    }

    /// Copies and memsets stay what they are, whoever started them, and so does communication.
    [[nodiscard]] bool isOfOp(std::size_t i, KernelCategory byOp) const {
        return m_slices.category[i] == Category::Kernel &&
               (byOp == KernelCategory::Communication || !m_facts[m_slices.name[i]].communicates);
    }

    void sumModules() {
        std::vector<ModuleUse>& modules = m_links.modules;
        for (const GpuWork& work : m_links.work) {
            if (work.module == kNone) continue;
            ModuleUse& module = modules[work.module];
            Nanoseconds& time = work.phase == TracePhase::Backward ? module.backwardTime : module.forwardTime;
            time = saturated(time, m_slices.duration[work.slice]);
            ++module.work;
        }
        for (std::size_t i = modules.size(); i-- > 0;) {  // callers come first
            if (modules[i].parent == kNone) continue;
            ModuleUse& parent = modules[modules[i].parent];
            parent.forwardTime = saturated(parent.forwardTime, modules[i].forwardTime);
            parent.backwardTime = saturated(parent.backwardTime, modules[i].backwardTime);
            parent.work += modules[i].work;
        }
    }

    /// Steps of two processes run beside each other, and have no times between them: those of the process
    /// that has the most count, of the first of them. Ranks are compared by all of theirs.
    void keepOneProcess() {
        std::map<NameId, std::size_t> counts;
        std::vector<NameId> processes;  ///< of the steps
        for (const TraceStep& step : m_links.steps) {
            const auto behind = std::ranges::upper_bound(m_trace.tracks, step.slice, {}, &Track::first);
            const Track& track = *std::prev(behind);
            if (track.rank >= 0) return;
            processes.push_back(track.process);
            ++counts[track.process];
        }
        if (counts.size() < 2) return;
        NameId kept = processes.front();
        for (const NameId process : processes)
            if (counts[process] > counts[kept]) kept = process;
        std::size_t at = 0;
        std::erase_if(m_links.steps, [&](const TraceStep&) { return processes[at++] != kept; });
    }

    void findSteps() {
        std::vector<std::uint32_t> optimizers;
        Nanoseconds first = INT64_MAX;
        for (std::size_t i = 0; i < m_slices.size(); ++i) {
            if (m_slices.category[i] == Category::Op) first = std::min(first, m_slices.begin[i]);
            if (m_slices.category[i] != Category::Annotation) continue;
            const NameFacts& facts = m_facts[m_slices.name[i]];
            if (facts.isStep && m_slices.duration[i] > kEndOfSteps)
                m_links.steps.push_back({static_cast<std::uint32_t>(i), m_slices.name[i], m_slices.begin[i],
                                         m_slices.duration[i], m_slices.end(i)});
            if (facts.isOptimizer) optimizers.push_back(static_cast<std::uint32_t>(i));
        }
        keepOneProcess();
        if (m_links.steps.empty()) {
            m_links.stepsAreInferred = true;
            std::ranges::sort(optimizers, {}, [&](std::uint32_t i) { return m_slices.begin[i]; });
            for (const std::uint32_t i : optimizers) {
                const Nanoseconds begin = std::min(first, m_slices.begin[i]);
                const Nanoseconds end = m_slices.end(i);
                m_links.steps.push_back({kNone, m_slices.name[i], begin, end - begin, end});
                first = end;
            }
        }
        std::ranges::stable_sort(m_links.steps, {}, &TraceStep::begin);
        for (std::size_t i = 1; i < m_links.steps.size(); ++i)
            m_links.steps[i - 1].windowEnd = m_links.steps[i].begin;
    }

    const LinkOptions& m_options;
    const Trace& m_trace;
    const Slices& m_slices;
    std::vector<NameFacts> m_facts;
    TraceLinks m_links;
    std::vector<Launch> m_launches;
    std::vector<std::uint32_t> m_ofOp;  ///< by name
    std::unordered_map<std::uint64_t, std::uint32_t> m_modules;
    std::vector<SequenceOwner> m_moduleOfSequence;  ///< by sequence number once all forward ops are known
};

}  // namespace

TraceLinks linkTrace(const Trace& trace, const LinkOptions& options) { return Linker(trace, options).link(); }

const GpuWork* workOf(const TraceLinks& links, std::uint32_t slice) {
    const auto found = std::ranges::lower_bound(links.work, slice, {}, &GpuWork::slice);
    return found != links.work.end() && found->slice == slice ? &*found : nullptr;
}

std::optional<std::size_t> medianStep(const TraceLinks& links) {
    if (links.steps.empty()) return std::nullopt;
    std::vector<std::size_t> order(links.steps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return links.steps[i].duration; });
    return order[(order.size() - 1) / 2];
}

}  // namespace plumb::trace
