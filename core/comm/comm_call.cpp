// SPDX-License-Identifier: Apache-2.0
#include "core/comm/comm_call.h"

#include <algorithm>

namespace plumb {

Slice sliceOf(std::int64_t elements, int rank, int size) {
    const std::int64_t part = (elements + size - 1) / size;
    return {std::min(elements, rank * part), std::min(elements, (rank + 1) * part)};
}

std::int64_t scratchBytes(const CommCall& call, int rank, int size) {
    if (call.kind != CommKind::AllReduce && call.kind != CommKind::ReduceScatter) return 0;
    return (size - 1) * sliceOf(call.elements, rank, size).elements() * dtypeSize(call.dtype);
}

CommBytes bytesOf(const CommCall& call, int rank, int size) {
    const std::int64_t element = dtypeSize(call.dtype);
    const std::int64_t whole = call.elements * element;
    const std::int64_t own = sliceOf(call.elements, rank, size).elements() * element;
    const std::int64_t ofOthers = whole - own, ownToOthers = (size - 1) * own;
    switch (call.kind) {
    case CommKind::AllReduce:
        return {ofOthers + ownToOthers, ownToOthers + ofOthers};
    case CommKind::ReduceScatter:
        return {ofOthers, ownToOthers};
    case CommKind::AllGather:
        return {ownToOthers, ofOthers};
    case CommKind::Send:
        return {whole, 0};
    case CommKind::Receive:
        return {0, whole};
    }
    return {};
}

}  // namespace plumb
