// SPDX-License-Identifier: Apache-2.0
#include "core/planner/trained.h"

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

/// Puts the adapters of a model's layers together.
class AdapterList {
public:
    AdapterList(const Transformer& model, const Adaptation& adaptation)
        : m_model(model), m_adaptation(adaptation) {}

    std::vector<Adapter> take() && {
        if (!m_adaptation.hasAdapters()) return {};
        addAttention();
        addBlock(ModelPart::FeedForward, {"feed-forward gate", "feed-forward up", "feed-forward down"},
                 m_model.inner, LayerKind::Plain);
        if (m_model.experts) {
            const Experts& x = *m_model.experts;
            addBlock(ModelPart::Experts, {"experts gate", "experts up", "experts down"}, x.hidden,
                     LayerKind::WithExperts, static_cast<double>(x.count), static_cast<double>(x.active));
            addBlock(ModelPart::FeedForward,
                     {"shared experts gate", "shared experts up", "shared experts down"}, x.sharedHidden,
                     LayerKind::WithExperts);
        }
        return std::move(m_all);
    }

private:
    struct BlockLabels {
        const char* gate;
        const char* up;
        const char* down;
    };

    void add(AdapterTarget target, ModelPart part, const char* label, std::int64_t in, std::int64_t out,
             LayerKind kind = LayerKind::Any, double copies = 1, double active = 1) {
        const auto sparse = static_cast<double>(m_model.expertLayers());
        const double plain = static_cast<double>(m_model.layers) - sparse;
        const double layers = kind == LayerKind::Any     ? plain + sparse
                              : kind == LayerKind::Plain ? plain
                                                         : sparse;
        if (!m_adaptation.targets[target] || in < 1 || out < 1 || layers <= 0) return;
        Adapter adapter;
        adapter.target = target;
        adapter.label = label;
        adapter.part = part;
        adapter.in = static_cast<double>(in);
        adapter.out = static_cast<double>(out);
        adapter.kind = kind;
        adapter.layers = layers;
        adapter.copies = copies;
        adapter.active = active;
        adapter.splitsInput = target == AdapterTarget::Output || target == AdapterTarget::Down;
        m_all.push_back(adapter);
    }

    void addAttention() {
        using enum AdapterTarget;
        const Transformer& m = m_model;
        const auto part = ModelPart::Attention;
        const auto narrow = [&](AdapterTarget target, const char* label, std::int64_t out) {
            const std::size_t before = m_all.size();
            add(target, part, label, m.hidden, out);
            if (m_all.size() > before) m_all.back().mostParts = 1;
        };
        if (m.latent) {
            const LatentAttention& l = *m.latent;
            if (l.queryRank > 0) narrow(Query, "narrow queries", l.queryRank);
            add(Query, part, "queries", l.queryRank > 0 ? l.queryRank : m.hidden, m.queryWidth());
            narrow(Key, "narrow keys and values", l.keyValueRank + l.rotaryWidth);
            add(Key, part, "keys and values", l.keyValueRank, m.heads * (l.plainWidth + l.valueWidth));
        } else {
            add(Query, part, "queries", m.hidden, m.queryWidth());
            for (const auto& [target, label] : {std::pair{Key, "keys"}, std::pair{Value, "values"}}) {
                add(target, part, label, m.hidden, m.keyWidth());
                if (!m_all.empty() && m_all.back().target == target)
                    m_all.back().mostParts = static_cast<double>(m.keyValueHeads);
            }
        }
        add(Output, part, "attention output", m.valueWidth(), m.hidden);
    }

    void addBlock(ModelPart part, const BlockLabels& labels, std::int64_t inner, LayerKind kind,
                  double copies = 1, double active = 1) {
        using enum AdapterTarget;
        if (m_model.gated) add(Gate, part, labels.gate, m_model.hidden, inner, kind, copies, active);
        add(Up, part, labels.up, m_model.hidden, inner, kind, copies, active);
        add(Down, part, labels.down, inner, m_model.hidden, kind, copies, active);
    }

    const Transformer& m_model;
    const Adaptation& m_adaptation;
    std::vector<Adapter> m_all;
};

bool trainsEmbeddings(const Transformer& m, const Adaptation& a) {
    return trains(a, ModelPart::Embeddings) || (m.embeddingNorm && trains(a, ModelPart::Norms));
}

