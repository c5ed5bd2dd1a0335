// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"
#include "core/lab/layout_steps.h"
#include "core/machine/machine.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {
namespace {

std::vector<std::int64_t> shapeOf(std::string_view text) {
    std::vector<std::int64_t> shape;
    while (!text.empty()) {
        const std::size_t end = text.find(' ');
        const auto extent = parseSize(text.substr(0, end));
        if (isTaken(extent)) shape.push_back(*extent);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return shape;
}

void checkStep(const lab::AppliedStep& step) {
    using namespace lab;
    const TensorLayout& layout = step.layout;
    require(layout.shape.size() == layout.strides.size(), "each dimension has a stride");
    require(layout.elements() >= 0 && layout.distinctElements() >= 0, "elements are counted");
    require(step.elementsRead >= 0 && step.elementsWritten >= 0, "copied elements are counted");
    (void)layout.isContiguous();
    (void)layout.isDense();
    (void)preservedStrides(layout);
    (void)unmergeable(layout);
    constexpr std::size_t kSome = 200;
    for (const std::int64_t position : storagePositions(layout, kSome))
        require(position >= 0 && position < layout.storageElements, "an element lies in its storage");
    std::vector<std::int64_t> last;
    for (const std::int64_t extent : layout.shape) last.push_back(extent - 1);
    (void)addressOf(layout, last, Dtype::Fp64);
    (void)copyCost(step, Dtype::Fp32, Machine{}, std::nullopt);
}

}  // namespace

void layout(std::string_view input) {
    const auto all = lines(input);
    const auto steps = lab::parseSteps(all.front());
    const auto start = lab::newTensor(all.size() > 1 ? shapeOf(all[1]) : std::vector<std::int64_t>{2, 3, 4});
    if (!steps.has_value() || !start.has_value()) return;
    for (const lab::AppliedStep& step : lab::applySteps(*start, *steps).steps) checkStep(step);
}

}  // namespace plumb::fuzz
