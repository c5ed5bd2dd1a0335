// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/data/data_provenance.h"
#include "core/model/run_config.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace plumb {

/// Where the samples of a run come from when they are not synthetic. All members may be called from any
/// thread, several at once: the prefetch thread gathers while the training thread asks for a description.
class BatchSource {
public:
    virtual ~BatchSource() = default;
    /// Samples of one epoch.
    [[nodiscard]] virtual std::int64_t samples() const = 0;
    /// Writes the samples from position `first` of the stream on (0-based, already shuffled, wrapped at the
    /// end of an epoch): x is [count, D] and t is [count, K], both dense. What is there is a function of the
    /// position and the seed alone. Errors: BadInput for content that cannot be used, with its place.
    [[nodiscard]] virtual Result<void> copySamples(std::int64_t first, std::span<float> x,
                                                   std::span<float> t) const = 0;
    /// Where the sample at this position of the stream stands: "row 17 of features.npy" (from 0), "row 2 of
    /// homes.csv" (from 1, the header counted).
    [[nodiscard]] virtual std::string describe(std::int64_t position) const = 0;
    /// A finite number of that sample, as its file has it, that fp32 cannot hold.
    [[nodiscard]] virtual std::optional<double> beyondFp32(std::int64_t position) const {
        (void)position;
        return std::nullopt;
    }
    /// What is read, for a report: "digits.npy (fp32) and labels.npy (int64, read as fp32), 1797 rows".
    [[nodiscard]] virtual std::string summary() const = 0;

    /// Whether copySamples() only reads memory: nobody waits for a disk, and no gather fails half way.
    [[nodiscard]] virtual bool isInMemory() const { return false; }

    /// Samples that are not trained on.
    [[nodiscard]] virtual std::int64_t heldOut() const { return 0; }
    /// Those from `first` on, as copySamples(). Pre: first + count <= heldOut().
    [[nodiscard]] virtual Result<void> copyHeldOut(std::int64_t first, std::span<float> x,
                                                   std::span<float> t) const {
        (void)first, (void)x, (void)t;
        return internalError("nothing is held out");
    }
    /// What was done to the features; null: nothing.
    [[nodiscard]] virtual const Standardization* standardization() const { return nullptr; }
    /// The same of the targets.
    [[nodiscard]] virtual const Standardization* targetStandardization() const { return nullptr; }
};

/// What a snapshot keeps of the data.
[[nodiscard]] DataProvenance provenanceOf(const BatchSource& source);

/// The widths of the data that `config` names, as far as the files decide them: none for synthetic data and
/// for tokens, whose windows have any width.
struct DataWidths {
    std::optional<std::int64_t> features;
    std::optional<std::int64_t> targets;
};
/// Errors: those of openSampleTables().
[[nodiscard]] Result<DataWidths> widthsOfData(const RunConfig& config);

/// Opens the data that `config` names; null for synthetic data. Checks shapes against D and K.
/// Errors: BadInput naming file, what was found and what was expected; Io.
[[nodiscard]] Result<std::unique_ptr<BatchSource>> openData(const RunConfig& config);

}  // namespace plumb
