// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/activity_collector.h"

#include "kernels/cupti/activity_buffers.h"
#include "kernels/cupti/activity_parser.h"
#include "kernels/cupti/mode.h"
#include "kernels/cupti/node_log.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace plumb::cupti {

namespace {

/// Without these there is no timeline.
constexpr CUpti_ActivityKind kNeeded[] = {
    // Never KERNEL, which lets kernels run one at a time only. The correlation needs the calls.
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,    CUPTI_ACTIVITY_KIND_MEMCPY,  CUPTI_ACTIVITY_KIND_MEMSET,
    CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER};
/// These make it better.
constexpr CUpti_ActivityKind kWelcome[] = {CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMORY2,
                                           CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_OVERHEAD};

/// CUPTI calls back with nothing to tell who asked, and may do so late: one set of buffers for the process,
/// that is never taken away.
ActivityBuffers& buffers() {
    static auto* const all = new ActivityBuffers;
    return *all;
}

void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) {
    *buffer = buffers().request();
    *size = *buffer != nullptr ? ActivityBuffers::kBytes : 0;
    *maxRecords = 0;
}

void CUPTIAPI bufferCompleted(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                              std::size_t valid) {
    buffers().complete(buffer, valid);
}

class Collector final : public ActivityCollector {
public:
    Collector(ModeLock lock, const Device& device)
        : m_lock(std::move(lock)), m_device(device), m_api(*device.cupti), m_nodes(*device.cupti) {}
    ~Collector() override {
        try {
            stop();
        } catch (...) {  // no memory left for records that nobody will take
            m_enabled.clear();
        }
    }

    Result<void> open(Bytes aliveBytes, std::vector<OpBranch> branches);
    Result<void> beginCapture() override {
        m_capturing = true;
        return {};
    }
    Result<void> endCapture() override {
        m_capturing = false;
        return {};
    }
    Result<void> beginStep(std::int64_t step) override;
    Result<void> beginOp(std::int32_t index) override;
    Result<void> endOp() override;
    Result<void> endStep() override;
    Result<std::shared_ptr<const Timeline>> take() override;

private:
    [[nodiscard]] Result<std::uint64_t> now() const;
    [[nodiscard]] std::string callName(bool runtime, std::uint32_t id) const;
    void stop();
    void read();

    ModeLock m_lock;
    Device m_device;
    const CuptiApi& m_api;
    NodeLog m_nodes;
    std::unique_ptr<Subscription> m_subscription;
    std::vector<CUpti_ActivityKind> m_enabled;
    std::optional<ActivityParser> m_parser;
    std::uint64_t m_executions = 0;
    std::int64_t m_step = 0;
    std::uint64_t m_stepBegin = 0;
    std::int32_t m_op = -1;
    std::uint64_t m_opBegin = 0;
    bool m_pushed = false;
    bool m_capturing = false;
    std::int64_t m_captured = 0;  ///< executions of ops that nodes may belong to
};

Result<void> Collector::open(Bytes aliveBytes, std::vector<OpBranch> branches) {
    PLUMB_TRY(m_subscription, Subscription::open(m_api, &m_nodes));
    PLUMB_CHECK(NodeLog::watch(*m_subscription));
    PLUMB_CUPTI(m_api, cuptiActivityRegisterCallbacks, bufferRequested, bufferCompleted);
    for (const CUpti_ActivityKind kind : kNeeded) {
        PLUMB_CUPTI(m_api, cuptiActivityEnable, kind);
        m_enabled.push_back(kind);
    }
    for (const CUpti_ActivityKind kind : kWelcome)
        if (m_api.cuptiActivityEnable(kind) == CUPTI_SUCCESS) m_enabled.push_back(kind);
    PLUMB_TRY(const std::uint64_t origin, now());
    m_parser.emplace(origin, [this](bool runtime, std::uint32_t id) { return callName(runtime, id); });
    m_parser->setAliveBefore(aliveBytes);
    m_parser->setBranches(std::move(branches));
    return {};
}

std::string Collector::callName(bool runtime, std::uint32_t id) const {
    const char* name = nullptr;
    const CUptiResult result = m_api.cuptiGetCallbackName(
        runtime ? CUPTI_CB_DOMAIN_RUNTIME_API : CUPTI_CB_DOMAIN_DRIVER_API, id, &name);
    return result == CUPTI_SUCCESS && name != nullptr ? name : std::string();
}

