// SPDX-License-Identifier: Apache-2.0
#include "core/planner/serving.h"

#include "core/base/quantity.h"
#include "core/planner/inputs.h"
#include "core/planner/stage.h"
#include "core/planner/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

/// Tokens that an engine reads of a prompt at once: longer ones are taken in pieces (vLLM's default).
constexpr double kPromptPiece = 8192;
constexpr double kPlainBytes = 2;  ///< of what is not quantised, and of activations

Error noServer(std::string message, std::string hint) {
    return {ErrorCode::BadInput, std::move(message), std::move(hint)};
}

Result<double> bitsOf(const Scenario& s, Input input, std::initializer_list<double> known,
                      std::string_view hint) {
    PLUMB_TRY(const double bits, numberOf(s, input));
    if (std::find(known.begin(), known.end(), bits) != known.end()) return bits;
    return Error{ErrorCode::BadInput,
                 fmt::format("{} cannot be {:g} (--{})", info(input).label, bits, info(input).key),
                 std::string(hint)};
}

/// Parameters of products that are quantised: those of the layers, router and norms left out.
double quantised(const Transformer& m) {
    const ParameterCounts n = countParameters(m);
    return static_cast<double>(n.attention + n.feedForward + n.experts + n.shared);
}

/// Elements that are there at once while tokens pass a layer, for each token.
double liveElements(const Transformer& m, double devices) {
    const auto h = static_cast<double>(m.hidden);
    const double width = static_cast<double>(m.queryWidth() + 2 * m.keyWidth() + m.valueWidth()) / devices;
    const double matrices = m.gated ? 3 : 2;  // gate and up, or in, and what comes of them
    double inner = matrices * static_cast<double>(m.inner) / devices;
    if (m.experts) {
        const Experts& x = *m.experts;
        const auto active = static_cast<double>(x.active);
        inner = std::max(inner, active * h + matrices *
                                                 (active * static_cast<double>(x.hidden) +
                                                  static_cast<double>(x.sharedHidden)) /
                                                 devices);
    }
    return 2 * h + std::max(width, inner);
}

/// The largest whole number up to `most` that fits, 0 where not even 1 does.
template <class Fits>
double largestThat(double most, const Fits& fits) {
    if (most < 1 || !fits(1)) return 0;
    double below = 1, above = 2;
    for (; above <= most && fits(above); above *= 2) below = above;
    above = std::min(above, most + 1);
    while (above - below > 1) {
        const double middle = std::floor((below + above) / 2);
        (fits(middle) ? below : above) = middle;
    }
    return below;
}

bool fits(const Server& server, double available) {
    const auto memory = serverMemory(server);
    return memory.has_value() && memory->total() <= available;
}

}  // namespace

double Server::weightBytes() const {
    // 4-bit weights have a 16-bit scale for each group of 128.
    constexpr double kScaleBits = 16.0 / 128;
    return (weightBits + (weightBits == 4 ? kScaleBits : 0)) / 8;
}

Result<Server> serverOf(const Scenario& s) {
    const Transformer* const model = s.model.transformer();
    if (!(s.model.parameters() > 0))
        return noServer("no model is given", "choose a preset or a config.json (--model)");
    if (model == nullptr)
        return noServer(
            fmt::format("the model has no attention, and no cache of keys and values ({})", s.model.name),
            "choose a preset or a config.json (--model)");
    if (!model->causal)
        return noServer(fmt::format("{} is an encoder: it writes no tokens and keeps no cache", s.model.name),
                        "choose a decoder (--model)");
    if (model->encoder)
        return noServer(
            fmt::format("{} has an encoder beside its decoder, whose keys and values a server would "
                        "keep as well: this is not known to the planner",
                        s.model.name),
            "choose a decoder (--model)");
    Server server{.model = *model, .scenario = s};
    PLUMB_TRY(server.context, numberOf(s, Input::ContextLength));
    PLUMB_TRY(server.requests, numberOf(s, Input::Requests));
    PLUMB_TRY(server.prompt, numberOf(s, Input::Prompt));
    PLUMB_TRY(server.weightBits, bitsOf(s, Input::WeightBits, {16, 8, 4}, "give 16, 8 or 4"));
    PLUMB_TRY(const double cacheBits, bitsOf(s, Input::CacheBits, {16, 8}, "give 16 or 8"));
    server.cacheBytes = cacheBits / 8;
    server.devices = static_cast<double>(s.parallel.tensor);
    server.layers = static_cast<double>(model->layers);
    if (server.prompt > server.context)
        return noServer(fmt::format("a prompt of {:g} tokens is longer than the context of {:g} (--prompt)",
                                    server.prompt, server.context),
                        "give a shorter prompt, or a longer --context-length");
    if (model->learnedPositions && server.context > static_cast<double>(model->positions))
        return noServer(fmt::format("the model has {} positions and no more (--context-length {:g})",
                                    model->positions, server.context),
                        fmt::format("give at most {}", model->positions));
    Scenario& own = server.scenario;
    own.cluster.devices = s.parallel.tensor;
    own.parallel = ParallelLayout{.tensor = s.parallel.tensor, .sequence = false};
    own.workload.batch = own.workload.sequence = 0;
    own.recipe.fusedAttention = true;
    own.recipe.recompute = Recompute::None;
    own.recipe.activationBytes = kPlainBytes;
    const auto& device = own.cluster.device;
    const bool lacksBf16 = device && !device->peak(Dtype::Bf16) && device->peak(Dtype::Fp16);
    own.recipe.compute = s.recipe.compute == Dtype::Fp16 || lacksBf16 ? Dtype::Fp16 : Dtype::Bf16;
    // Weights of 8 bits are multiplied in fp8 where the device can, and else unpacked like those of 4 bits.
    if (server.weightBits == 8 && device && device->peak(Dtype::Fp8E4M3)) own.recipe.compute = Dtype::Fp8E4M3;
    PLUMB_TRY(const ResolvedLayout layout, resolve(own));
    static_cast<void>(layout);  // what does not divide is said
    return server;
}

