// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/comm/exchange_communicator.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace plumb {

/// Numbers that the ranks of a world add up or gather again and again, as a training does with its gradients
/// and weights.
class ReducedMessage {
public:
    /// So many bytes of zeros. Every rank makes one; the world outlives it. Errors: those of
    /// ExchangeCommunicator::ofAll().
    [[nodiscard]] static Result<std::unique_ptr<ReducedMessage>>
    create(World& world, Dtype dtype, Bytes bytes, CommKind kind = CommKind::AllReduce);
    /// Runs the collective once, and returns what that took (Communicator::Cost). Errors: those of
    /// Communicator::join().
    [[nodiscard]] Result<Seconds> reduce();
    /// The first number of fp32.
    [[nodiscard]] float& first() { return m_numbers.front(); }

private:
    explicit ReducedMessage(std::unique_ptr<Communicator> communicator)
        : m_communicator(std::move(communicator)) {}

    std::unique_ptr<Communicator> m_communicator;
    CommCall m_call;
    std::vector<float> m_numbers;
    std::vector<std::byte> m_scratch;
};

}  // namespace plumb
