// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cupti/api.h"

#include <atomic>
#include <memory>

namespace plumb::cupti {

/// What CUPTI calls back with, on the thread that made the call it is about. Must be quick, must not call the
/// driver, and must not throw.
class CallbackSink {
public:
    virtual ~CallbackSink() = default;
    virtual void onDriverCall(CUpti_CallbackId /*id*/, const CUpti_CallbackData& /*data*/) {}
    virtual void onResource(CUpti_CallbackId /*id*/, const CUpti_ResourceData& /*data*/) {}
};

/// CUPTI's one subscriber of this process, as long as it lives. It also holds off other profilers, and is
/// told when CUPTI has given up.
class Subscription {
public:
    /// `sink` (may be null) outlives the subscription. `code` becomes what CUPTI answered. Errors:
    /// Unavailable with the name of the profiler that is there already; those of CUPTI.
    [[nodiscard]] static Result<std::unique_ptr<Subscription>> open(const CuptiApi& api, CallbackSink* sink,
                                                                    CUptiResult* code = nullptr);
    ~Subscription();
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

    [[nodiscard]] Result<void> enable(CUpti_CallbackDomain domain, CUpti_CallbackId id);
    /// True once CUPTI met an error after which it is off for the rest of the process.
    [[nodiscard]] bool fatal() const { return m_fatal.load(std::memory_order_relaxed); }

private:
    Subscription(const CuptiApi& api, CallbackSink* sink) : m_api(api), m_sink(sink) {}
    static void CUPTIAPI called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                const void* data);

    const CuptiApi& m_api;
    CallbackSink* m_sink;
    CUpti_SubscriberHandle m_handle = nullptr;
    std::atomic<bool> m_fatal{false};
};

}  // namespace plumb::cupti