double cachedNumbers(const Transformer& m, double devices) {
    if (m.latent) return static_cast<double>(m.latent->keyValueRank + m.latent->rotaryWidth);
    const auto heads = static_cast<double>(m.keyValueHeads);
    return 2 * static_cast<double>(m.keyWidth()) / heads * std::ceil(heads / devices);
}

double cachedNumbers(const Transformer& model) { return cachedNumbers(model, 1); }

Result<StageMemory> serverMemory(const Server& server) {
    const Transformer& m = server.model;
    const Stage stage = stagesOf(m, server.scenario.parallel).front();
    StageMemory memory;
    const auto add = [&](Category category, std::string label, std::string formula, double bytes) {
        memory.parts.push_back({category, std::move(label), std::move(formula), bytes});
    };
    const double all = stage.denseParameters + stage.expertParameters;
    const double packed = std::min(quantised(m) / server.devices, all);
    add(Category::Parameters, "weights",
        fmt::format("{:g} B · {:.4g} + {:g} B · {:.4g}", server.weightBytes(), packed, kPlainBytes,
                    all - packed),
        server.weightBytes() * packed + kPlainBytes * (all - packed));
    const double numbers = cachedNumbers(m, server.devices) * tokensLookedBackOn(m, server.context);
    add(Category::Activations, "key-value cache",
        fmt::format("{:g} requests · {:.6g} numbers · {:g} B", server.requests, numbers, server.cacheBytes),
        server.requests * numbers * server.cacheBytes);
    PLUMB_TRY(const double factor, numberOf(server.scenario, Input::ActivationFactor));
    const double tokens = std::max(std::min(server.prompt, kPromptPiece), server.requests);
    const double live = liveElements(m, server.devices);
    add(Category::Activations, "activations of a live layer",
        fmt::format("{:g} tokens · {:g} elements · {:g} B · {:g}", tokens, live, kPlainBytes, factor),
        tokens * live * kPlainBytes * factor);
    PLUMB_TRY(const double logitBytes, numberOf(server.scenario, Input::LogitBytes));
    add(Category::Workspace, "logits",
        fmt::format("{:g} requests · {} words · {:g} B", server.requests, m.vocabulary, logitBytes),
        server.requests * static_cast<double>(m.vocabulary) * logitBytes);
    PLUMB_CHECK(addOverheads(server.scenario, memory));
    return memory;
}

Result<double> largestRequests(const Server& server, double available) {
    constexpr double kMost = 1e9;
    PLUMB_CHECK(serverMemory(server));
    return largestThat(kMost, [&](double requests) {
        Server tried = server;
        tried.requests = requests;
        return fits(tried, available);
    });
}

Result<double> longestContext(const Server& server, double available) {
    PLUMB_CHECK(serverMemory(server));
    return largestThat(static_cast<double>(server.model.positions), [&](double context) {
        Server tried = server;
        tried.context = context;
        tried.prompt = std::min(server.prompt, context);
        return fits(tried, available);
    });
}

Result<Verdict> serverVerdict(const Scenario& scenario) {
    Verdict verdict;
    PLUMB_TRY(const double needed, evaluate(Output::ServerMemory, scenario));
    PLUMB_TRY(verdict.needed, rangeOf(Output::ServerMemory, scenario, needed));
    PLUMB_TRY(verdict.available, numberOf(scenario, Input::Memory));
    return verdict;
}

Result<BesideTraining> besideTraining(const Scenario& scenario) {
    PLUMB_TRY(Server server, serverOf(scenario));
    PLUMB_TRY(const double available, numberOf(scenario, Input::Memory));
    PLUMB_TRY(const double training, evaluate(Output::MemoryPerDevice, scenario));
    BesideTraining beside;
    beside.left = available - training;
    PLUMB_TRY(const StageMemory memory, serverMemory(server));
    beside.weights = memory.parts.front().bytes;
    server.requests = 1;
    PLUMB_TRY(beside.longestContext, longestContext(server, beside.left));
    return beside;
}

std::string besideText(const BesideTraining& beside, const Scenario& scenario) {
    if (beside.left <= 0) return "beside the training: nothing is left of a device for a server";
    const auto bits = numberOf(scenario, Input::WeightBits);
    const std::string server = fmt::format(
        "a server of the same model ({} of {:g}-bit weights{})", formatQuantity(beside.weights, "B"),
        bits.has_value() ? *bits : 16,
        scenario.parallel.tensor > 1 ? fmt::format(" on each of {} devices", scenario.parallel.tensor) : "");
    const std::string left =
        fmt::format("beside the training: {} left on a device, ", formatQuantity(beside.left, "B"));
    if (beside.longestContext < 1) return left + "and " + server + " does not fit";
    return left +
           fmt::format("where {} has room for one request of {:g} tokens", server, beside.longestContext);
}

}  // namespace plumb::planner
