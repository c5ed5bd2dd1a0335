// SPDX-License-Identifier: Apache-2.0
#include "core/train/rank_training.h"

#include "core/io/json_fields.h"
#include "core/measure/rank_reading_json.h"
#include "core/model/config_json.h"
#include "core/train/training_session.h"

#include <fmt/format.h>

#include <plumbline_version.h>
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

/// What has to be the same on all ranks.
nlohmann::json taskOf(const RunConfig& config, const TrainOptions& options) {
    nlohmann::json task = toJson(config);
    task["steps"] = options.steps;
    task["version"] = PLUMBLINE_VERSION " " PLUMBLINE_REVISION;
    return task.flatten();
}

/// The first entry in which a rank's task is not that of rank 0; empty where there is none.
std::string differenceOf(const nlohmann::json& first, const nlohmann::json& own) {
    for (const auto& [key, value] : first.items())
        if (const auto found = own.find(key); found == own.end() || *found != value)
            return fmt::format("{:s} is {:s} there and {:s} on rank 0", key.substr(1),
                               found == own.end() ? "absent" : found->dump(), value.dump());
    for (const auto& [key, value] : own.items())
        if (!first.contains(key))
            return fmt::format("{:s} is {:s} there and absent on rank 0", key.substr(1), value.dump());
    return {};
}

class RankTraining {
public:
    RankTraining(World& world, const RunConfig& config) : m_world(world), m_config(config) {}

    /// Every rank makes everything before any goes on. What fails on one is then told by all.
    Result<TrainResult> run(Backend& backend, TrainOptions options, TrainingSink& sink) {
        PLUMB_CHECK(agree(options));
        PLUMB_CHECK(m_world.vote(connect()));
        PLUMB_CHECK(hearWhatIsShared(options));
        options.ranks = &m_groups.link;
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
        if (result->failure) {
            result->measured.ranks.clear();  // nobody knows those of the others
            m_world.giveUp(*result->failure);
        } else if (m_world.rank() == 0)
            sink.onReading(result->measured);  // with those of all ranks
        return result;
    }

private:
    /// Threads were told the same; of processes each has read a command line of its own.
    Result<void> agree(const TrainOptions& options) {
        if (m_world.size() != m_config.parallel.ranks())
            return m_world.vote(Error{ErrorCode::BadInput,
                                      fmt::format("it is one of {} ranks, and the step is that of {}",
                                                  m_world.size(), m_config.parallel.ranks()),
                                      "start as many of them"});
        const nlohmann::json task = taskOf(m_config, options);
        PLUMB_TRY(const std::string first, m_world.broadcast(dumpJson(task), 0));
        PLUMB_TRY(const nlohmann::json asked, parseJson(first, "the task of rank 0"));
        std::string difference = differenceOf(asked, task);
        if (difference.empty()) return m_world.vote({});
        return m_world.vote(Error{ErrorCode::BadInput,
                                  fmt::format("it was given another training ({:s})", difference),
                                  "start all ranks with one command"});
    }
    Result<void> connect() {
        PLUMB_TRY(m_groups, connectRanks(m_world, m_config.parallel));
        return {};
    }

    /// What rank 0 was asked for besides: the others take part where they share what that needs.
    Result<void> hearWhatIsShared(TrainOptions& options) {
        const Parallel& parallel = m_config.parallel;
        const std::string asked = fmt::format("{:d}{:d}{:d}", !options.checkpoints.folder.empty(),
                                              options.statistics, options.keepWeights);
        PLUMB_TRY(const std::string first, m_world.broadcast(asked, 0));
        const auto isAsked = [&](std::size_t what) { return first.size() > what && first[what] == '1'; };
        const bool hasParts = parallel.shares(Zero::Weights) || parallel.tensor > 1;
        RankLink& link = m_groups.link;
        link.savesState = (parallel.shares(Zero::States) || hasParts) && isAsked(0);
        link.measuresHeldOut = hasParts && isAsked(1);
        if (m_world.rank() != 0) options.keepWeights = hasParts && isAsked(2);
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
    RankGroups m_groups;
};

}  // namespace

Result<TrainResult> trainAsRank(World& world, const RunConfig& config, Backend& backend,
                                const TrainOptions& options, TrainingSink& sink) {
    RankTraining training(world, config);
    if (world.rank() == 0) return training.run(backend, options, sink);
    QuietSink quiet;
    return training.run(backend, optionsOfOthers(options), quiet);
}

}  // namespace plumb
