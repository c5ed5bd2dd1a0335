// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/machine/hardware_database.h"
#include "core/planner/inputs.h"
#include "core/planner/measured.h"
#include "core/planner/step_time.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <type_traits>

namespace plumb::planner {

/// Scenarios of every kind of model, in which each field has a value of its own. The lists of fields below
/// name all of them, so that a new one does not compile here until it is drawn too, and then a file that
/// leaves it out is noticed.
class RandomScenarios {
public:
    explicit RandomScenarios(unsigned seed) : m_random(seed) {}

    Scenario draw() {
        Scenario s;
        auto& [model, workload, cluster, recipe, layout, software, adaptation, given, measured] = s;
        drawModel(model);
        auto& [tokens, sequence, batch, budget, days, rate] = workload;
        tokens = once(3) ? 0 : real(1e6, 1e13);
        sequence = once(2) ? 0 : power(3, 12);
        batch = once(2) ? 0 : power(0, 12);
        budget = once(2) ? 0 : real(1e18, 1e24);
        days = once(2) ? 0 : real(0.1, 300);
        rate = once(2) ? 0 : real(1e3, 1e5);
        auto& [device, devices, perNode] = cluster;
        if (!once(8)) device = oneOf(HardwareDatabase::builtIn().machines);
        devices = power(0, 9);
        perNode = power(0, 4);
        drawRecipe(recipe);
        drawLayout(layout);
        software = oneOf(kEnumerators<Software>);
        if (s.model.transformer() != nullptr) drawAdaptation(adaptation, *s.model.transformer());
        for (const InputInfo& about : allInputs()) drawGiven(s, about);
        if (const RunConfig* config = s.model.linear()) {
            const RunConfig kept = *config;
            chooseLinear(s, kept);
        }
        drawMeasured(s, measured);
        return s;
    }

private:
    /// Half of what can be timed was measured in a scenario of its own batch, from half to twice as long as
    /// predicted. By numbers of its own: what was drawn before does not depend on what a step takes.
    void drawMeasured(const Scenario& s, std::shared_ptr<const Measurement>& measured) {
        std::mt19937 own(static_cast<unsigned>(m_drawn++));
        const double by = std::exp2(std::uniform_real_distribution<double>(-1, 1)(own));
        if (own() % 2 == 0) return;
        Scenario in = s;
        in.given[Input::StepFactor].reset();
        if (own() % 2 == 0) in.workload.batch *= 2;
        const auto time = stepTime(in);
        if (!time.has_value()) return;
        auto made = measure(in, {"step", own() % 2 == 0 ? "a.plan.json" : "", by * time->total(), {}});
        if (made.has_value()) measured = *std::move(made);
    }

    bool once(int in) { return whole(1, in) == 1; }
    std::int64_t whole(std::int64_t from, std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>(from, to)(m_random);
    }
    std::int64_t power(int from, int to) { return std::int64_t{1} << whole(from, to); }
    double real(double from, double to) {
        return from * std::pow(to / from, std::uniform_real_distribution<double>(0, 1)(m_random));
    }
    template <class List>
    const typename List::value_type& oneOf(const List& list) {
        return *(list.begin() + whole(0, static_cast<std::int64_t>(list.size()) - 1));
    }

    void drawModel(ModelSpec& spec) {
        switch (whole(0, 3)) {
        case 0:
            spec = modelOfCount(real(1e6, 1e12));
            break;
        case 1: {
            RunConfig config;
            config.dim = power(3, 8);
            config.layers = whole(1, 12);
            config.batch = power(6, 9);
            config.microBatch = once(2) ? 0 : config.batch / 2;
            config.precision = once(2) ? Precision::Bf16 : Precision::Fp32;
            config.optimizer = once(2) ? Optimizer::AdamW : Optimizer::Sgd;
            if (once(2)) config.learningRate = 3e-4;
            if (once(2)) config.recompute = {RecomputePolicy::Kind::Sqrt, 1, 0};
            spec = modelOf(config);
            break;
        }
        case 2:
            spec = oneOf(modelPresets()).model;
            break;
        default: {
            Transformer t = *oneOf(modelPresets()).model.transformer();
            drawTransformer(t);
            spec = ModelSpec{"drawn", "by a test", t};
        }
        }
    }

