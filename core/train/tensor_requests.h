// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/executor.h"
#include "core/train/trainer.h"

#include <deque>

namespace plumb {

/// Answers those who want to look at a tensor of the training. Lives on the training thread.
class TensorRequests {
public:
    /// All of them outlive it.
    TensorRequests(Executor& executor, const TrainOptions& options, TrainingSink& sink)
        : m_executor(executor), m_options(options), m_sink(sink) {}
    TensorRequests(const TensorRequests&) = delete;
    TensorRequests& operator=(const TensorRequests&) = delete;
    ~TensorRequests();  ///< answers what is left: the training is over

    /// Asks for new requests, between steps, and answers at once what a weight can answer.
    void take();
    /// True when the step that begins is watched for the oldest one.
    [[nodiscard]] bool beginStep();
    void endStep();

private:
    [[nodiscard]] Result<TensorInspection> ofAllWeights(const TensorRequest& request) const;
    void answer(const TensorRequest& request, const Result<TensorCopy>& tensor);

    Executor& m_executor;
    const TrainOptions& m_options;
    TrainingSink& m_sink;
    std::deque<TensorRequest> m_waiting;
};

}  // namespace plumb
