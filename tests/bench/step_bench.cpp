// SPDX-License-Identifier: Apache-2.0
// Training steps of the CPU backend on request, timed one by one: our side of peers/step_time.py.
//
//   step_bench --dim 64 --layers 4 ... [--weights-out FILE] [--threads N] [--instruction-set avx2]
//
// takes the run's options by their names and writes the initial weights to FILE: fp32, layer after layer, the
// head last. Then every line on standard input is a request, answered by one line of JSON: "steps N" gives
// the loss, the seconds and the processor seconds of N further steps, "profile N" the median seconds of each
// op over N steps, "peaks" the processor's ceilings ("peaks 1" by processor time). It waits without using the
// processor, so that a peer can be timed in between.
#include "core/machine/local_cpu.h"
#include "core/plan/step_plan.h"
#include "core/train/executor.h"
#include "core/train/trainer.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/kernels.h"
#include "tests/bench/peak_probe.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>

namespace plumb::bench {
namespace {

using Json = nlohmann::json;

struct Request {
    RunConfig config;
    std::string weightsOut;
    int threads = 0;
};

Result<Request> parse(int count, char** values) {
    Request request;
    for (int i = 1; i < count; i += 2) {
        std::string_view name(values[i]);
        if (!name.starts_with("--") || i + 1 == count)
            return Error{ErrorCode::BadInput, "every option is --name value",
                         "see the top of step_bench.cpp"};
        name.remove_prefix(2);
        const std::string value(values[i + 1]);
        if (name == "weights-out")
            request.weightsOut = value;
        else if (name == "instruction-set" && value == "avx2")
            cpu::limitInstructionSet(cpu::InstructionSet::Avx2);
        else if (name == "threads")
            std::from_chars(value.data(), value.data() + value.size(), request.threads);
        else
            PLUMB_CHECK(setOption(request.config, name, value));
    }
    PLUMB_CHECK(validate(request.config));
    return request;
}

/// The weights as the optimizer sees them: masters where there are some.
Result<void> writeWeights(const Executor& executor, const std::string& path) {
    const StepPlan& plan = executor.plan();
    const TensorRole role = plan.config.hasMasterCopy() ? TensorRole::Master : TensorRole::Weight;
    std::ofstream file(path, std::ios::binary);
    for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
        if (plan.tensors[id].role != role) continue;
        PLUMB_TRY(const auto bytes, executor.tensors().download(static_cast<TensorId>(id)));
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    if (!file.flush())
        return Error{ErrorCode::RunFailed, "the weights could not be written (" + path + ")",
                     "make room on the disk"};
    return {};
}

Result<Json> runSteps(Executor& executor, std::int64_t count) {
    std::vector<double> losses;
    std::vector<double> seconds;
    std::vector<double> processor;
    for (std::int64_t step = 0; step < count; ++step) {
        const double processorBegin = processorSeconds();
        const double begin = wallSeconds();
        PLUMB_TRY(const StepMetrics result, executor.runStep());
        seconds.push_back(wallSeconds() - begin);
        processor.push_back(processorSeconds() - processorBegin);
        losses.push_back(result.loss);
    }
    return Json{{"losses", losses}, {"seconds", seconds}, {"cpu_seconds", processor}};
}

Result<Json> profileOps(Executor& executor, const Machine& machine, std::int64_t count) {
    executor.timing().forget();
    executor.timing().setMeasuring(true);
    PLUMB_TRY(Json answer, runSteps(executor, count));
    executor.timing().setMeasuring(false);
    const Reading reading = executor.timing().reading(machine);
    Json ops = Json::array();
    for (std::size_t index = 0; index < reading.ops.size(); ++index) {
        const Op& op = executor.plan().ops[index];
        ops.push_back({{"id", opId(op)},
                       {"kind", kindName(op.kind)},
                       {"head", op.isHead},
                       {"flops", op.flops},
                       {"seconds", reading.ops[index].seconds.value_or(0)}});
    }
    answer["ops"] = std::move(ops);
    return answer;
}

Result<void> serve(int count, char** values) {
    PLUMB_TRY(const Request request, parse(count, values));
    const int threads = request.threads > 0 ? request.threads : usableCores();
    PLUMB_TRY(const auto backend, makeCpuBackend(threads));
    PLUMB_TRY(const auto source, openData(request.config));
    PLUMB_TRY(StepPlan plan, planStep(request.config, backend->traits()));
    const auto shared = std::make_shared<const StepPlan>(std::move(plan));
    PLUMB_TRY(const auto executor, Executor::create(shared, *backend, source.get()));
    if (!request.weightsOut.empty()) PLUMB_CHECK(writeWeights(*executor, request.weightsOut));
    std::cout << Json{{"threads", threads}, {"flops", shared->flops}, {"matmul_flops", shared->matmulFlops}}
              << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string what;
        std::int64_t steps = 0;
        words >> what >> steps;
        Json answer;
        if (what == "steps") {
            PLUMB_TRY(answer, runSteps(*executor, steps));
        } else if (what == "profile") {
            PLUMB_TRY(answer, profileOps(*executor, backend->machine(), steps));
        } else if (what == "peaks") {
            const Peaks peaks = measurePeaks(threads, steps > 0 ? processorSeconds : wallSeconds);
            answer = {{"fma_flop_per_s", peaks.fmaFlopPerSecond},
                      {"gemm_flop_per_s", peaks.gemmFlopPerSecond}};
        } else {
            return Error{ErrorCode::BadInput, "not a request (" + line + ")", "steps N, profile N, peaks"};
        }
        std::cout << answer << std::endl;
    }
    return {};
}

}  // namespace
}  // namespace plumb::bench

int main(int count, char** values) {
    const auto served = plumb::bench::serve(count, values);
    if (served.has_value()) return 0;
    std::cerr << "step_bench: " << served.error().text() << '\n';
    return 1;
}
