// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/planner/scenario.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::planner {

/// Who published trainings, and what they may be used for.
struct EvidenceSource {
    std::string id;
    std::string title;
    std::string organisation;
    std::string address;
    std::string revision;
    bool fits = false;  ///< priors may be fitted on it; otherwise nothing ever is
    std::string note;
};

/// What a training was measured at, and which printed figure that is from.
struct PublishedSeconds {
    double seconds = 0;  ///< of an optimizer step
    std::string from;    ///< "step time", "tokens per second", "model FLOP/s of a device"
};

/// A published training as a question to the planner, with the answer that was measured.
struct PublishedTraining {
    std::string id;
    std::size_t source = 0;  ///< index into Evidence::sources
    std::string read;        ///< where it stands there
    std::string framework;
    std::int64_t year = 0;
    Scenario scenario;
    std::string device;  ///< as the row names it
    std::optional<PublishedSeconds> step;
    std::optional<double> memoryBytes;  ///< of the fullest device
    std::string memoryKind;             ///< "allocated", "reserved", "device"; empty: none
    std::string memoryProblem;          ///< what the source does not say and memory goes by; empty: nothing
    /// What the source does not say and the row was given, each with its reason: "precision: not told".
    std::vector<std::string> assumed;
    std::vector<std::string> taken;  ///< what was put in the place of what neither source nor row says
    std::string note;                ///< what the description has not got; mostly empty
    std::string problem;             ///< why it cannot be asked; empty: it can
};

/// Trainings that others measured and published (docs/evidence.md).
struct Evidence {
    std::vector<EvidenceSource> sources;
    std::vector<PublishedTraining> rows;

    /// Errors: BadInput with the row and the field.
    [[nodiscard]] static Result<Evidence> parse(std::string_view json);
    /// Those compiled into the program (resources/published.json); read once. Errors: those of parse().
    [[nodiscard]] static const Result<Evidence>& builtIn();
};

}  // namespace plumb::planner
