// SPDX-License-Identifier: Apache-2.0
#include "core/opening/op_arguments.h"

#include "core/io/json_fields.h"
#include "core/plan/einsum.h"
#include "core/trace/collective_match.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plumb {

namespace {

using nlohmann::json;

constexpr std::size_t kMostArgumentBytes = std::size_t{1} << 20U;

bool isShape(const json& value) {
    return value.is_array() &&
           std::ranges::all_of(value, [](const json& size) { return size.is_number_integer() && size >= 0; });
}

OpArgument argumentOf(const json& shape, std::string type) {
    OpArgument argument{{}, std::move(type)};
    for (const json& size : shape) argument.shape.push_back(size.get<std::int64_t>());
    return argument;
}

/// "float" of "TensorList" is not said: types of the tensors of a list are not known.
bool isTensor(std::string_view type) {
    return !type.empty() && type != "Scalar" && type != "ScalarList" && type != "TensorList";
}

Einsum matrixProduct(bool isBatched, bool isTransposed) {
    if (isBatched) return Einsum::parse("batch row inner, batch inner column -> batch row column").value();
    return Einsum::parse(isTransposed ? "row inner, column inner -> row column"
                                      : "row inner, inner column -> row column")
        .value();
}

}  // namespace

std::vector<OpArgument> opArguments(std::string_view shapes, std::string_view types) {
    const auto dims = parseJson(shapes, "shapes", kMostArgumentBytes);
    if (!dims.has_value() || !dims->is_array()) return {};
    json names = json::array();
    if (const auto parsed = parseJson(types, "types", kMostArgumentBytes); parsed.has_value())
        names = *parsed;
    std::vector<OpArgument> arguments;
    for (std::size_t i = 0; i < dims->size(); ++i) {
        const json& shape = (*dims)[i];
        const bool isNamed = names.is_array() && i < names.size() && names[i].is_string();
        const std::string type = isNamed ? names[i].get<std::string>() : std::string();
        if (isShape(shape)) {
            if (isTensor(type) || !shape.empty()) arguments.push_back(argumentOf(shape, type));
        } else if (shape.is_array() && std::ranges::all_of(shape, isShape)) {
            for (const json& each : shape) arguments.push_back(argumentOf(each, ""));
        }
    }
    return arguments;
}

std::optional<Dtype> dtypeOfTorch(std::string_view type) {
    static constexpr std::array<std::pair<std::string_view, Dtype>, 6> kTypes{
        {{"float", Dtype::Fp32},
         {"double", Dtype::Fp64},
         {"c10::BFloat16", Dtype::Bf16},
         {"c10::Half", Dtype::Fp16},
         {"c10::Float8_e4m3fn", Dtype::Fp8E4M3},
         {"c10::Float8_e5m2", Dtype::Fp8E5M2}}};
    const auto found = std::ranges::find(kTypes, type, [](const auto& known) { return known.first; });
    return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

Bytes bytesOfArguments(const std::vector<OpArgument>& arguments) {
    Bytes sum = 0;
    for (const OpArgument& argument : arguments) {
        Bytes bytes = trace::elementBytes(argument.type);
        bool fits = true;
        for (const std::int64_t size : argument.shape)
            fits = fits && !__builtin_mul_overflow(bytes, size, &bytes);
        if (!fits || __builtin_add_overflow(sum, bytes, &sum)) return 0;
    }
    return sum;
}

bool isViewOrEmpty(std::string_view kind) {
    static constexpr std::array<std::string_view, 26> kKinds{"aten::t",
                                                             "aten::transpose",
                                                             "aten::view",
                                                             "aten::_unsafe_view",
                                                             "aten::expand",
                                                             "aten::permute",
                                                             "aten::slice",
                                                             "aten::select",
                                                             "aten::squeeze",
                                                             "aten::unsqueeze",
                                                             "aten::narrow",
                                                             "aten::unbind",
                                                             "aten::split",
                                                             "aten::chunk",
                                                             "aten::as_strided",
                                                             "aten::detach",
                                                             "detach",
                                                             "aten::alias",
                                                             "aten::view_as",
                                                             "aten::expand_as",
                                                             "aten::empty",
                                                             "aten::empty_like",
                                                             "aten::empty_strided",
                                                             "aten::new_empty",
                                                             "aten::_reshape_alias",
                                                             "aten::resolve_conj"};
    return std::ranges::find(kKinds, kind) != kKinds.end();
}

std::optional<ProductCost> productCost(std::string_view kind, const std::vector<OpArgument>& arguments) {
    const bool adds = kind == "aten::addmm" || kind == "aten::baddbmm";
    const bool isBatched = kind == "aten::bmm" || kind == "aten::baddbmm";
    const bool isLinear = kind == "aten::linear";
    if (!adds && !isBatched && !isLinear && kind != "aten::mm") return std::nullopt;
    const std::size_t first = adds ? 1 : 0;
    if (arguments.size() < first + 2) return std::nullopt;
    std::vector<std::int64_t> left = arguments[first].shape;
    const std::vector<std::int64_t>& right = arguments[first + 1].shape;
    const auto type = dtypeOfTorch(arguments[first].type);
    if (!type || arguments[first + 1].type != arguments[first].type) return std::nullopt;
    if (isLinear && left.size() > 2) {  // all but the last dimension are rows
        std::int64_t rows = 1;
        for (std::size_t i = 0; i + 1 < left.size(); ++i)
            if (__builtin_mul_overflow(rows, left[i], &rows)) return std::nullopt;
        left = {rows, left.back()};
    }
    const std::size_t rank = isBatched ? 3 : 2;
    if (left.size() != rank || right.size() != rank) return std::nullopt;
    DimensionSizes sizes{{"row", left[rank - 2]},
                         {"inner", left[rank - 1]},
                         {"column", right[isLinear ? rank - 2 : rank - 1]}};
    if (isBatched) sizes["batch"] = left[0];
    if (right[isLinear ? rank - 1 : rank - 2] != left[rank - 1] || (isBatched && right[0] != left[0]))
        return std::nullopt;
    const Einsum product = matrixProduct(isBatched, isLinear);
    const auto flops = einsumFlops(product, sizes);
    const auto bytes = einsumBytes(product, sizes, {*type, *type, *type});
    if (!flops.has_value() || !bytes.has_value()) return std::nullopt;
    return ProductCost{*flops, *bytes, *type};
}

}  // namespace plumb
