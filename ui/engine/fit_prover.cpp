// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/fit_prover.h"

#include "ui/theme/text.h"

#include <utility>

namespace plumb::ui {

using protocol::EngineState;

namespace {

/// As they are read, exactly where two that differ would read the same.
QString bytesBeside(Bytes bytes, Bytes other) {
    const bool alike = bytes != other && bytesText(bytes) == bytesText(other);
    return alike ? exactText(bytes, "B") : bytesText(bytes);
}

}  // namespace

FitProver::FitProver(const Workbench& workbench, EngineClient& engine, EngineWork& work,
                     const ChosenDevice& chosen)
    : m_workbench(workbench), m_engine(engine), m_work(work), m_chosen(chosen) {
    connect(&engine, &EngineClient::eventArrived, this, [this](const EngineClient::EventPtr& event) {
        const auto* progress = std::get_if<protocol::Progress>(&event->body);
        if (progress == nullptr || !running() || progress->total <= 0) return;
        m_share = static_cast<double>(progress->done) / static_cast<double>(progress->total);
        emit changed();
    });
    connect(&work, &EngineWork::changed, this, &FitProver::changed);
    connect(&work.results(), &JobResults::proved, this, [this](const FitProof& proof) {
        // On its way every option was given a value: it is of what was asked.
        FitProof asked = proof;
        asked.config = m_asked;
        replace(std::move(asked));
    });
}

QString FitProver::whyNot() const {
    if (const QString reason = m_chosen.whyNotRun(); !reason.isEmpty()) return reason;
    if (m_work.busy()) return tr("The engine is busy: wait until it is done, or stop it");
    return {};
}

void FitProver::start(std::optional<Bytes> limit) {
    if (!whyNot().isEmpty()) return;
    const ScenePtr scene = m_workbench.session();
    EngineJob job{.config = scene->config(), .plan = scene->whatIf.plan, .machine = scene->whatIf.machine()};
    job.isAside = true;
    m_asked = job.config;
    m_share = 0;
    job.id = m_engine.send(protocol::Prove{m_chosen.configured(job.config), limit, m_chosen.name()});
    m_work.begin(std::move(job), EngineState::Proving);
}

bool FitProver::running() const { return m_work.engineState() == EngineState::Proving; }

const FitProof* FitProver::current() const {
    if (!m_proof) return nullptr;
    const ScenePtr scene = m_workbench.session();
    // The backend was chosen with the device.
    RunConfig config = scene->config();
    config.backend = m_proof->config.backend;
    return isOf(*m_proof, config, scene->whatIf.machine().id) ? &*m_proof : nullptr;
}

void FitProver::replace(std::optional<FitProof> proof) {
    if (std::exchange(m_proof, std::move(proof)) != m_proof) emit changed();
}

QString verdictSentence(const FitProof& proof) {
    const QString most = countText(proof.fits.batch);
    const QString next = countText(proof.tooLarge.batch);
    const Bytes limit = proof.limitBytes;
    switch (verdictOf(proof)) {
    case FitVerdict::Proven:
        return FitProver::tr(
                   "Proven: batch %1 ran with the %2 that were predicted, and batch %3 was refused.")
            .arg(most, bytesText(proof.fits.predictedBytes), next);
    case FitVerdict::LargestRefused:
        return FitProver::tr("Refuted: batch %1 must fit (%2 of %3), and it did not run.")
            .arg(most, bytesBeside(proof.fits.predictedBytes, limit),
                 bytesBeside(limit, proof.fits.predictedBytes));
    case FitVerdict::PeakDiffers: {
        const Bytes peak = proof.fits.measuredBytes.value_or(0);
        return FitProver::tr(
                   "Batch %1 ran and batch %2 was refused, as predicted, but the peak was %3 and not %4.")
            .arg(most, next, bytesBeside(peak, proof.fits.predictedBytes),
                 bytesBeside(proof.fits.predictedBytes, peak));
    }
    case FitVerdict::NextRan:
        return FitProver::tr("Refuted: batch %1 must not fit (%2 of %3), and it ran with %4.")
            .arg(next, bytesBeside(proof.tooLarge.predictedBytes, limit),
                 bytesBeside(limit, proof.tooLarge.predictedBytes),
                 bytesBeside(proof.tooLarge.measuredBytes.value_or(0), limit));
    case FitVerdict::NextFailed:
        return FitProver::tr("Not proven: batch %1 ran, and batch %2 failed for another reason than memory.")
            .arg(most, next);
    }
    return {};
}

QString limitSentence(const FitProof& proof) {
    const QString limit = bytesText(proof.limitBytes);
    switch (proof.limitOf) {
    case FitLimit::Asked:
        return FitProver::tr("The engine's allocator gave out %1 at most, as asked.").arg(limit);
    case FitLimit::Device:
        return FitProver::tr("The engine's allocator gave out %1 at most, the memory of the device.")
            .arg(limit);
    case FitLimit::Free:
        return proof.deviceBytes
                   ? FitProver::tr(
                         "The engine's allocator gave out %1 at most, since no more of %2 was safely free.")
                         .arg(limit, bytesText(*proof.deviceBytes))
                   : FitProver::tr(
                         "The engine's allocator gave out %1 at most, since no more was safely free.")
                         .arg(limit);
    }
    return {};
}

QString outcomeText(const FitTrial& trial) {
    if (trial.measuredBytes) return FitProver::tr("Ran");
    return capitalised(coreText(trial.refusal));
}

}  // namespace plumb::ui