    void drawTransformer(Transformer& t) {
        auto& [family, layers, hidden, heads, keyValueHeads, headWidth, inner, vocabulary, patch, positions,
               window, windowed, chunked, causal, gated, learned, spare, segments, tied, headBias, headLayer,
               queryBias, outputBias, innerBias, normScale, normBias, headNorms, sinks, parallel, norms,
               embeddingNorm, finalNorm, latent, experts, encoder, prediction] = t;
        family = "drawn";
        layers = power(2, 6);
        hidden = 64 * whole(1, 64);
        heads = power(2, 5);
        keyValueHeads = heads / power(0, 2);
        headWidth = 8 * whole(1, 16);
        inner = 64 * whole(1, 200);
        vocabulary = whole(100, 200000);
        positions = power(12, 17);
        window = once(2) ? 0 : power(8, 12);
        windowed = whole(0, layers);
        if (window == 0) windowed = 0;  // contradictory sizes are refused
        for (bool* flag :
             {&chunked, &causal, &gated, &learned, &tied, &headBias, &headLayer, &queryBias, &outputBias,
              &innerBias, &normScale, &normBias, &sinks, &parallel, &embeddingNorm, &finalNorm})
            *flag = once(2);
        headNorms = oneOf(kEnumerators<HeadNorms>);
        patch = once(6) ? 768 : 0;
        spare = once(3) ? 2 : 0;
        segments = once(3) ? 2 : 0;
        norms = whole(1, 2);
        latent.reset();
        if (once(3))
            latent =
                LatentAttention{whole(0, 512), whole(1, 512), whole(8, 128), whole(8, 64), whole(8, 128)};
        if (latent) {
            auto& [queryRank, keyValueRank, plain, rotary, value] = *latent;
            static_assert(std::is_same_v<decltype(queryRank), decltype(value)>);
            headWidth = plain + rotary;
            keyValueRank += 1;
        }
        experts.reset();
        if (once(3)) {
            auto& [count, active, width, shared, sharedHidden, sharedGate, routerBias, with] =
                experts.emplace();
            count = power(2, 6);
            active = whole(1, count);
            width = 64 * whole(1, 32);
            shared = whole(0, 2);
            sharedHidden = shared * width;
            sharedGate = once(2);
            routerBias = once(2);
            with = whole(1, layers);
        }
        prediction = whole(0, 2);
        encoder.reset();
        if (latent || experts || patch > 0 || !causal) return;
        auto& [stackLayers, stackHeads, width, stackInner, tokens, rows, frame, distances, everywhere,
               keyBias] = encoder.emplace();
        stackLayers = whole(1, 8);
        stackHeads = power(0, 4);
        width = 8 * whole(1, 16);
        stackInner = 64 * whole(1, 64);
        tokens = once(2) ? 1500 : 0;
        rows = whole(0, 2000);
        frame = once(2) ? 80 : 0;
        distances = once(2) ? 32 : 0;
        everywhere = once(2);
        keyBias = once(2);
        if (once(2)) encoder.reset();
    }

    void drawRecipe(Recipe& recipe) {
        auto& [name, compute, weight, gradient, master, state, activation, recompute, interval, share, again,
               fused, kernel, dropout, update, lossChunks, offload] = recipe;
        name = "drawn";
        compute = oneOf(std::initializer_list<Dtype>{Dtype::Bf16, Dtype::Fp16, Dtype::Fp32, Dtype::Fp8E4M3});
        for (double* bytes : {&weight, &gradient, &master, &state, &activation}) *bytes = real(0.5, 8);
        recompute = oneOf(kEnumerators<Recompute>);
        share = once(2) ? 1 : real(0.1, 1);
        interval = whole(1, 4);
        for (bool& part : again) part = once(2);
        fused = once(2);
        kernel = oneOf(kEnumerators<AttentionKernel>);
        dropout = once(2);
        update = real(1, 30);
        lossChunks = once(2) ? 1 : power(1, 5);
        auto& [states, weights, activations] = offload;
        for (bool* flag : {&states, &weights, &activations}) *flag = once(4);
    }

    void drawLayout(ParallelLayout& layout) {
        auto& [tensor, sequence, pipeline, chunks, context, expert, sharding, shardGroup, micro] = layout;
        tensor = power(0, 2);
        sequence = once(2);
        pipeline = power(0, 2);
        chunks = pipeline > 1 ? power(0, 1) : 1;
        context = power(0, 1);
        expert = once(4) ? 2 : 1;
        sharding = static_cast<Sharding>(whole(0, 3));
        shardGroup = once(4) ? power(1, 3) : 0;
        micro = power(0, 2);
    }

    /// A third trains all; the others can be refused, as people's choices can.
    void drawAdaptation(Adaptation& adaptation, const Transformer& model) {
        auto& [method, rank, targets, doubleQuantised, frozen, frozenFrom, frozenLayers] = adaptation;
        method = oneOf(kEnumerators<FineTuning>);
        rank = power(0, 6);
        for (bool& target : targets) target = once(2);
        if (once(2)) targets = Adaptation::all(true);
        doubleQuantised = once(2);
        if (method == FineTuning::Full && !once(3))
            for (bool& part : frozen) part = once(4);
        frozenFrom = once(2) ? 0 : whole(0, model.layers - 1);
        frozenLayers = once(2) ? 0 : whole(1, model.layers - frozenFrom);
    }

    /// Two thirds of what can be given are not.
    void drawGiven(Scenario& s, const InputInfo& about) {
        if (!once(3)) return;
        if (isKeptAsGiven(about.input)) {
            const double value = about.whole ? 8 : 14.5;
            s.given[about.input] = Range{value, value, value};
        }
        if (about.kind == InputKind::Choice) return;
        const bool assumed = about.kind == InputKind::Assumption;
        const double middle = assumed ? about.standard.expected : real(1e9, 1e15);
        const double low = std::clamp(middle * 0.7, about.least, about.most);
        const double high = std::clamp(middle * 1.2, about.least, about.most);
        s.given[about.input] = Range{std::min(low, high), std::clamp(middle * 0.9, low, high), high};
    }

    std::mt19937 m_random;
    int m_drawn = 1;
};

}  // namespace plumb::planner
