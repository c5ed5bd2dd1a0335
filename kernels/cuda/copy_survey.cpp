// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/copy_survey.h"

#include "core/engine/lost_device.h"
#include "kernels/cuda/device.h"
#include "kernels/cuda/event_span.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace plumb::cuda {

namespace {

/// Puts the current card back.
class KeptCard {
public:
    KeptCard() { static_cast<void>(cudaGetDevice(&m_card)); }
    ~KeptCard() { static_cast<void>(cudaSetDevice(m_card)); }
    KeptCard(const KeptCard&) = delete;
    KeptCard& operator=(const KeptCard&) = delete;

private:
    int m_card = 0;
};

/// What `card` may do with the memory of `peer`, as long as this lives.
class PeerAccess {
public:
    PeerAccess(int card, int peer) : m_card(card), m_peer(peer) {}
    ~PeerAccess() {
        if (!m_ours) return;
        static_cast<void>(cudaSetDevice(m_card));
        static_cast<void>(cudaDeviceDisablePeerAccess(m_peer));
    }
    PeerAccess(const PeerAccess&) = delete;
    PeerAccess& operator=(const PeerAccess&) = delete;

    /// Why it is refused; empty: it is not.
    [[nodiscard]] std::string ask() {
        int offered = 0;
        cudaError_t result = cudaDeviceCanAccessPeer(&offered, m_card, m_peer);
        const char* call = "cudaDeviceCanAccessPeer";
        if (result == cudaSuccess && offered == 0)
            return fmt::format("card {} offers none to card {}", m_peer, m_card);
        if (result == cudaSuccess) result = cudaSetDevice(m_card);
        if (result == cudaSuccess) {
            result = cudaDeviceEnablePeerAccess(m_peer, 0);
            call = "cudaDeviceEnablePeerAccess";
            m_ours = result == cudaSuccess;
        }
        if (result == cudaSuccess) return {};
        static_cast<void>(cudaGetLastError());  // not the next launch's
        if (result == cudaErrorPeerAccessAlreadyEnabled) return {};
        return fmt::format("the driver refused it ({}: {})", call, cudaGetErrorString(result));
    }

private:
    int m_card, m_peer;
    bool m_ours = false;
};

/// Bytes per second of the middle one of some copies, after one to warm up. `copy` enqueues one of them.
template <class Copy>
Result<double> middleRate(const CopySurvey& survey, cudaStream_t stream, const Copy& copy) {
    PLUMB_TRY(const Seconds seconds, medianSeconds(stream, survey.copies, copy));
    return static_cast<double>(survey.bytes) / std::max(seconds, 1e-9);
}

/// Memory of a card that holds numbers.
Result<DeviceBlock> filled(Bytes bytes, cudaStream_t stream) {
    PLUMB_TRY(DeviceBlock block, allocateDevice(bytes));
    PLUMB_CUDA(cudaMemsetAsync(block.get(), 0x3c, static_cast<std::size_t>(bytes), stream));
    return block;
}

/// Pinned or pageable memory of the host that was written once, so that all of it is there.
struct HostBlock {
    PinnedBlock pinned;
    std::unique_ptr<std::byte[]> pageable;
    [[nodiscard]] void* data() const { return pinned ? pinned.get() : pageable.get(); }
};
Result<HostBlock> hostBlock(Bytes bytes, bool isPinned) {
    const auto size = static_cast<std::size_t>(bytes);
    HostBlock block;
    if (isPinned) {
        PLUMB_TRY(block.pinned, allocatePinned(bytes, false));
    } else {
        block.pageable.reset(new (std::nothrow) std::byte[size]);
    }
    if (block.data() == nullptr)
        return Error{ErrorCode::OutOfMemory,
                     fmt::format("the host has no {} of pageable memory left", bytesText(bytes)),
                     "end other programs, and calibrate again"};
    std::memset(block.data(), 0x3c, size);
    return block;
}

Result<double> hostRate(int card, CopyPath path, const CopySurvey& survey) {
    const bool down = path == CopyPath::DeviceToHost || path == CopyPath::DeviceToPageable;
    const bool isPinned = path == CopyPath::HostToDevice || path == CopyPath::DeviceToHost;
    PLUMB_CUDA(cudaSetDevice(card));
    PLUMB_TRY(const HostBlock host, hostBlock(survey.bytes, isPinned));
    PLUMB_TRY(const Unique<cudaStream_t> stream, makeStream());
    PLUMB_TRY(const DeviceBlock device, filled(survey.bytes, stream.get()));
    const auto copy = [&]() -> Result<void> {
        PLUMB_CUDA(cudaMemcpyAsync(down ? host.data() : device.get(), down ? device.get() : host.data(),
                                   static_cast<std::size_t>(survey.bytes),
                                   down ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice, stream.get()));
        return {};
    };
    return middleRate(survey, stream.get(), copy);
}

Result<double> cardRate(int from, int to, const CopySurvey& survey) {
    PLUMB_CUDA(cudaSetDevice(to));
    PLUMB_TRY(const DeviceBlock target, allocateDevice(survey.bytes));
    PLUMB_CUDA(cudaSetDevice(from));
    PLUMB_TRY(const Unique<cudaStream_t> stream, makeStream());
    PLUMB_TRY(const DeviceBlock source, filled(survey.bytes, stream.get()));
    const auto copy = [&]() -> Result<void> {
        PLUMB_CUDA(cudaMemcpyPeerAsync(target.get(), to, source.get(), from,
                                       static_cast<std::size_t>(survey.bytes), stream.get()));
        return {};
    };
    return middleRate(survey, stream.get(), copy);
}

/// A rate, or why it is absent. Errors: the loss of the device, with which nothing goes on.
Result<void> keep(const Result<double>& found, CopyRate& rate) {
    if (found.has_value())
        rate.bytesPerSecond = *found;
    else if (isLost(found.error()))
        return found.error();
    else
        rate.absent = found.error().message;
    return {};
}

Result<CopyRate> betweenCards(const GpuIdentity& from, const GpuIdentity& to, const CopySurvey& survey) {
    CopyRate rate;
    rate.path = CopyPath::CardToCard;
    rate.from = from.index;
    rate.to = to.index;
    if (const std::optional<bool> joined = joinedByNvLink(from.uuid, to.uuid))
        rate.link = *joined ? CardLink::NvLink : CardLink::Pcie;
    PeerAccess there(from.index, to.index);
    PeerAccess back(to.index, from.index);
    rate.detour = there.ask();
    if (rate.detour.empty()) rate.detour = back.ask();
    PLUMB_CHECK(keep(cardRate(from.index, to.index, survey), rate));
    return rate;
}

}  // namespace

