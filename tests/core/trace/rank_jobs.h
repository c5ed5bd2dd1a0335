// SPDX-License-Identifier: Apache-2.0
// Traces of the ranks of one job, made in tests, with what is planted in them.
#pragma once

#include "core/trace/rank_comparison.h"
#include "tests/core/trace/trace_files.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plumb::trace::test {

/// A job in microseconds: in each step every rank computes and then takes part in a collective, some times
/// over. A collective ends on all ranks `transfer` after the last one has come.
struct RankJob {
    int ranks = 4;
    int steps = 2;
    int collectives = 3;  ///< of each step
    double transfer = 50;
    bool isNumbered = true;  ///< whether kernels say which collective they are
    std::vector<double> offsets = std::vector<double>(64, 0.0);  ///< of each rank's clock

    /// Time of computing before a collective; a test writes what it wants.
    std::vector<std::vector<double>> compute;  ///< [rank][step * collectives + collective]
    double& computeOf(int rank, int place) {
        return compute[static_cast<std::size_t>(rank)][static_cast<std::size_t>(place)];
    }
    void fill(double time) {
        compute.assign(static_cast<std::size_t>(ranks),
                       std::vector<double>(static_cast<std::size_t>(steps * collectives), time));
    }

    /// What is true of a collective, in microseconds of the true clock.
    struct Truth {
        std::vector<double> arrivals;  ///< by rank
        double end = 0;
    };
    std::vector<Truth> truths;
};

inline std::string collectiveArgs(int sequence, const std::string& more = "") {
    return R"("Collective name": "allreduce", "In msg nelems": 1024, "Out msg nelems": 1024, "dtype": "BFloat16", )"
           R"("Process Group Name": "0", "Process Group Description": "default_pg", "Seq": )" +
           std::to_string(sequence) + more;
}

/// Plays the job and writes the events of each rank.
inline std::vector<std::vector<std::string>> eventsOf(RankJob& job) {
    std::vector<std::vector<std::string>> events(static_cast<std::size_t>(job.ranks));
    std::vector<double> now(events.size(), 1000);
    job.truths.clear();
    int place = 0;
    const auto at = [&](std::size_t rank, double time) { return time + job.offsets[rank]; };
    std::string members = R"(, "Process Group Ranks": "[)";
    for (int rank = 0; rank < job.ranks; ++rank) members += (rank == 0 ? "" : ", ") + std::to_string(rank);
    members += R"(]")";
    for (int step = 0; step < job.steps; ++step) {
        const std::vector<double> begin = now;
        for (int c = 0; c < job.collectives; ++c, ++place) {
            RankJob::Truth truth;
            for (std::size_t rank = 0; rank < events.size(); ++rank) {
                // All launches are made at the beginning of the step, so that nobody is late by its host.
                const int correlation = 10 + 2 * place;
                const double time = job.compute[rank][static_cast<std::size_t>(place)];
                const double launched = begin[rank] + 1 + c;
                events[rank].push_back(launch(at(rank, launched), 0.2, correlation));
                events[rank].push_back(launch(at(rank, launched + 0.4), 0.2, correlation + 1));
                const double first = now[rank] + (c == 0 ? 10 : 0);
                events[rank].push_back(kernel("sgemm", at(rank, first), time, 7, correlation));
                truth.arrivals.push_back(first + time);
            }
            truth.end = *std::ranges::max_element(truth.arrivals) + job.transfer;
            for (std::size_t rank = 0; rank < events.size(); ++rank) {
                std::string args =
                    R"("device": 0, "stream": 20, "correlation": )" + std::to_string(11 + 2 * place);
                if (job.isNumbered) args += ", " + collectiveArgs(100 + place, members);
                events[rank].push_back(
                    slice("kernel", "ncclDevKernel_AllReduce_Sum_bf16", R"("pid": 0, "tid": 20)",
                          times(at(rank, truth.arrivals[rank]), truth.end - truth.arrivals[rank]), args));
                now[rank] = truth.end;
            }
            job.truths.push_back(std::move(truth));
        }
        for (std::size_t rank = 0; rank < events.size(); ++rank) {
            now[rank] += 5;
            events[rank].push_back(onHost("user_annotation", "ProfilerStep#" + std::to_string(step),
                                          at(rank, begin[rank]), now[rank] - begin[rank]));
        }
    }
    return events;
}

inline std::string rankDocument(const std::vector<std::string>& events, int rank, int worldSize) {
    std::string text = document(events);
    const std::string info =
        "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + std::to_string(rank) +
        ", \"world_size\": " + std::to_string(worldSize) + "},\n";
    return text.insert(text.find('\n') + 1, info);
}

inline RankRecord recordOf(const std::string& text, std::string file) {
    const Trace trace = readText(text).value();
    return rankRecordOf(trace, linkTrace(trace), std::move(file));
}

inline std::vector<RankRecord> recordsOf(const std::vector<std::vector<std::string>>& events,
                                         int worldSize = -1) {
    std::vector<RankRecord> records;
    for (std::size_t rank = 0; rank < events.size(); ++rank)
        records.push_back(recordOf(rankDocument(events[rank], static_cast<int>(rank),
                                                worldSize < 0 ? static_cast<int>(events.size()) : worldSize),
                                   "rank" + std::to_string(rank) + ".json"));
    return records;
}

}  // namespace plumb::trace::test
