// SPDX-License-Identifier: Apache-2.0
#include "core/base/ascii.h"
#include "core/io/json_fields.h"
#include "core/planner/model.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cctype>
#include <cstdio>

namespace plumb {

extern const std::string_view modelsJson;  // generated from resources/models.json

namespace planner {

namespace {

Result<std::vector<ModelPreset>> readPresets() {
    PLUMB_TRY(const nlohmann::json document, parseJson(modelsJson, "models.json"));
    JsonField::Problem problem;
    const JsonField root(document, "", problem);
    const JsonField list = root["models"];
    std::vector<ModelPreset> presets(list.arraySize());
    for (std::size_t i = 0; i < presets.size(); ++i) {
        const JsonField entry = list.at(i);
        ModelPreset& preset = presets[i];
        preset.key = entry["key"].text();
        preset.label = entry["label"].text();
        preset.group = entry["group"].text();
        preset.source = entry["source"].text();
        const JsonField config = entry["config"];
        if (!config.expectObject()) break;
        PLUMB_TRY(preset.model, modelFromConfig(config.json()->dump(), "preset " + preset.key));
        preset.model.name = preset.label;
        preset.model.source = "preset " + preset.key + ": " + preset.source;
    }
    if (problem) return *problem;
    return presets;
}

/// Letters and digits in lower case: "Llama 3 70B" and "llama-3-70b" are the same. Points part numbers:
/// gpt3-13b is not GPT-3 1.3B.
std::string plain(std::string_view text, bool points) {
    std::string result;
    for (const char c : text)
        if (isLetter(c) || isDigit(c) || (points && c == '.')) result += lowerCase(c);
    return result;
}

/// Those that `part` names in full, else those that it is a part of.
std::vector<const ModelPreset*> presetsLike(std::string_view part, bool points) {
    const std::string wanted = plain(part, points);
    std::vector<const ModelPreset*> whole, partly;
    if (wanted.empty()) return whole;
    for (const ModelPreset& preset : modelPresets()) {
        const std::string key = plain(preset.key, points), label = plain(preset.label, points);
        if (key == wanted || label == wanted) whole.push_back(&preset);
        if (key.find(wanted) != std::string::npos || label.find(wanted) != std::string::npos)
            partly.push_back(&preset);
    }
    return whole.empty() ? partly : whole;
}

}  // namespace

const std::vector<ModelPreset>& modelPresets() {
    static const std::vector<ModelPreset> presets = [] {
        auto read = readPresets();
        if (!read.has_value()) {
            // A defect of this very build; tests/core/planner/model_test.cpp keeps it from being shipped.
            std::fprintf(stderr, "plumbline: models.json: %s\n", read.error().text().c_str());
            return std::vector<ModelPreset>{};
        }
        return std::move(read).value();
    }();
    return presets;
}

Result<ModelSpec> findModel(std::string_view part) {
    std::vector<const ModelPreset*> candidates = presetsLike(part, true);
    if (candidates.empty()) candidates = presetsLike(part, false);  // "qwen25 7b"
    if (candidates.size() == 1) return candidates.front()->model;
    std::string names;
    if (candidates.empty()) {
        for (const ModelPreset& preset : modelPresets()) names += (names.empty() ? "" : ", ") + preset.key;
        return Error{ErrorCode::BadInput, fmt::format("no model is called '{:s}'", part),
                     "give a config.json, or choose one of " + names};
    }
    for (const ModelPreset* preset : candidates) names += (names.empty() ? "" : ", ") + preset->key;
    return Error{ErrorCode::BadInput,
                 "'" + std::string(part) + "' fits " + std::to_string(candidates.size()) + " models",
                 "choose one of " + names};
}

}  // namespace planner

}  // namespace plumb