bool trainsInLayers(const Transformer& m, const Adaptation& a) {
    if (a.hasAdapters() || trains(a, ModelPart::Attention) || trains(a, ModelPart::FeedForward)) return true;
    if (m.experts && (trains(a, ModelPart::Experts) || trains(a, ModelPart::Router))) return true;
    return trains(a, ModelPart::Norms) && m.normsPerLayer * m.normSize() > 0;
}

double overlap(double begin, double end, double from, double to) {
    return std::max(0.0, std::min(end, to) - std::max(begin, from));
}

}  // namespace

double Adapter::inOf(double tensor) const { return splitsInput ? in / std::min(tensor, mostParts) : in; }
double Adapter::outOf(double tensor) const { return splitsInput ? out : out / std::min(tensor, mostParts); }
double Adapter::entries(double rank, double tensor) const {
    return copies * rank * (inOf(tensor) + outOf(tensor));
}

std::vector<Adapter> adaptersOf(const Transformer& model, const Adaptation& adaptation) {
    return AdapterList(model, adaptation).take();
}

bool trains(const Adaptation& adaptation, ModelPart part) {
    return !adaptation.hasAdapters() && !adaptation.frozen[part];
}

TrainedLayers trainedLayers(const Transformer& m, const Adaptation& a, double begin, double end) {
    const double length = end - begin;
    const auto from = static_cast<double>(a.frozenFrom), to = from + static_cast<double>(a.frozenLayers);
    TrainedLayers shares;
    shares.trainable = 1 - overlap(begin, end, from, to) / length;
    if (trainsEmbeddings(m, a)) return shares;
    const double first = !trainsInLayers(m, a) ? static_cast<double>(m.layers) : from == 0 ? to : 0;
    shares.backward = overlap(begin, end, first, end) / length;
    return shares;
}

TrainedLayers trainedLayers(const Transformer& model, const Adaptation& adaptation) {
    return trainedLayers(model, adaptation, 0, static_cast<double>(model.layers));
}

bool trainsBeforeHead(const Transformer& m, const Adaptation& a) {
    return (m.finalNorm && trains(a, ModelPart::Norms)) || trainedLayers(m, a).backward > 0;
}

TrainedCounts countTrained(const Transformer& m, const Adaptation& a) {
    const ParameterCounts all = countParameters(m);
    const double share = trainedLayers(m, a).trainable;
    const auto inLayers = [&](std::int64_t count, ModelPart part) {
        return trains(a, part) ? std::llround(share * static_cast<double>(count)) : 0;
    };
    TrainedCounts counts;
    ParameterCounts& own = counts.own;
    if (trains(a, ModelPart::Embeddings)) {
        own.embedding = all.embedding;
        own.positions = all.positions;
    }
    own.attention = inLayers(all.attention, ModelPart::Attention);
    own.feedForward = inLayers(all.feedForward, ModelPart::FeedForward);
    own.shared = inLayers(all.shared, ModelPart::FeedForward);
    own.experts = inLayers(all.experts, ModelPart::Experts);
    own.router = inLayers(all.router, ModelPart::Router);
    const std::int64_t layerNorms = m.layers * m.normsPerLayer * m.normSize();
    own.norms = inLayers(layerNorms, ModelPart::Norms);
    if (trains(a, ModelPart::Norms)) own.norms += all.norms - layerNorms;
    if (trains(a, ModelPart::Head)) own.head = all.head;
    own.total = own.embedding + own.positions + own.attention + own.feedForward + own.experts + own.shared +
                own.router + own.norms + own.head;
    own.active = own.total;
    if (m.experts)
        own.active -=
            std::llround(static_cast<double>(own.experts) * (1 - static_cast<double>(m.experts->active) /
                                                                     static_cast<double>(m.experts->count)));
    const MatrixCounts matrices = countMatrices(m);
    own.multiplied = inLayers(matrices.attention, ModelPart::Attention) +
                     inLayers(matrices.feedForward + matrices.shared, ModelPart::FeedForward) +
                     inLayers(matrices.activeExperts, ModelPart::Experts) +
                     inLayers(matrices.router, ModelPart::Router);
    const auto rank = static_cast<double>(a.rank);
    double entries = 0;
    for (const Adapter& adapter : adaptersOf(m, a)) {
        entries += share * adapter.layers * adapter.entries(rank);
        counts.multipliedAdapters +=
            share * adapter.layers * adapter.entries(rank) * adapter.active / adapter.copies;
    }
    counts.adapters = std::llround(entries);
    return counts;
}

}  // namespace plumb::planner
