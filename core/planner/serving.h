// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/answer.h"
#include "core/planner/memory.h"
#include "core/planner/step_time.h"
#include "core/planner/verdict.h"

#include <string>
#include <vector>

namespace plumb::planner {

/// A model that answers requests: as many devices as share each layer (ParallelLayout::tensor) hold one copy
/// of it, and a cache of keys and values for each request. How a training is spread otherwise is no matter.
struct Server {
    Transformer model;
    Scenario scenario;  ///< the same question with the server's devices alone and its number format
    double devices = 1;
    double context = 0;   ///< tokens of a request in the cache
    double requests = 1;  ///< at once
    double prompt = 0;    ///< tokens
    double weightBits = 16;
    double cacheBytes = 2;  ///< of one number
    double layers = 0;
    /// Bytes of a weight of the layers' products, with the scales of 4-bit groups; all others have 16 bits.
    [[nodiscard]] double weightBytes() const;
};
/// Errors: BadInput for a model without layers or without a cache (an encoder), a context beyond the table of
/// positions, a prompt longer than the context, bits that are none of those that exist, and heads that the
/// devices do not divide.
[[nodiscard]] Result<Server> serverOf(const Scenario& scenario);

/// Numbers that one token leaves in the cache of one layer: keys and values of all key heads, or what latent
/// attention keeps of them.
[[nodiscard]] double cachedNumbers(const Transformer& model);
/// The same on one of `devices`: key heads are spread, and what cannot be is there on each.
[[nodiscard]] double cachedNumbers(const Transformer& model, double devices);

/// What one device of the server holds.
[[nodiscard]] Result<StageMemory> serverMemory(const Server& server);
/// Most requests at the context length that fit, 0 where none does; and the longest context of as many
/// requests, at most the positions of the model. `available`: bytes of a device.
[[nodiscard]] Result<double> largestRequests(const Server& server, double available);
[[nodiscard]] Result<double> longestContext(const Server& server, double available);
/// Whether a device holds its part of the server. Errors: those of serverOf(); BadInput for unknown memory.
[[nodiscard]] Result<Verdict> serverVerdict(const Scenario& scenario);

/// A server on the devices of a training, in the memory that this leaves.
struct BesideTraining {
    double left = 0;            ///< bytes of the fullest device
    double weights = 0;         ///< bytes that the server's weights take of a device
    double longestContext = 0;  ///< of one request; 0: not even the weights and one token fit
};
/// Errors: those of serverOf() and of Output::MemoryPerDevice.
[[nodiscard]] Result<BesideTraining> besideTraining(const Scenario& scenario);
/// "beside the training: 41.2 GB left on a device, and a server of bf16 weights (16.1 GB) has room for ...".
[[nodiscard]] std::string besideText(const BesideTraining& beside, const Scenario& scenario);

/// Seconds of one forward pass of a device, by what takes them. Every operation takes as long as its FLOPs or
/// its bytes, whichever is longer, and its launch.
struct ForwardTime {
    std::vector<TimedOp> ops;
    double computeProducts = 0;  ///< seconds that FLOPs of products take
    double memoryProducts = 0;   ///< seconds that bytes of products take
    double traffic = 0;          ///< all-reduces of the devices
    [[nodiscard]] double total() const;
};
/// One request's prompt, by a server that does nothing else.
[[nodiscard]] Result<ForwardTime> promptTime(const Server& server);
/// The next token of every request.
[[nodiscard]] Result<ForwardTime> outputTime(const Server& server);

[[nodiscard]] bool isOfServer(Output output);
/// Times and rates of a server, whose ranges are those of the step model.
[[nodiscard]] bool isServerTime(Output output);
/// An answer of a server; `out` null: the value alone. Pre: isOfServer(output).
[[nodiscard]] Result<double> serverAnswer(Output output, const Scenario& scenario, Explanation* out);
/// What an answer of a server takes for granted.
[[nodiscard]] std::string serverConvention(const Scenario& scenario);

}  // namespace plumb::planner
