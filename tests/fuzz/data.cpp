// SPDX-License-Identifier: Apache-2.0
// Own data in archives and tables: the first line names what is taken, the rest is the file.
#include "core/data/batch_source.h"
#include "core/data/data_fingerprint.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <stdexcept>
#include <zip.h>

namespace plumb::fuzz {
namespace {

/// What the first line says: "PART PART HOLD-OUT standardize", each of which may be left out.
RunConfig configOf(std::string_view line, const std::string& path) {
    std::vector<std::string> words(1);
    for (const char c : line)
        if (c == ' ')
            words.emplace_back();
        else
            words.back() += c;
    words.resize(4);
    RunConfig config;
    config.data = words[0].empty() ? path : path + ":" + words[0];
    if (!words[1].empty()) config.targets = path + ":" + words[1];
    (void)isTaken(setOption(config, "hold-out", words[2]));
    config.standardize = words[3] == "standardize";
    config.layers = config.batch = config.dim = config.outputs = 1;
    return config;
}

void readSamples(const BatchSource& source, const RunConfig& config) {
    require(source.samples() > 0 && source.heldOut() >= 0, "data that are opened have samples");
    constexpr std::int64_t kCount = 2;
    std::vector<float> x(static_cast<std::size_t>(kCount * config.dim));
    std::vector<float> t(static_cast<std::size_t>(kCount * config.outputs));
    for (const std::int64_t first : {std::int64_t{0}, source.samples() - 1})
        (void)source.copySamples(first, x, t);
    if (const std::int64_t held = std::min(kCount, source.heldOut()); held > 0)
        (void)source.copyHeldOut(source.heldOut() - held,
                                 std::span(x).first(static_cast<std::size_t>(held * config.dim)),
                                 std::span(t).first(static_cast<std::size_t>(held * config.outputs)));
    (void)source.describe(source.samples());
    (void)provenanceOf(source);
}

/// All that a training does with its data before its first step, and the samples of two batches.
void use(RunConfig config) {
    if (!isTaken(validate(config))) return;
    const auto widths = widthsOfData(config);
    if (!isTaken(widths)) return;
    require(widths->features.value_or(0) > 0 && widths->targets.value_or(0) > 0, "data have widths");
    constexpr std::int64_t kWide = 100'000;
    config.dim = *widths->features;
    config.outputs = *widths->targets;
    if (std::max(config.dim, config.outputs) > kWide || !validate(config).has_value()) return;
    const auto source = openData(config);
    if (isTaken(source)) readSamples(**source, config);

    const auto prints = dataFingerprints(config);
    require(prints.has_value(), "data that are read have fingerprints");
    const auto again = dataFingerprintsFrom(toText(*prints), "it");
    require(again.has_value() && differingData(*prints, *again).empty(),
            "fingerprints that are written are read");
}

/// The arrays x and y of an archive: what is between the magic words of .npy files, the first stored and the
/// second deflated.
void writeArchive(const std::string& path, std::string_view arrays) {
    constexpr std::string_view kMagic = "\x93NUMPY";
    const std::size_t second = std::min(arrays.find(kMagic, 1), arrays.size());
    int problem = 0;
    zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &problem);
    if (archive == nullptr) throw std::runtime_error("no archive can be made in " + path);
    const auto add = [&](const char* name, std::string_view content, int method) {
        zip_source_t* const source = zip_source_buffer(archive, content.data(), content.size(), 0);
        const zip_int64_t index = zip_file_add(archive, name, source, ZIP_FL_OVERWRITE);
        if (index < 0) throw std::runtime_error("no member can be added to " + path);
        (void)zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), method, 1);
    };
    add("x.npy", arrays.substr(0, second), ZIP_CM_STORE);
    add("y.npy", arrays.substr(second), ZIP_CM_DEFLATE);
    if (zip_close(archive) != 0) throw std::runtime_error("an archive cannot be written in " + path);
}

}  // namespace

void npz(std::string_view input) {
    static const TemporaryFolder folder;
    const std::string path = folder.file("data.npz");
    const std::string_view line = lines(input).front();
    const std::string_view content = input.substr(std::min(line.size() + 1, input.size()));
    if (content.starts_with("PK"))
        putFile(path, std::string(content));
    else
        writeArchive(path, content);
    use(configOf(line, path));
}

void csv(std::string_view input) {
    static const TemporaryFolder folder;
    const std::string path = folder.file("data.csv");
    const std::string_view line = lines(input).front();
    putFile(path, std::string(input.substr(std::min(line.size() + 1, input.size()))));
    use(configOf(line, path));
}

}  // namespace plumb::fuzz
