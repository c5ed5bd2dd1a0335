// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/base/enum_names.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plumb {

/// What ranks do together, in the words of MPI and NCCL.
enum class CommKind : std::uint8_t { AllReduce, ReduceScatter, AllGather, Send, Receive };
inline constexpr auto kCommKindNames = enumNames<CommKind>({{CommKind::AllReduce, "all_reduce"},
                                                            {CommKind::ReduceScatter, "reduce_scatter"},
                                                            {CommKind::AllGather, "all_gather"},
                                                            {CommKind::Send, "send"},
                                                            {CommKind::Receive, "receive"}});

/// How what the ranks have becomes one. Never an average: an optimizer step's gradients carry the size of the
/// whole batch (docs/accounting.md), so their sum is the gradient.
enum class Reduction : std::uint8_t { Sum, Max };

/// One collective or message, in place, of one or several buffers: every rank has the whole of each. A rank's
/// own slice of a buffer is sliceOf().
///
/// | kind | before | after |
/// | --- | --- | --- |
/// | AllReduce | all elements of each rank | the reduced elements, on every rank |
/// | ReduceScatter | all elements of each rank | the own slice reduced; the rest as it was |
/// | AllGather | the own slice | all elements |
/// | Send, Receive | the elements of the sender | the same, of the receiver |
struct CommCall {
    CommKind kind = CommKind::AllReduce;
    Dtype dtype =
        Dtype::Fp32;  ///< of the elements as they travel; sums of what is narrower are fp32, rounded once
    Reduction reduction = Reduction::Sum;
    struct Piece {
        std::byte* buffer = nullptr;
        std::int64_t elements = 0;
        /// ReduceScatter, AllGather: where the own slice is to go or lies, if it has a place of its own.
        std::byte* slice = nullptr;
    };
    std::vector<Piece> pieces;
    /// Where slices of others wait to be added: scratchBytes() of them, of the caller, whose memory is
    /// counted.
    std::span<std::byte> scratch;
    int peer = -1;  ///< of Send and Receive
    /// ReduceScatter into a place of its own: adds to what is there, in fp32 and rounded once, what is there
    /// first and then the ranks in their order.
    bool accumulates = false;
};

/// Elements [begin, end) of a buffer: equal parts but for the last, which may be shorter or empty.
struct Slice {
    std::int64_t begin = 0, end = 0;
    [[nodiscard]] std::int64_t elements() const { return end - begin; }
    bool operator==(const Slice&) const = default;
};
[[nodiscard]] Slice sliceOf(std::int64_t elements, int rank, int size);

/// Bytes of CommCall::scratch on `rank` of `size`: a slice of each piece of each other rank where something
/// is reduced, else none.
[[nodiscard]] std::int64_t scratchBytes(const CommCall& call, int rank, int size);

/// Bytes per second that the slowest link carries during a collective of so many bytes, as nccl-tests tells
/// it (busbw): what no algorithm can send less of, (n - 1) / n of the bytes and twice that of an all-reduce,
/// over the time. Of any number of ranks it is to be compared with the rate of the link.
[[nodiscard]] inline double busBandwidth(CommKind kind, double bytes, double seconds, std::int64_t ranks) {
    const double passes = kind == CommKind::AllReduce ? 2 : 1;
    return passes * static_cast<double>(ranks - 1) / static_cast<double>(ranks) * bytes / seconds;
}

/// What a rank posts and what it is sent in a call, in bytes.
struct CommBytes {
    std::int64_t sent = 0, received = 0;
    bool operator==(const CommBytes&) const = default;
    CommBytes& operator+=(const CommBytes& other) {
        sent += other.sent;
        received += other.received;
        return *this;
    }
};
/// Those of the exchange (core/comm/exchange.h): for each of its two halves the least that any algorithm can
/// do.
[[nodiscard]] CommBytes bytesOf(const CommCall& call, int rank, int size);

}  // namespace plumb
