// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

// What is fuzzed: a function for every reader. Each takes any bytes, reads them, goes on with what was
// accepted to where it is used, and throws where a promise of the program does not hold. The sanitizers see
// the rest.
namespace plumb::fuzz {

void arguments(std::string_view input);    ///< a command line, a word a line; behind an empty line "@FILE@"
void budget(std::string_view input);       ///< what a step may cost
void calibration(std::string_view input);  ///< a kept calibration; "@FP@" stands for this processor
void command(std::string_view input);      ///< the engine's side of the protocol
// NOLINTBEGIN(readability-identifier-naming): called as their folders of seeds are
void csv(std::string_view input);              ///< a line that names columns, then a table of text
void device_figures(std::string_view input);   ///< figures of a data sheet as they are typed, KEY=VALUE
void devices(std::string_view input);          ///< data sheets of one's own
void einsum(std::string_view input);           ///< an expression; NAME=SIZE in further lines
void event(std::string_view input);            ///< the window's side of the protocol
void kernel_report(std::string_view input);    ///< a table of Nsight Compute
void layout(std::string_view input);           ///< steps of a tensor; its shape in the second line
void lesson(std::string_view input);           ///< lessons, /proc/cpuinfo, names of files
void memory_snapshot(std::string_view input);  ///< a memory snapshot of PyTorch
void model_config(std::string_view input);     ///< eight bytes that choose a cluster, then a config.json
void npy(std::string_view input);              ///< a .npy file
void npz(std::string_view input);            ///< a line that names members, then an archive or two .npy files
void nsys(std::string_view input);           ///< a database of Nsight Systems
void number_format(std::string_view input);  ///< a format; a number or code in the second line
void options(std::string_view input);        ///< NAME=VALUE in each line
void plan(std::string_view input);           ///< a plan of the planner, and its answers
void planner_values(std::string_view input);  ///< values of the planner as they are typed; KEY=VALUE sets one
void quantity(std::string_view input);        ///< sizes and quantities
void safetensors(std::string_view input);     ///< a .safetensors file
void snapshot(std::string_view input);        ///< the document of a snapshot, and all that is made of it
void snapshot_file(std::string_view input);   ///< readSnapshot() on a file
void step_file(std::string_view input);       ///< a step that a recorder wrote down
void tokens(std::string_view input);          ///< five bytes that choose type and vocabulary, then token ids
void trace(std::string_view input);           ///< a trace of another profiler, packed or not
void trace_filter(std::string_view input);    ///< what is looked for among its slices
// NOLINTEND(readability-identifier-naming)

struct Target {
    std::string_view name;  ///< of its folder of seeds and its dictionary
    void (*run)(std::string_view input);
};
inline constexpr std::array kTargets{
    Target{"arguments", arguments},
    Target{"budget", budget},
    Target{"calibration", calibration},
    Target{"command", command},
    Target{"csv", csv},
    Target{"device_figures", device_figures},
    Target{"devices", devices},
    Target{"einsum", einsum},
    Target{"event", event},
    Target{"kernel_report", kernel_report},
    Target{"layout", layout},
    Target{"lesson", lesson},
    Target{"memory_snapshot", memory_snapshot},
    Target{"model_config", model_config},
    Target{"npy", npy},
    Target{"npz", npz},
    Target{"nsys", nsys},
    Target{"number_format", number_format},
    Target{"options", options},
    Target{"plan", plan},
    Target{"planner_values", planner_values},
    Target{"quantity", quantity},
    Target{"safetensors", safetensors},
    Target{"snapshot", snapshot},
    Target{"snapshot_file", snapshot_file},
    Target{"step_file", step_file},
    Target{"tokens", tokens},
    Target{"trace", trace},
    Target{"trace_filter", trace_filter},
};

}  // namespace plumb::fuzz
