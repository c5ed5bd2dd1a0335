// SPDX-License-Identifier: Apache-2.0
#include "core/comm/comm_call.h"

#include <algorithm>

namespace plumb {
namespace {

/// Of the slices of all pieces.
std::int64_t ownElements(const CommCall& call, int rank, int size) {
    std::int64_t own = 0;
    for (const CommCall::Piece& piece : call.pieces) own += sliceOf(piece.elements, rank, size).elements();
    return own;
}

}  // namespace

Slice sliceOf(std::int64_t elements, int rank, int size) {
    const std::int64_t part = (elements + size - 1) / size;
    return {std::min(elements, rank * part), std::min(elements, (rank + 1) * part)};
}

std::int64_t scratchBytes(const CommCall& call, int rank, int size) {
    if (call.kind != CommKind::AllReduce && call.kind != CommKind::ReduceScatter) return 0;
    return (size - 1) * ownElements(call, rank, size) * dtypeSize(call.dtype);
}

CommBytes bytesOf(const CommCall& call, int rank, int size) {
    const std::int64_t element = dtypeSize(call.dtype);
    std::int64_t whole = 0;
    for (const CommCall::Piece& piece : call.pieces) whole += piece.elements * element;
    const std::int64_t own = ownElements(call, rank, size) * element;
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
