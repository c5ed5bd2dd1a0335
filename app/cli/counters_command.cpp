// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/counter_sets.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/model/run_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace plumb::cli {

namespace {

using nlohmann::json;

json passesJson(const DescribedSet& described) {
    return described.passesUnknown ? json() : json(described.set.passes);
}

json documentOf(const DescribedSet& described) {
    json metrics = json::array();
    for (const CounterMetric& metric : described.set.metrics)
        metrics.push_back({{"name", metric.name},
                           {"counts", counterName(metric.feeds)},
                           {"factor", metric.factor},
                           {"meaning", metric.meaning}});
    return {{"chip", described.set.chip},
            {"precision", name(described.set.precision)},
            {"detail", detailName(described.set.detail)},
            {"passes", passesJson(described)},
            {"passes_unknown", described.passesUnknown ? json(described.passesUnknown->text()) : json()},
            {"cupti", described.cupti.empty() ? json() : json(described.cupti)},
            {"metrics", std::move(metrics)},
            {"absent", described.set.absent}};
}

std::string passesText(const DescribedSet& described) {
    if (described.passesUnknown)
        return fmt::format("The number of passes is not known: {}.\n", described.passesUnknown->text());
    return fmt::format("{} {} for up to 256 executions of ops in a step; every pass is one training step "
                       "(asked of CUPTI {}).\n",
                       described.set.passes, described.set.passes == 1 ? "pass" : "passes", described.cupti);
}

std::string textOf(const DescribedSet& described) {
    Table table(3);
    table.add({"Metric", "counts", "means", "factor"});
    for (const CounterMetric& metric : described.set.metrics)
        table.add({metric.name, std::string(counterLabel(metric.feeds)), metric.meaning,
                   std::to_string(metric.factor)});
    std::string text =
        fmt::format("{}, {}, {} counting\n\n{}\n{}", described.set.chip, name(described.set.precision),
                    detailName(described.set.detail), table.text(), passesText(described));
    for (const std::string& absent : described.set.absent) text += "Not counted: " + absent + ".\n";
    return text;
}

Result<void> listChips(Precision precision, bool asJson) {
    PLUMB_TRY(const std::vector<std::string> chips, counterChips());
    json list = json::array();
    Table table;
    table.add({"Chip", "passes quick", "full"});
    std::optional<Error> unknown;
    for (const std::string& chip : chips) {
        json entry{{"chip", chip}};
        std::vector<std::string> row{chip};
        for (const CounterDetail detail : kAllCounterDetails) {
            PLUMB_TRY(const DescribedSet described, describeCounters(chip, precision, detail));
            entry["passes_" + std::string(detailName(detail))] = passesJson(described);
            row.push_back(described.passesUnknown ? "–" : std::to_string(described.set.passes));
            if (described.passesUnknown) unknown = described.passesUnknown;
        }
        list.push_back(std::move(entry));
        table.add(std::move(row));
    }
    if (asJson)
        return print(dumpJson({{"precision", name(precision)},
                               {"chips", std::move(list)},
                               {"passes_unknown", unknown ? json(unknown->text()) : json()}},
                              1) +
                     "\n");
    std::string text = table.text();
    if (unknown) text += fmt::format("\nThe number of passes is not known: {}.\n", unknown->text());
    return print(text + "\nThe metrics of one: plumbline-cli counters --chip NAME\n");
}

Result<void> runCounters(const Arguments& arguments) {
    RunConfig config;
    PLUMB_CHECK(setOption(config, "precision", arguments.text("precision", "bf16")));
    if (!arguments.has("chip")) return listChips(config.precision, arguments.json());
    PLUMB_TRY(const CounterDetail detail, counterDetailFromName(arguments.text("detail", "full")));
    PLUMB_TRY(const DescribedSet described,
              describeCounters(arguments.text("chip"), config.precision, detail));
    return print(arguments.json() ? dumpJson(documentOf(described), 1) + "\n" : textOf(described));
}

}  // namespace

CommandSpec countersCommand() {
    return CommandSpec{
        .name = "counters",
        .help = "hardware counters of a chip: metrics, meanings, passes; without --chip the chips",
        .options = {{"chip", "NAME", "as the vendor calls it: GH100 is that of H100 and H200"},
                    {"precision", "P", "of the run: fp32, tf32, bf16, fp16 or fp8 (bf16)"},
                    {"detail", "quick|full", "without or with CUDA-core FLOPs and shared memory (full)"}},
        .run = runCounters};
}

}  // namespace plumb::cli
