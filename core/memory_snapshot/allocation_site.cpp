// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/allocation_site.h"

#include "core/base/plain_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb {

namespace {

/// What a frame says, as bits.
enum FrameTrait : std::uint8_t {
    kPython = 1,
    kOfTorch = 2,
    kForward = 4,
    kBackward = 8,
    kOptimizer = 16,
    kWorkspace = 32,
    kRecording = 64,  ///< the allocator and what takes the stack: the innermost ones, of every stack
};

constexpr std::size_t kMostName = 120;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string_view baseName(std::string_view file) { return file.substr(file.rfind('/') + 1); }

/// "mul_Tensor" of "at::_ops::mul_Tensor::call(...)"; empty for other frames.
std::string_view opName(std::string_view frame) {
    constexpr std::string_view kOps = "at::_ops::";
    const std::size_t begin = frame.find(kOps);
    if (begin == std::string_view::npos) return {};
    const std::string_view rest = frame.substr(begin + kOps.size());
    const std::size_t end = rest.find("::");
    if (end == std::string_view::npos) return {};
    const std::string_view call = rest.substr(end + 2);
    return call.starts_with("call") || call.starts_with("redispatch") ? rest.substr(0, end)
                                                                      : std::string_view();
}

/// "MulBackward0" of "torch::autograd::generated::MulBackward0::apply(...)"; empty for other frames.
std::string_view nodeName(std::string_view frame) {
    const std::size_t end = frame.find("::apply(");
    if (end == std::string_view::npos) return {};
    const std::string_view before = frame.substr(0, end);
    const std::size_t colon = before.rfind("::");
    const std::string_view name = colon == std::string_view::npos ? before : before.substr(colon + 2);
    const std::size_t backward = name.find("Backward");
    if (backward == std::string_view::npos || backward == 0) return {};
    const auto digits = name.substr(backward + 8);
    return std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }) ? name
                                                                                    : std::string_view();
}

std::uint8_t traitsOf(std::string_view name, std::string_view file) {
    unsigned traits = 0;
    const bool isPython = file.ends_with(".py") || file.starts_with('<');
    if (isPython) {
        traits |= kPython;
        if (has(file, "/torch/") || file.starts_with("torch/")) traits |= kOfTorch;
        if (name == "forward") traits |= kForward;
        if (has(file, "torch/optim/") || (name == "step" && has(baseName(file), "optim")))
            traits |= kOptimizer;
        if (has(file, "torch/autograd/graph.py") || has(file, "torch/autograd/__init__.py"))
            traits |= kBackward;
    } else {
        if (!nodeName(name).empty() || has(name, "torch::autograd::Engine::")) traits |= kBackward;
        if (has(name, "at::cuda::getNewWorkspace")) traits |= kWorkspace;
        if (has(name, "torch::unwind::") || has(name, "CapturedTraceback::gather") ||
            has(name, "gather_with_cpp") || has(name, "CUDACachingAllocator::"))
            traits |= kRecording;
    }
    return static_cast<std::uint8_t>(traits);
}

MemoryOrigin originOf(std::span<const std::uint32_t> stack, const std::vector<std::uint8_t>& traits) {
    unsigned all = 0;
    // The innermost that says something decides: the loss of a step() of a trainer is no optimizer's.
    for (const std::uint32_t frame : stack) {
        const unsigned here = traits[frame];
        all |= here;
        if ((here & kWorkspace) != 0) return MemoryOrigin::Workspace;
        if ((here & kOptimizer) != 0) return MemoryOrigin::Optimizer;
        if ((here & kBackward) != 0) return MemoryOrigin::Backward;
        if ((here & kForward) != 0) return MemoryOrigin::Forward;
    }
    return (all & kPython) != 0 ? MemoryOrigin::Other : MemoryOrigin::Unknown;
}

}  // namespace

std::string AllocationSite::label() const {
    if (origin == MemoryOrigin::Workspace) return "workspace of the matrix library";
    std::string text = node;
    for (const std::string* part : {&op, &place})
        if (!part->empty()) text += (text.empty() ? "" : " · ") + *part;
    return text.empty() ? "not recorded" : text;
}

AllocationSites::AllocationSites(const MemorySnapshot& snapshot) : m_snapshot(snapshot) {
    m_traits.reserve(snapshot.frames.size());
    for (const MemoryFrame& frame : snapshot.frames)
        m_traits.push_back(traitsOf(snapshot.texts[frame.name], snapshot.texts[frame.file]));
    m_origins.reserve(snapshot.stacks.size());
    for (std::uint32_t stack = 0; stack < snapshot.stacks.size(); ++stack)
        m_origins.push_back(originOf(snapshot.stacks[stack], m_traits));
}

std::string AllocationSites::fileAndLine(const MemoryFrame& frame) const {
    return fmt::format("{}:{}", plainLine(baseName(m_snapshot.texts[frame.file]), kMostName), frame.line);
}

std::string AllocationSites::frameText(const MemoryFrame& frame) const {
    const std::string name = plainLine(m_snapshot.texts[frame.name], kMostName);
    const std::string_view file = m_snapshot.texts[frame.file];
    return file.empty() || file == "??" ? name : fileAndLine(frame) + " " + name;
}

AllocationSite AllocationSites::site(std::uint32_t stack) const {
    AllocationSite site;
    site.origin = origin(stack);
    std::string_view room;
    std::string inTorch;
    for (const std::uint32_t number : m_snapshot.stacks[stack]) {
        const MemoryFrame& frame = m_snapshot.frames[number];
        const std::string_view name = m_snapshot.texts[frame.name];
        const unsigned traits = m_traits[number];
        if ((traits & kPython) == 0) {
            const std::string_view op = opName(name);
            if (room.empty()) room = op;
            if (site.op.empty() && !op.starts_with("empty")) site.op = plainLine(op, kMostName);
            if (site.node.empty()) site.node = plainLine(nodeName(name), kMostName);
            continue;
        }
        if (site.module.empty() && (traits & kForward) != 0) site.module = fileAndLine(frame);
        if (inTorch.empty()) inTorch = frameText(frame);
        if (site.place.empty() && (traits & kOfTorch) == 0) site.place = frameText(frame);
    }
    if (site.op.empty()) site.op = plainLine(room, kMostName);
    if (site.place.empty()) site.place = inTorch;
    return site;
}

std::vector<std::string> AllocationSites::frames(std::uint32_t stack, std::size_t most) const {
    std::vector<std::string> texts;
    for (const std::uint32_t number : m_snapshot.stacks[stack]) {
        if (texts.size() == most) break;
        if ((m_traits[number] & kRecording) == 0) texts.push_back(frameText(m_snapshot.frames[number]));
    }
    return texts;
}

}  // namespace plumb
