// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cupti/subscription.h"

#include <array>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace plumb::cupti {

/// One kernel as it was launched.
struct Launch {
    std::int32_t op = -1;    ///< index in the plan; -1: between two ops
    std::uint64_t name = 0;  ///< hash of the kernel's name
    std::array<unsigned, 3> grid{};
    std::array<unsigned, 3> block{};
    bool operator==(const Launch&) const = default;
};

/// What one thread launches, in order: passes of counters may be put together only when all of them launched
/// the same. Watches the driver's functions, because libraries do not go through the runtime.
class LaunchLog final : public CallbackSink {
public:
    /// Turns the callbacks on. Pre: `subscription` was opened with this sink.
    [[nodiscard]] static Result<void> watch(Subscription& subscription);

    /// Launches from here on belong to `op` of the plan; -1: to none.
    void setOp(std::int32_t op) { m_op = op; }
    void clear() { m_launches.clear(); }
    [[nodiscard]] const std::vector<Launch>& launches() const { return m_launches; }
    [[nodiscard]] std::vector<Launch> take() { return std::exchange(m_launches, {}); }

    void onDriverCall(CUpti_CallbackId id, const CUpti_CallbackData& data) override;

private:
    std::thread::id m_thread = std::this_thread::get_id();
    std::int32_t m_op = -1;
    std::vector<Launch> m_launches;
};

/// Empty when both are the same, else where they begin to differ: "op 17 launched 3 kernels and then 2".
[[nodiscard]] std::string firstDifference(const std::vector<Launch>& before, const std::vector<Launch>& now);

}  // namespace plumb::cupti
