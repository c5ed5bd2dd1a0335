// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/fit_proof.h"
#include "ui/engine/chosen_device.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/engine_work.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QString>

#include <optional>

namespace plumb::ui {

/// Has the engine try the largest batch that fits and the next one, and keeps what came of the newest proof
/// for as long as the document is shown. GUI thread only.
class FitProver final : public QObject {
    Q_OBJECT
public:
    /// All four outlive it.
    FitProver(const Workbench& workbench, EngineClient& engine, EngineWork& work, const ChosenDevice& chosen);

    /// Empty when start() would work; else why not, as a sentence.
    [[nodiscard]] QString whyNot() const;
    /// Proves the configuration of the sliders, whatever its batch. Empty limit: the device's memory. Nothing
    /// when it cannot.
    void start(std::optional<Bytes> limit);
    [[nodiscard]] bool running() const;
    [[nodiscard]] double share() const { return m_share; }  ///< of its operations that were begun
    /// The newest proof, of whatever configuration.
    [[nodiscard]] const std::optional<FitProof>& proof() const { return m_proof; }
    /// That one where it is of what the sliders show; else null.
    [[nodiscard]] const FitProof* current() const;
    /// What a file brings along takes the place of the one that is known.
    void replace(std::optional<FitProof> proof);

signals:
    void changed();  ///< the proof, or whether one goes on

private:
    const Workbench& m_workbench;
    EngineClient& m_engine;
    EngineWork& m_work;
    const ChosenDevice& m_chosen;
    std::optional<FitProof> m_proof;
    double m_share = 0;
    RunConfig m_asked;  ///< of the newest one that was begun
};

/// What came of `proof`, as a sentence, and what bounded it.
[[nodiscard]] QString verdictSentence(const FitProof& proof);
[[nodiscard]] QString limitSentence(const FitProof& proof);
/// What came of one of its trials: "ran", or what the engine said.
[[nodiscard]] QString outcomeText(const FitTrial& trial);

}  // namespace plumb::ui
