// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/mode.h"

#include <atomic>

namespace plumb::cupti {

namespace {

constexpr int kFree = -1;
std::atomic<int> holder{kFree};

}  // namespace

Result<ModeLock> ModeLock::take(Mode mode) {
    int expected = kFree;
    if (holder.compare_exchange_strong(expected, static_cast<int>(mode))) return ModeLock();
    return Error{ErrorCode::Unavailable,
                 expected == static_cast<int>(Mode::Counters) ? "counters are being read in this process"
                                                              : "activity is being recorded in this process",
                 "end that first"};
}

ModeLock::~ModeLock() {
    if (m_held) holder.store(kFree);
}

}  // namespace plumb::cupti