Result<std::uint64_t> Collector::now() const {
    std::uint64_t time = 0;
    PLUMB_CUPTI(m_api, cuptiGetTimestamp, &time);
    return time;
}

Result<void> Collector::beginStep(std::int64_t step) {
    if (m_subscription == nullptr || m_subscription->fatal())
        return Error{ErrorCode::RunFailed, "CUPTI has given up after an error of its own",
                     "start the program again, or go on with timing only"};
    m_step = step;
    PLUMB_TRY(m_stepBegin, now());
    return {};
}

Result<void> Collector::beginOp(std::int32_t index) {
    m_op = index;
    m_nodes.setOp({index, m_captured++});
    if (m_capturing) return {};  // nothing runs
    PLUMB_CUPTI(m_api, cuptiActivityPushExternalCorrelationId, CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0,
                ++m_executions);
    m_pushed = true;
    PLUMB_TRY(m_opBegin, now());
    return {};
}

Result<void> Collector::endOp() {
    std::uint64_t last = 0;
    m_pushed = false;
    m_nodes.endOp();
    if (m_capturing) return {};
    PLUMB_CUPTI(m_api, cuptiActivityPopExternalCorrelationId, CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last);
    if (last != m_executions)
        return internalError(fmt::format("an op was ended that is not open ({} and {})", last, m_executions));
    PLUMB_TRY(const std::uint64_t end, now());
    m_parser->addOp(m_op, m_opBegin, end);
    return {};
}

// What the step launched may still run: its end is when the device was done, which the records say.
Result<void> Collector::endStep() {
    const CUresult result = m_device.driver->cuCtxSynchronize();
    if (result != CUDA_SUCCESS)
        return Error{ErrorCode::RunFailed,
                     fmt::format("the GPU failed while it was recorded (error {})", static_cast<int>(result)),
                     "check it with nvidia-smi"};
    PLUMB_TRY(const std::uint64_t end, now());
    m_parser->addStep(m_step, m_stepBegin, end);
    read();
    return {};
}

// Kinds are switched off one by one and CUPTI stays: another session in this process would get wrong
// correlation ids of graph launches (CUPTI 13.0).
void Collector::stop() {
    if (m_enabled.empty()) {
        m_subscription.reset();
        return;
    }
    if (std::exchange(m_pushed, false)) {
        std::uint64_t last = 0;
        m_api.cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last);
    }
    m_device.driver->cuCtxSynchronize();
    m_api.cuptiActivityFlushAll(0);
    for (const CUpti_ActivityKind kind : m_enabled) m_api.cuptiActivityDisable(kind);
    m_enabled.clear();
    m_api.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    std::size_t dropped = 0;
    if (m_api.cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS && m_parser)
        m_parser->addDropped(static_cast<std::int64_t>(dropped));
    read();
    m_subscription.reset();
}

void Collector::read() {
    for (const ActivityBuffers::Full& full : buffers().takeFull()) {
        CUpti_Activity* record = nullptr;
        CUptiResult result = CUPTI_SUCCESS;
        while ((result = m_api.cuptiActivityGetNextRecord(full.data, full.valid, &record)) == CUPTI_SUCCESS)
            if (m_parser) m_parser->add(*record);
        // The end of a buffer is "limit reached"; anything else is a buffer that cannot be read to its end.
        if (result != CUPTI_ERROR_MAX_LIMIT_REACHED && m_parser) m_parser->addDropped(1);
        buffers().recycle(full.data);
    }
}

Result<std::shared_ptr<const Timeline>> Collector::take() {
    stop();
    if (!m_parser) return internalError("the records of activity were taken twice");
    m_parser->setNodeOps(m_nodes.nodes());
    auto timeline = std::make_shared<const Timeline>(m_parser->timeline());
    m_parser.reset();
    return std::shared_ptr<const Timeline>(std::move(timeline));
}

}  // namespace

Result<std::unique_ptr<ActivityCollector>> openActivityCollector(const Libraries& libraries, Bytes aliveBytes,
                                                                 std::vector<OpBranch> branches) {
    PLUMB_TRY(ModeLock lock, ModeLock::take(Mode::Activity));
    const Detection found = detectActivity(libraries);
    if (!found.ready()) return found.error;
    auto collector = std::make_unique<Collector>(std::move(lock), found.device);
    PLUMB_CHECK(collector->open(aliveBytes, std::move(branches)));
    return std::unique_ptr<ActivityCollector>(std::move(collector));
}

}  // namespace plumb::cupti
