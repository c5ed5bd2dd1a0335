// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/model/run_config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace plumb {

/// What a data file was like: the option that named it, its name and the part of it that is read (DataPath),
/// its size and a hash of its content.
///
/// Files up to 256 MiB are hashed as a whole (XXH64). Of larger ones 1024 pieces of 64 KiB are, spread evenly
/// from the first byte to the last, so that a terabyte costs as little: a change that touches none of them
/// and keeps the size is not seen.
struct DataFingerprint {
    std::string option;  ///< "data" or "targets"
    std::string path;
    std::uint64_t bytes = 0;
    std::string hash;  ///< 16 hexadecimal digits
    bool operator==(const DataFingerprint&) const = default;
};

/// Fingerprints of every file that a run of `config` reads; empty for synthetic data. Errors: Io.
[[nodiscard]] Result<std::vector<DataFingerprint>> dataFingerprints(const RunConfig& config);

/// Empty when both are of the same content and the same part of it, whatever the files are called; else what
/// differs, as the end of "the checkpoint c ...".
[[nodiscard]] std::string differingData(const std::vector<DataFingerprint>& then,
                                        const std::vector<DataFingerprint>& now);

/// The files that have another name now: "data x.npy was a/x.npy, targets ..."; empty when none has.
/// Pre: differingData() is empty.
[[nodiscard]] std::string movedData(const std::vector<DataFingerprint>& then,
                                    const std::vector<DataFingerprint>& now);

[[nodiscard]] std::string toText(const std::vector<DataFingerprint>& data);  ///< JSON
/// Errors: BadInput; `what` names the text.
[[nodiscard]] Result<std::vector<DataFingerprint>> dataFingerprintsFrom(const std::string& text,
                                                                        const std::string& what);

}  // namespace plumb
