// SPDX-License-Identifier: Apache-2.0
#include "core/planner/formula.h"
#include "core/planner/inputs.h"
#include "core/planner/serving.h"
#include "core/planner/work.h"

#include <fmt/format.h>

#include <cmath>

namespace plumb::planner {

namespace {

/// "2 · 8 key heads of 128".
std::string cachedText(const Transformer& m) {
    return m.latent ? fmt::format("latent width {} and a rotated key of {} for all heads",
                                  m.latent->keyValueRank, m.latent->rotaryWidth)
                    : fmt::format("2 · a_kv · q = 2 · {} key heads of {}", m.keyValueHeads, m.headWidth);
}

Result<double> cacheOfToken(const Server& server, const Scenario& s, Explanation* out) {
    Formula formula(s, out);
    formula.times("L", server.layers, "", "layers", s.model.source);
    formula.times("n_kv", cachedNumbers(server.model), "", "cached numbers of a layer",
                  cachedText(server.model));
    formula.times("e_kv", server.cacheBytes, "B", "bytes of a cached number", "given or 16 bits");
    return formula.finish(Output::CacheBytesPerToken);
}

Result<double> cacheOfRequest(const Server& server, const Scenario& s, Explanation* out) {
    const Transformer& m = server.model;
    Formula formula(s, out);
    const double seen = tokensLookedBackOn(m, server.context);
    formula.times(
        "Σs_L", seen, "", "tokens kept, summed over the layers",
        m.slidingWindow > 0 && m.windowedLayers > 0
            ? fmt::format("{} of {} layers keep {} at most", m.windowedLayers, m.layers, m.slidingWindow)
            : fmt::format("{} layers · {:g}", m.layers, server.context));
    formula.times("w_kv", cachedNumbers(m) * server.cacheBytes, "B", "cache of a token in a layer",
                  fmt::format("{}, {:g} B each", cachedText(m), server.cacheBytes));
    return formula.finish(Output::CacheBytesPerRequest);
}

/// A sum of labelled parts as the explanation of an answer.
class Sum {
public:
    Sum(Output output, Explanation* out) : m_output(output), m_out(out) {}
    void add(const std::string& label, double value, std::string source) {
        m_total += value;
        if (m_out == nullptr || !(value > 0)) return;
        m_out->formula += (m_out->formula.empty() ? "" : " + ") + label;
        m_numbers += (m_numbers.empty() ? "" : " + ") + formatOutput(m_output, value);
        m_out->terms.push_back(
            {label, label, value, std::string(info(m_output).unit), std::move(source), std::nullopt});
    }
    double finish() {
        if (m_out != nullptr) m_out->withNumbers = m_numbers + " = " + formatOutput(m_output, m_total);
        return m_total;
    }

private:
    Output m_output;
    Explanation* m_out;
    double m_total = 0;
    std::string m_numbers;
};

Result<double> memory(const Server& server, Explanation* out) {
    PLUMB_TRY(const StageMemory held, serverMemory(server));
    Sum sum(Output::ServerMemory, out);
    for (const MemoryPart& part : held.parts) sum.add(part.label, part.bytes, part.formula);
    return sum.finish();
}

double timeOf(Output output, const ForwardTime& time, Explanation* out) {
    Sum sum(output, out);
    for (const TimedOp& op : time.ops)
        sum.add(op.label, op.seconds,
                fmt::format("{} and {}, bound by {}", formatQuantity(op.flops, "FLOP"),
                            formatQuantity(op.bytes, "B"), boundName(op.bound)));
    sum.add("all-reduces", time.traffic, "two of each layer, within the server");
    return sum.finish();
}

/// What fits into a device, as the one term of its explanation.
double counted(Output output, double value, const Server& server, double available, Explanation* out) {
    if (out == nullptr) return value;
    const bool isRequests = output == Output::LargestRequests;
    out->formula =
        isRequests ? "most b_kv with memory(b_kv, s_kv) ≤ M" : "most s_kv with memory(b_kv, s_kv) ≤ M";
    const std::string room = formatQuantity(available, "B");
    out->withNumbers = isRequests ? fmt::format("most b_kv with memory(b_kv, {:g}) ≤ {} = {}", server.context,
                                                room, formatOutput(output, value))
                                  : fmt::format("most s_kv with memory({:g}, s_kv) ≤ {} = {}",
                                                server.requests, room, formatOutput(output, value));
    out->terms.push_back(
        {"M", "memory of a device", available, "B", "all of it, as labelled", Input::Memory});
    if (isRequests)
        out->terms.push_back(
            {"s_kv", "context length", server.context, "", "given, or its default", Input::ContextLength});
    else
        out->terms.push_back(
            {"b_kv", "requests at once", server.requests, "", "given, or its default", Input::Requests});
    return value;
}

/// Where the FLOPs of products begin to take longer than their bytes; those of attention grow with its bytes.
Result<double> computeBound(const Server& server, Explanation* out) {
    constexpr double kMost = 1 << 20;
    const auto isBound = [&](double requests) -> Result<bool> {
        Server tried = server;
        tried.requests = requests;
        PLUMB_TRY(const ForwardTime time, outputTime(tried));
        return time.computeProducts >= time.memoryProducts;
    };
    double below = 0, above = 1;
    for (;; above *= 2) {
        PLUMB_TRY(const bool bound, isBound(above));
        if (bound) break;
        if (above >= kMost)
            return Error{ErrorCode::BadInput,
                         fmt::format("memory limits the products of {:g} requests, too", above),
                         "its peak is too high for its bandwidth: check both"};
        below = above;
    }
    while (above - below > 1) {
        const double middle = std::floor((below + above) / 2);
        PLUMB_TRY(const bool bound, isBound(middle));
        (bound ? above : below) = middle;
    }
    if (out != nullptr) {
        out->formula = "least b_kv with FLOPs / (P·η·q) ≥ bytes / (W·η_mem), over all products";
        out->withNumbers = fmt::format("{} = {:g}", out->formula, above);
        for (const Input input : {Input::Peak, Input::Bandwidth}) {
            PLUMB_TRY(const InputValue value, valueOf(server.scenario, input));
            out->terms.push_back({std::string(info(input).symbol), std::string(info(input).label),
                                  value.range.expected, std::string(info(input).unit), value.source, input});
        }
    }
    return above;
}

/// Tokens over seconds, on all devices of the server or for one of its requests.
Result<double> rate(Output output, const Server& server, const Scenario& s, Explanation* out) {
    const bool isPrompt = output == Output::DevicePromptTokensPerSecond;
    PLUMB_TRY(const ForwardTime time, isPrompt ? promptTime(server) : outputTime(server));
    Formula formula(s, out);
    if (isPrompt) PLUMB_CHECK(formula.times(Input::Prompt));
    if (output == Output::DeviceOutputTokensPerSecond) PLUMB_CHECK(formula.times(Input::Requests));
    const Output seconds = isPrompt ? Output::FirstTokenSeconds : Output::OutputTokenSeconds;
    formula.over(isPrompt ? "t_first" : "t_token", time.total(), "s", info(seconds).label, "the step model");
    if (output != Output::RequestTokensPerSecond)
        formula.over("t", server.devices, "", "devices of the server", "those that share each layer");
    return formula.finish(output);
}

}  // namespace

bool isOfServer(Output output) {
    return output >= Output::CacheBytesPerToken && output <= Output::ComputeBoundRequests;
}

bool isServerTime(Output output) {
    switch (output) {
    case Output::FirstTokenSeconds:
    case Output::OutputTokenSeconds:
    case Output::RequestTokensPerSecond:
    case Output::DeviceOutputTokensPerSecond:
    case Output::DevicePromptTokensPerSecond:
        return true;
    default:
        return false;
    }
}

Result<double> serverAnswer(Output output, const Scenario& s, Explanation* out) {
    PLUMB_TRY(const Server server, serverOf(s));
    switch (output) {
    case Output::CacheBytesPerToken:
        return cacheOfToken(server, s, out);
    case Output::CacheBytesPerRequest:
        return cacheOfRequest(server, s, out);
    case Output::ServerMemory:
        return memory(server, out);
    case Output::LargestRequests:
    case Output::LongestContext: {
        PLUMB_TRY(const double available, numberOf(s, Input::Memory));
        PLUMB_TRY(const double most, output == Output::LargestRequests ? largestRequests(server, available)
                                                                       : longestContext(server, available));
        return counted(output, most, server, available, out);
    }
    case Output::FirstTokenSeconds: {
        PLUMB_TRY(const ForwardTime time, promptTime(server));
        return timeOf(output, time, out);
    }
    case Output::OutputTokenSeconds: {
        PLUMB_TRY(const ForwardTime time, outputTime(server));
        return timeOf(output, time, out);
    }
    case Output::ComputeBoundRequests:
        return computeBound(server, out);
    default:
        return rate(output, server, s, out);
    }
}

std::string serverConvention(const Scenario& s) {
    const auto server = serverOf(s);
    if (!server.has_value()) return "a server is as many devices as share each layer";
    return fmt::format("a server of {:g} device{} with {:g}-bit weights and a {:g}-bit cache; prompts of "
                       "{:g} tokens are read "
                       "alone and whole, output tokens are those at a context of {:g}, and nobody waits",
                       server->devices, server->devices > 1 ? "s" : "", server->weightBits,
                       8 * server->cacheBytes, server->prompt, server->context);
}

}  // namespace plumb::planner
