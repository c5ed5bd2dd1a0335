// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/run_config.h"
#include "kernels/cupti/detect.h"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace plumb::cupti {

inline constexpr std::array kAllPrecisions{Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16,
                                           Precision::Fp8};

/// A driver and a CUPTI of our own: they keep a record of what was called, answer as they are told to, and
/// give back one range of counters for every range that was marked. One at a time, because C functions know
/// nothing else to refer to.
class FakeCupti {
public:
    FakeCupti();
    ~FakeCupti();
    FakeCupti(const FakeCupti&) = delete;
    FakeCupti& operator=(const FakeCupti&) = delete;

    /// Both libraries, as they are found on a machine.
    [[nodiscard]] Libraries libraries();

    // How they answer.
    std::map<std::string, CUptiResult> cuptiFails;  ///< by function; SUCCESS otherwise
    std::map<std::string, int> failsOnlyFor;        ///< by function: so many times, then it succeeds
    std::map<std::string, CUresult> driverFails;
    bool driverThere = true;
    bool cuptiThere = true;
    int driverVersion = 13000;
    int devices = 1;
    bool context = true;
    std::uint32_t cuptiVersion = CUPTI_API_VERSION;
    int computeSupported = 1;
    std::string oldSubscriber;
    CUpti_Profiler_DeviceSupported_Params support{};
    std::string chip = "GH100";
    std::vector<std::string> chips{"GH100", "GA100"};
    bool knowsEveryMetric = true;
    std::size_t passes = 2;
    std::size_t passesNeeded = 2;                                 ///< after so many stops all are submitted
    std::size_t dropped = 0;                                      ///< ranges
    std::function<void(std::vector<std::string>&)> changeRanges;  ///< what comes back of the names
    /// The value of a metric in a range, by their names; 1 when empty.
    std::function<double(const std::string& range, const std::string& metric)> value;

    // What they saw.
    [[nodiscard]] bool called(const std::string& function) const { return calls.count(function) != 0; }
    std::map<std::string, int> calls;
    std::vector<std::string> order;       ///< of the calls that open and close something
    std::vector<std::string> ranges;      ///< of the last pass
    std::vector<std::size_t> configured;  ///< maxRangesPerPass of each configuration
    int openRanges = 0;
    std::vector<CUpti_ActivityKind> enabled;  ///< activity kinds that are on
    std::vector<std::uint64_t> correlations;  ///< external ids that are open
    std::uint64_t time = 1'000'000;           ///< of CUPTI's clock; grows by 100 with every look at it
    std::size_t droppedRecords = 0;
    std::map<CUgraphNode, std::uint64_t> nodeIds;

    /// As if the device had done something: the record comes with the next flush.
    template <class Record>
    void record(const Record& record) {
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(&record);
        pending.emplace_back(bytes, bytes + sizeof(Record));
    }

    /// As if the driver launched a kernel on this thread.
    void launch(const char* kernel, unsigned grid = 1);
    void resource(CUpti_CallbackId id, const CUpti_ResourceData& data);
    void fatalError();

    // Used by the functions.
    CUptiResult answer(const std::string& function);
    CUresult driverAnswer(const std::string& function);
    static FakeCupti* current;
    CuptiApi api;
    DriverApi driver;
    CUpti_CallbackFunc callback = nullptr;
    void* callbackData = nullptr;
    std::vector<std::string> baseMetrics;
    std::vector<const char*> basePointers;
    std::vector<const char*> chipPointers;
    std::size_t stops = 0;
    std::vector<std::string> decoded;
    std::vector<std::vector<std::uint8_t>> pending;
    CUpti_BuffersCallbackRequestFunc requested = nullptr;
    CUpti_BuffersCallbackCompleteFunc completed = nullptr;
};

}  // namespace plumb::cupti
