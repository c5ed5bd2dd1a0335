// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/reduced_message.h"

#include <utility>

namespace plumb {

Result<std::unique_ptr<ReducedMessage>> ReducedMessage::create(World& world, Dtype dtype, Bytes bytes,
                                                               CommKind kind) {
    PLUMB_TRY(auto communicator, ExchangeCommunicator::ofAll(world));
    std::unique_ptr<ReducedMessage> made(new ReducedMessage(std::move(communicator)));
    made->m_numbers.resize(static_cast<std::size_t>((bytes + 3) / 4));
    CommCall& call = made->m_call;
    call.kind = kind;
    call.dtype = dtype;
    call.pieces = {{reinterpret_cast<std::byte*>(made->m_numbers.data()), bytes / dtypeSize(dtype)}};
    made->m_scratch.resize(static_cast<std::size_t>(scratchBytes(call, world.rank(), world.size())));
    call.scratch = made->m_scratch;
    return made;
}

Result<Seconds> ReducedMessage::reduce() {
    PLUMB_TRY(const Communicator::Cost cost, m_communicator->join(m_communicator->start(m_call)));
    return cost.seconds;
}

}  // namespace plumb
