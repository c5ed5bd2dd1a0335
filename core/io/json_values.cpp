// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_values.h"

#include <cmath>

namespace plumb {

using nlohmann::json;

json numberJson(std::optional<double> value) {
    return value && std::isfinite(*value) ? json(*value) : json();
}

json countJson(std::optional<std::int64_t> value) { return value ? json(*value) : json(); }

json numbersJson(const std::vector<double>& values) {
    json result = json::array();
    for (const double value : values) result.push_back(numberJson(value));
    return result;
}

std::vector<std::int64_t> readCounts(const JsonField& field) {
    std::vector<std::int64_t> values(field.arraySize());
    for (std::size_t i = 0; i < values.size() && field.ok(); ++i) values[i] = field.at(i).count();
    return values;
}

std::vector<double> readNumbers(const JsonField& field, bool nullIsNan) {
    std::vector<double> values(field.arraySize());
    for (std::size_t i = 0; i < values.size() && field.ok(); ++i)
        values[i] = nullIsNan ? field.at(i).numberOrNan() : field.at(i).number();
    return values;
}

}  // namespace plumb
