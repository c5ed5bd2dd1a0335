// SPDX-License-Identifier: Apache-2.0
#include "core/kernel_report/kernel_report.h"

#include "core/base/ascii.h"
#include "core/io/csv_table.h"
#include "core/io/file.h"
#include "core/kernel_report/metric_number.h"
#include "core/measure/core_instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

namespace plumb {

namespace {

constexpr std::string_view kFirstColumns = "\"ID\",\"Process ID\"";
constexpr std::string_view kTensorOps = "sm__ops_path_tensor_";

/// Values of one kernel by metric, in base units.
using Metrics = std::map<std::string, double, std::less<>>;

std::optional<double> valueOf(const Metrics& metrics, std::string_view name) {
    const auto found = metrics.find(name);
    return found == metrics.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> sumOf(const Metrics& metrics, std::initializer_list<std::string_view> names) {
    double sum = 0;
    for (const std::string_view name : names) {
        const auto value = valueOf(metrics, name);
        if (!value) return std::nullopt;
        sum += *value;
    }
    return sum;
}

/// Instructions of a kind: as a sum, or as a rate per cycle, which is how the roofline sections have them.
std::optional<double> instructions(const Metrics& metrics, std::string_view op,
                                   std::optional<double> cycles) {
    for (const std::string_view unit : {"sm__", "smsp__"}) {
        const std::string name = fmt::format("{}sass_thread_inst_executed_op_{}_pred_on.sum", unit, op);
        if (const auto sum = valueOf(metrics, name)) return sum;
        const auto rate = valueOf(metrics, name + ".per_cycle_elapsed");
        if (rate && cycles) return *rate * *cycles;
    }
    return std::nullopt;
}

/// Cycles of the kernel by the clock that its rates per cycle refer to.
std::optional<double> cyclesOf(const Metrics& metrics, std::optional<double> seconds) {
    for (const std::string_view unit : {"smsp__", "sm__"}) {
        const auto clock = valueOf(metrics, std::string(unit) + "cycles_elapsed.avg.per_second");
        if (clock && seconds) return *clock * *seconds;
        for (const std::string_view rollup : {"cycles_elapsed.max", "cycles_elapsed.avg"})
            if (const auto cycles = valueOf(metrics, std::string(unit) + std::string(rollup))) return cycles;
    }
    return std::nullopt;
}

/// All three of a precision belong together: with an addition missing the sum would be short.
std::optional<double> coreFlopsOf(const Metrics& metrics, std::optional<double> cycles) {
    std::optional<double> sum;
    const auto family = [&](auto begin, auto end) {
        double flops = 0;
        for (auto each = begin; each != end; ++each) {
            const auto count = instructions(metrics, each->name, cycles);
            if (!count) return;
            flops += static_cast<double>(each->flops) * *count;
        }
        sum = sum.value_or(0) + flops;
    };
    for (std::size_t first = 0; first + 3 <= std::size(kCoreInstructions); first += 3)
        family(std::begin(kCoreInstructions) + first, std::begin(kCoreInstructions) + first + 3);
    family(std::begin(kPackedInstructions), std::end(kPackedInstructions));
    return sum;
}

/// "sm__ops_path_tensor_op_hmma_src_bf16" counts a part of "sm__ops_path_tensor_src_bf16", whose name this
/// is. Empty for a name without such a part.
std::string withoutUnit(std::string_view name) {
    constexpr std::string_view kUnit = "op_";
    const std::string_view rest = name.substr(kTensorOps.size());
    const std::size_t end = rest.find('_', kUnit.size());
    if (!rest.starts_with(kUnit) || end == std::string_view::npos) return {};
    return std::string(kTensorOps) + std::string(rest.substr(end + 1));
}

/// Metrics of single types may be counted beside their parts: what a longer name refines is not added twice.
std::optional<double> tensorFlopsOf(const Metrics& metrics) {
    std::optional<double> sum;
    std::string last;
    for (auto found = metrics.lower_bound(kTensorOps);
         found != metrics.end() && found->first.starts_with(kTensorOps); ++found) {
        constexpr std::string_view kSum = ".sum";
        if (!found->first.ends_with(kSum)) continue;
        const std::string name = found->first.substr(0, found->first.size() - kSum.size());
        if (!last.empty() && name.starts_with(last + "_")) continue;
        if (const std::string whole = withoutUnit(name); metrics.contains(whole + ".sum")) continue;
        last = name;
        sum = sum.value_or(0) + found->second;
    }
    return sum;
}

std::optional<double> firstOf(std::initializer_list<std::optional<double>> values) {
    for (const auto& value : values)
        if (value) return value;
    return std::nullopt;
}

std::optional<double> times(std::optional<double> a, std::optional<double> b) {
    return a && b ? std::optional(*a * *b) : std::nullopt;
}

void place(ReportedKernel& kernel, const Metrics& metrics) {
    kernel.seconds = firstOf({valueOf(metrics, "gpu__time_duration.sum"),
                              valueOf(metrics, "gpu__time_duration.avg"), valueOf(metrics, "Duration")});
    kernel.coreFlops = coreFlopsOf(metrics, cyclesOf(metrics, kernel.seconds));
    kernel.tensorFlops = tensorFlopsOf(metrics);
    constexpr double kSector = 32;
    const auto at = [&](ReportLevel level) -> std::optional<double>& {
        return kernel.bytes[static_cast<std::size_t>(level)];
    };
    at(ReportLevel::Dram) = firstOf({valueOf(metrics, "dram__bytes.sum"),
                                     sumOf(metrics, {"dram__bytes_read.sum", "dram__bytes_write.sum"}),
                                     sumOf(metrics, {"dram__bytes_op_read.sum", "dram__bytes_op_write.sum"}),
                                     times(valueOf(metrics, "dram__bytes.sum.per_second"), kernel.seconds),
                                     times(valueOf(metrics, "Memory Throughput"), kernel.seconds)});
    at(ReportLevel::L2) = firstOf({times(valueOf(metrics, "lts__t_sectors_srcunit_tex.sum"), kSector),
                                   valueOf(metrics, "lts__t_bytes.sum"),
                                   times(valueOf(metrics, "lts__t_bytes.sum.per_second"), kernel.seconds)});
    at(ReportLevel::L1) = firstOf({valueOf(metrics, "l1tex__t_bytes.sum"),
                                   times(valueOf(metrics, "l1tex__t_bytes.sum.per_second"), kernel.seconds)});
    const auto needs = [&](bool isThere, const char* what) {
        if (!isThere) kernel.missing.emplace_back(what);
    };
    needs(kernel.seconds.has_value(), "time (gpu__time_duration.sum)");
    needs(kernel.coreFlops.has_value(),
          "CUDA-core FLOPs (sm__sass_thread_inst_executed_op_{fadd,fmul,ffma}_pred_on.sum, or of h and d)");
    needs(kernel.tensorFlops.has_value(), "tensor-core FLOPs (sm__ops_path_tensor_*.sum)");
    needs(at(ReportLevel::Dram).has_value(), "DRAM bytes (dram__bytes_read.sum, dram__bytes_write.sum)");
    needs(at(ReportLevel::L2).has_value(), "L2 bytes (lts__t_sectors_srcunit_tex.sum)");
    needs(at(ReportLevel::L1).has_value(), "L1 bytes (l1tex__t_bytes.sum)");
}

/// Where the columns stand that are read.
struct Columns {
    std::size_t id = SIZE_MAX, name = SIZE_MAX, device = SIZE_MAX;
    std::size_t metric = SIZE_MAX, unit = SIZE_MAX, value = SIZE_MAX;  ///< of the details page
    std::size_t firstMetric = SIZE_MAX;                                ///< of the raw page
};

/// The names of metrics of the raw page have this in them; those of launches ("Block Size") have not.
bool isMetricName(std::string_view name) { return name.find("__") != std::string_view::npos; }

Columns columnsOf(const std::vector<std::string>& header) {
    Columns columns;
    for (std::size_t i = 0; i < header.size(); ++i) {
        const std::string& name = header[i];
        if (name == "ID") columns.id = i;
        if (name == "Kernel Name") columns.name = i;
        if (name == "Device") columns.device = i;
        if (name == "Metric Name") columns.metric = i;
        if (name == "Metric Unit") columns.unit = i;
        if (name == "Metric Value") columns.value = i;
        if (isMetricName(name)) columns.firstMetric = std::min(columns.firstMetric, i);
    }
    return columns;
}

/// Takes the rows of a report; a metric is a number and its unit until the decimal sign is known.
class ReportReader {
public:
    explicit ReportReader(std::vector<std::string> header)
        : m_header(std::move(header)), m_columns(columnsOf(m_header)) {}

    [[nodiscard]] bool isUsable() const {
        return m_columns.id != SIZE_MAX && m_columns.name != SIZE_MAX &&
               (isDetails() || m_columns.firstMetric != SIZE_MAX);
    }
    [[nodiscard]] bool isFull() const { return m_kernels.size() > KernelReport::kMostKernels; }

    void add(std::vector<std::string> cells) {
        if (cells.size() != m_header.size()) {
            ++m_report.lostRows;
            return;
        }
        if (!isDetails() && cells[m_columns.id].empty() && m_units.empty()) {
            m_units = std::move(cells);
            return;
        }
        const std::string& id = cells[m_columns.id];
        if (trimmed(id).empty() || !std::ranges::all_of(trimmed(id), isDigit)) {
            ++m_report.lostRows;
            return;
        }
        if (isDetails()) {
            // Rows of rules have no metric.
            if (cells[m_columns.metric].empty() || cells[m_columns.value].empty()) {
                (void)kernelOf(cells);
                return;
            }
            const std::string unit = m_columns.unit == SIZE_MAX ? "" : cells[m_columns.unit];
            addMetric(kernelOf(cells), cells[m_columns.metric], cells[m_columns.value], unit);
            return;
        }
        const std::size_t kernel = newKernel(cells);
        for (std::size_t i = m_columns.firstMetric; i < cells.size(); ++i)
            if (isMetricName(m_header[i]) && !cells[i].empty())
                addMetric(kernel, m_header[i], cells[i], m_units.empty() ? "" : m_units[i]);
    }

    Result<KernelReport> finish(const std::string& path) {
        bool points = false, commas = false;
        for (const Pending& each : m_pending) {
            const DecimalSign sign = decimalSignOf(each.value);
            points = points || sign == DecimalSign::Point;
            commas = commas || sign == DecimalSign::Comma;
        }
        if (points && commas)
            return badFile(path, "has numbers with a decimal point and numbers with a decimal comma",
                           "let one ncu write it, for example with LC_ALL=C");
        const DecimalSign decimal = commas ? DecimalSign::Comma : DecimalSign::Point;
        std::vector<Metrics> metrics(m_kernels.size());
        for (const Pending& each : m_pending) {
            std::string_view base;
            const auto value = metricNumber(each.value, decimal);
            const auto scale = unitScale(each.unit, base);
            if (!value || *value < 0 || !scale) {
                ++m_report.lostValues;
                continue;
            }
            // A section may call a percentage as it calls a rate.
            if (each.metric == "Memory Throughput" && base != "byte/second") continue;
            metrics[each.kernel].try_emplace(each.metric, *value * *scale);
        }
        for (std::size_t i = 0; i < m_kernels.size(); ++i) place(m_kernels[i], metrics[i]);
        m_report.isRawPage = !isDetails();
        m_report.hasDecimalComma = commas;
        m_report.kernels = std::move(m_kernels);
        return std::move(m_report);
    }

private:
    struct Pending {
        std::size_t kernel;
        std::string metric, value, unit;
    };

    [[nodiscard]] bool isDetails() const {
        return m_columns.metric != SIZE_MAX && m_columns.value != SIZE_MAX;
    }

    std::size_t newKernel(const std::vector<std::string>& cells) {
        m_kernels.push_back({.id = cells[m_columns.id],
                             .name = cells[m_columns.name],
                             .device = m_columns.device == SIZE_MAX ? "" : cells[m_columns.device]});
        return m_kernels.size() - 1;
    }

    std::size_t kernelOf(const std::vector<std::string>& cells) {
        // Two processes may both have a launch 0.
        std::string key = cells[m_columns.id] + '\n' + cells[m_columns.name];
        if (m_columns.id + 1 < cells.size()) key += '\n' + cells[m_columns.id + 1];
        const auto [found, isNew] = m_byKey.try_emplace(std::move(key), m_kernels.size());
        return isNew ? newKernel(cells) : found->second;
    }

    void addMetric(std::size_t kernel, const std::string& metric, std::string value, std::string unit) {
        if (isWanted(metric)) m_pending.push_back({kernel, metric, std::move(value), std::move(unit)});
    }

    /// Reports have hundreds of metrics of which these make the points.
    [[nodiscard]] static bool isWanted(std::string_view metric) {
        for (const std::string_view start :
             {"gpu__time_duration.", "dram__bytes", "lts__t_bytes.", "lts__t_sectors_srcunit_tex.",
              "l1tex__t_bytes.", "sm__sass_thread_inst_executed_op_", "smsp__sass_thread_inst_executed_op_",
              "sm__cycles_elapsed.", "smsp__cycles_elapsed.", "sm__ops_path_tensor_"})
            if (metric.starts_with(start)) return metric.find(".pct") == std::string_view::npos;
        return metric == "Duration" || metric == "Memory Throughput";
    }

    std::vector<std::string> m_header;
    Columns m_columns;
    std::vector<std::string> m_units;
    std::vector<Pending> m_pending;
    std::vector<ReportedKernel> m_kernels;
    std::unordered_map<std::string, std::size_t> m_byKey;
    KernelReport m_report;
};

/// The line that begins at `at`, without its end; a line break within quotes belongs to it.
std::string_view lineAt(std::string_view text, std::size_t at) {
    constexpr std::size_t kLongestLine = std::size_t{1} << 20U;
    bool quoted = false;
    std::size_t end = at;
    for (; end < text.size() && end - at < kLongestLine; ++end) {
        if (text[end] == '"') quoted = !quoted;
        if (text[end] == '\n' && !quoted) break;
    }
    // A quote that is never closed does not take the rest of the file.
    if (quoted) end = std::min(text.find('\n', at), text.size());
    return text.substr(at, end - at);
}

/// Where the header begins; npos without one. Lines of the profiled program and of ncu may come first.
std::size_t headerOf(std::string_view text) {
    for (std::size_t at = text.find(kFirstColumns); at != std::string_view::npos;
         at = text.find(kFirstColumns, at + 1))
        if (at == 0 || text[at - 1] == '\n' || text.substr(0, at).ends_with("\xEF\xBB\xBF")) return at;
    return std::string_view::npos;
}

}  // namespace

std::optional<double> ReportedKernel::flops() const {
    if (!coreFlops && !tensorFlops) return std::nullopt;
    return coreFlops.value_or(0) + tensorFlops.value_or(0);
}

std::optional<double> ReportedKernel::rate() const {
    const auto work = flops();
    return work && seconds && *seconds > 0 ? std::optional(*work / *seconds) : std::nullopt;
}

std::optional<double> ReportedKernel::intensity(ReportLevel level) const {
    const auto work = flops();
    const auto& moved = bytes[static_cast<std::size_t>(level)];
    return work && moved && *moved > 0 ? std::optional(*work / *moved) : std::nullopt;
}

std::optional<double> ReportedKernel::bandwidth(ReportLevel level) const {
    const auto& moved = bytes[static_cast<std::size_t>(level)];
    return moved && seconds && *seconds > 0 ? std::optional(*moved / *seconds) : std::nullopt;
}

KernelPoints kernelPoints(const KernelReport& report, ReportLevel level) {
    KernelPoints all;
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> places;
    for (const ReportedKernel& kernel : report.kernels) {
        const auto rate = kernel.rate(), intensity = kernel.intensity(level);
        if (!rate || !intensity || *rate <= 0 || *intensity <= 0) {
            ++all.withoutPlace;
            continue;
        }
        const auto [place, isNew] = places.try_emplace({kernel.name, kernel.device}, all.points.size());
        if (isNew) all.points.push_back({.name = kernel.name, .device = kernel.device});
        KernelPoint& point = all.points[place->second];
        ++point.launches;
        point.seconds += *kernel.seconds;
        point.flops += *kernel.flops();
        point.bytes += *kernel.bytes[static_cast<std::size_t>(level)];
        point.isLeast = point.isLeast || !kernel.coreFlops || !kernel.tensorFlops;
    }
    std::ranges::stable_sort(all.points, std::ranges::greater(), &KernelPoint::seconds);
    return all;
}

std::vector<std::string> KernelReport::losses() const {
    std::vector<std::string> all;
    if (lostRows > 0) all.push_back(fmt::format("{} rows do not fit the header and were left out", lostRows));
    if (lostValues > 0)
        all.push_back(fmt::format("{} values are no number, are negative, or have an unknown unit; they are "
                                  "absent",
                                  lostValues));
    return all;
}

bool looksLikeKernelReport(std::string_view start) {
    return headerOf(start) != std::string_view::npos || start.starts_with("==PROF==");
}

Result<KernelReport> parseKernelReport(std::string_view text, const std::string& path) {
    const std::size_t header = headerOf(text);
    const Error none = badFile(path, "has no table of kernels",
                               "write it with: ncu --import report.ncu-rep --page raw --csv");
    if (header == std::string_view::npos) return none;
    std::string_view line = lineAt(text, header);
    ReportReader reader(csvCells(trimmed(line, "\r\n")));
    if (!reader.isUsable()) return none;
    for (std::size_t at = header + line.size() + 1; at < text.size(); at += line.size() + 1) {
        line = lineAt(text, at);
        const std::string_view row = trimmed(line, "\r\n");
        // ncu goes on saying what it does, and a second report repeats the header.
        if (row.empty() || row.starts_with("==") || row.starts_with(kFirstColumns)) continue;
        reader.add(csvCells(row));
        if (reader.isFull())
            return badFile(path, fmt::format("has more than {} kernels", KernelReport::kMostKernels),
                           "profile fewer launches: ncu --launch-count");
    }
    return reader.finish(path);
}

Result<KernelReport> readKernelReport(const std::string& path) {
    PLUMB_TRY(const std::string text, readFile(path, KernelReport::kMostBytes));
    return parseKernelReport(text, path);
}

}  // namespace plumb
