// SPDX-License-Identifier: Apache-2.0
// What backends of tests are made from: each says only what is its own.
#pragma once

#include "core/engine/backend.h"
#include "core/engine/capabilities.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace plumb::test {

/// Does nothing, and succeeds at it.
class IdleBackend : public Backend {
public:
    const Machine& machine() const override { return m_machine; }
    BackendTraits traits() const override { return {}; }
    Result<void> prepare(const StepPlan&) override { return {}; }
    Result<Buffer> allocate(const Tensor&) override { return Buffer{}; }
    void release(const Buffer&) override {}
    AllocationCount allocationCount() const override { return {}; }
    void resetHighWater() override {}
    Result<void> run(const OpCall&) override { return {}; }
    Result<void> initialise(std::span<const Buffer>, std::uint64_t) override { return {}; }
    Result<void> fillZero(const Buffer&) override { return {}; }
    Result<void> upload(const Buffer&, std::span<const std::byte>) override { return {}; }
    Result<void> download(std::span<std::byte>, const Buffer&) override { return {}; }
    Result<Seconds> clock() override { return 0; }
    Result<void> synchronize() override { return {}; }

private:
    Machine m_machine;
};

/// Does what another backend does, without its capabilities.
class BackendAround : public Backend {
public:
    explicit BackendAround(std::unique_ptr<Backend> inner) : m_inner(std::move(inner)) {}
    const Machine& machine() const override { return m_inner->machine(); }
    BackendTraits traits() const override { return m_inner->traits(); }
    Result<void> prepare(const StepPlan& plan) override { return m_inner->prepare(plan); }
    Result<Buffer> allocate(const Tensor& tensor) override { return m_inner->allocate(tensor); }
    void release(const Buffer& buffer) override { m_inner->release(buffer); }
    AllocationCount allocationCount() const override { return m_inner->allocationCount(); }
    void resetHighWater() override { m_inner->resetHighWater(); }
    Result<void> run(const OpCall& call) override { return m_inner->run(call); }
    Result<void> initialise(std::span<const Buffer> tensors, std::uint64_t seed) override {
        return m_inner->initialise(tensors, seed);
    }
    Result<void> fillZero(const Buffer& buffer) override { return m_inner->fillZero(buffer); }
    Result<void> upload(const Buffer& target, std::span<const std::byte> source) override {
        return m_inner->upload(target, source);
    }
    Result<void> download(std::span<std::byte> target, const Buffer& source) override {
        return m_inner->download(target, source);
    }
    Result<Seconds> clock() override { return m_inner->clock(); }
    Result<void> synchronize() override { return m_inner->synchronize(); }

protected:
    [[nodiscard]] Backend& inner() const { return *m_inner; }

private:
    std::unique_ptr<Backend> m_inner;
};

/// A machine whose speed changes: `speeds` in turn, one for each probe; the last one stays.
class SpeedsInTurn : public SpeedProber {
public:
    explicit SpeedsInTurn(std::vector<double> speeds) : m_speeds(std::move(speeds)) {}
    [[nodiscard]] double speed() const { return m_speeds[std::min(m_probes, m_speeds.size() - 1)]; }
    [[nodiscard]] std::size_t probes() const { return m_probes; }
    Result<std::optional<SpeedProbe>> probeSpeed() override {
        const double now = speed();
        ++m_probes;
        return std::optional(SpeedProbe{1e11 * now, 1e10 * now, 1e8 * now});
    }

private:
    std::vector<double> m_speeds;
    std::size_t m_probes = 0;
};

}  // namespace plumb::test
