// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/subscription.h"

#include <array>
#include <string>

namespace plumb::cupti {

namespace {

Error ownedBy(const std::string& name) {
    return {ErrorCode::Unavailable,
            "another profiler owns CUPTI in this process (" + (name.empty() ? "unnamed" : name) + ")",
            "start without it"};
}

}  // namespace

Result<std::unique_ptr<Subscription>> Subscription::open(const CuptiApi& api, CallbackSink* sink,
                                                         CUptiResult* code) {
    std::unique_ptr<Subscription> self(new Subscription(api, sink));
    std::array<char, CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN + 1> owner{};
    auto params = PLUMB_PARAMS(CUpti_SubscriberParams);
    params.subscriberName = "plumbline";
    params.oldSubscriberName = owner.data();
    params.oldSubscriberSize = owner.size() - 1;
    const CUptiResult result =
        api.cuptiSubscribe_v2(&self->m_handle, &Subscription::called, self.get(), &params);
    if (code != nullptr) *code = result;
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) return ownedBy(owner.data());
    if (result != CUPTI_SUCCESS) {
        self->m_handle = nullptr;
        return cuptiError(api, result, "cuptiSubscribe_v2");
    }
    PLUMB_CHECK(self->enable(CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR));
    return self;
}

Subscription::~Subscription() {
    if (m_handle != nullptr) m_api.cuptiUnsubscribe(m_handle);  // nothing is left to be done about a failure
}

Result<void> Subscription::enable(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    PLUMB_CUPTI(m_api, cuptiEnableCallback, 1, m_handle, domain, id);
    return {};
}

void Subscription::called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
    auto& subscription = *static_cast<Subscription*>(self);
    if (domain == CUPTI_CB_DOMAIN_STATE) {
        if (id == CUPTI_CBID_STATE_FATAL_ERROR) subscription.m_fatal.store(true, std::memory_order_relaxed);
        return;
    }
    if (subscription.m_sink == nullptr || data == nullptr) return;
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
        subscription.m_sink->onDriverCall(id, *static_cast<const CUpti_CallbackData*>(data));
    else if (domain == CUPTI_CB_DOMAIN_RESOURCE)
        subscription.m_sink->onResource(id, *static_cast<const CUpti_ResourceData*>(data));
}

}  // namespace plumb::cupti
