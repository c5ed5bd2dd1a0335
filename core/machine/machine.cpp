// SPDX-License-Identifier: Apache-2.0
#include "core/machine/machine.h"

namespace plumb {

std::optional<double> Machine::peak(Dtype dtype) const {
    for (const auto& [known, value] : peakFlopPerSecond)
        if (known == dtype) return value;
    return std::nullopt;
}

std::string calibrateCommand(std::string_view backend) {
    return "plumbline-cli calibrate --backend " + std::string(backend);
}

std::string notCalibrated(std::string_view backend) {
    return "not calibrated: run " + calibrateCommand(backend);
}

}  // namespace plumb
