// SPDX-License-Identifier: Apache-2.0
#include "core/train/thread_training.h"

#include "core/comm/exchange_communicator.h"
#include "core/comm/thread_ranks.h"
#include "core/io/json_fields.h"
#include "core/measure/rank_reading_json.h"
#include "core/train/training_session.h"

#include <fmt/format.h>

#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace plumb {
namespace {

class QuietSink final : public TrainingSink {
public:
    void onStep(const StepMetrics& /*point*/) override {}
    void onReading(const Reading& /*measured*/) override {}
};

/// What a rank but the first does of what was asked for.
TrainOptions optionsOfOthers(const TrainOptions& options) {
    TrainOptions own;
    own.steps = options.steps;
    own.readingInterval = 1e9;  // of the end
    own.warmUpSteps = options.warmUpSteps;
    own.probeInterval = 0;
    own.statistics = false;
    own.checksFit = options.checksFit;
    own.timeline = options.timeline;
    own.resumeFrom = options.resumeFrom;
    return own;
}

/// One rank's part, from its first word to its last.
class RankTraining {
public:
    RankTraining(World& world, const RunConfig& config) : m_world(world), m_config(config) {}

    /// Every rank makes everything before any goes on. What fails on one is then told by all.
    Result<TrainResult> run(Backend& backend, TrainOptions options, TrainingSink& sink) {
        PLUMB_CHECK(m_world.vote(connect()));
        options.ranks = &m_link;
        TrainingParts parts;
        const auto open = [&]() -> Result<void> {
            PLUMB_TRY(parts, openTraining(m_config, backend, options));
            return {};
        };
        PLUMB_CHECK(m_world.vote(open()));
        Result<TrainResult> result =
            TrainingSession(std::move(parts), m_config, backend, options, sink).run();
        if (!result.has_value()) {
            m_world.giveUp(result.error());
            return result;
        }
        if (!result->failure) gatherReadings(*result);
        if (result->failure)
            m_world.giveUp(*result->failure);
        else if (m_world.rank() == 0)
            sink.onReading(result->measured);  // with those of all ranks
        return result;
    }
    /// Before run(): this rank cannot take part.
    void refuse(const Error& why) { static_cast<void>(m_world.vote(why)); }

private:
    Result<void> connect() {
        PLUMB_TRY(m_data, ExchangeCommunicator::ofAll(m_world));
        m_link = {.world = &m_world, .data = m_data.get(), .place = {.data = m_world.rank()}};
        return {};
    }

    /// What every rank measured of itself goes to all.
    void gatherReadings(TrainResult& result) {
        const std::vector<RankReading> own = std::exchange(result.measured.ranks, {});
        const auto texts = m_world.gather(own.empty() ? std::string() : dumpJson(toJson(own.front())));
        if (!texts.has_value()) result.failure = texts.error();
        if (!texts.has_value() || static_cast<std::int64_t>(texts->size()) > kMostToldRanks) return;
        for (const std::string& text : *texts) {
            if (text.empty()) return;  // nothing was measured
            const auto document = parseJson(text, "the reading of a rank");
            const auto reading = document.has_value() ? fromJson<RankReading>(*document)
                                                      : Result<RankReading>(document.error());
            if (!reading.has_value()) {
                result.failure = reading.error();
                return;
            }
            result.measured.ranks.push_back(*reading);
        }
    }

    World& m_world;
    const RunConfig& m_config;
    std::unique_ptr<Communicator> m_data;
    RankLink m_link;
};

void runOther(World& world, const RunConfig& config, const TrainOptions& options) {
    RankTraining training(world, config);
    const auto backend = options.rankBackend();
    if (!backend.has_value()) return training.refuse(backend.error());
    QuietSink sink;
    static_cast<void>(training.run(**backend, optionsOfOthers(options), sink));
}

}  // namespace

Result<TrainResult> trainOnThreads(const RunConfig& config, Backend& backend, const TrainOptions& options,
                                   TrainingSink& sink) {
    PLUMB_CHECK(validate(config));
    std::vector<std::unique_ptr<World>> worlds = threadRanks(static_cast<int>(config.parallel.ranks()));
    std::vector<std::jthread> others;
    others.reserve(worlds.size() - 1);
    for (std::size_t rank = 1; rank < worlds.size(); ++rank) {
        try {
            others.emplace_back([&config, &options, world = std::move(worlds[rank])]() mutable {
                runOther(*world, config, options);
                world.reset();  // who still waits for this rank is told
            });
        } catch (const std::system_error& error) {
            worlds.clear();
            return Error{ErrorCode::Unavailable,
                         fmt::format("no thread can be started for rank {} ({})", rank, error.what()),
                         "use fewer ranks"};
        }
    }
    const std::unique_ptr<World> own = std::move(worlds.front());
    return RankTraining(*own, config).run(backend, options, sink);
}

}  // namespace plumb