Result<CopyRates> surveyCopies(int card, const std::vector<GpuIdentity>& cards, const CopySurvey& survey,
                               const std::stop_token& stop) {
    const KeptCard kept;
    CopyRates rates{survey.bytes, survey.copies, {}, {}};
    const auto stopped = [&stop]() -> Result<void> {
        if (!stop.stop_requested()) return {};
        return Error{ErrorCode::RunFailed, "the calibration was stopped",
                     "start it again; nothing was changed"};
    };
    for (const CopyPath path : {CopyPath::HostToDevice, CopyPath::DeviceToHost, CopyPath::PageableToDevice,
                                CopyPath::DeviceToPageable}) {
        PLUMB_CHECK(stopped());
        CopyRate& rate = rates.rates.emplace_back();
        rate.path = path;
        PLUMB_CHECK(keep(hostRate(card, path, survey), rate));
    }
    if (cards.size() < 2) rates.cardsAbsent = "one card is visible, and that takes two";
    for (const GpuIdentity& from : cards) {
        for (const GpuIdentity& to : cards) {
            if (from.index == to.index) continue;
            PLUMB_CHECK(stopped());
            PLUMB_TRY(CopyRate rate, betweenCards(from, to, survey));
            rates.rates.push_back(std::move(rate));
        }
    }
    return rates;
}

}  // namespace plumb::cuda
