// SPDX-License-Identifier: Apache-2.0
#include "core/lab/layout_steps.h"

#include "core/base/dtype_bytes.h"
#include "core/base/shape_text.h"
#include "core/lab/layout_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace plumb::lab {

namespace {

using Sizes = std::vector<std::int64_t>;

AppliedStep sharing(TensorLayout layout, Sharing how = Sharing::View, std::string note = "") {
    return AppliedStep{.layout = std::move(layout), .sharing = how, .note = std::move(note)};
}

/// Storage that `strides` need.
std::int64_t reach(const TensorLayout& layout) {
    if (layout.elements() == 0) return 0;
    std::int64_t last = 0;
    for (std::size_t i = 0; i < layout.rank(); ++i) last += (layout.shape[i] - 1) * layout.strides[i];
    return last + 1;
}

AppliedStep copied(const TensorLayout& before, Sizes shape, Sizes strides, int storage, std::string note) {
    AppliedStep applied;
    applied.sharing = Sharing::Copy;
    applied.note = std::move(note);
    applied.layout.shape = std::move(shape);
    applied.layout.strides = std::move(strides);
    applied.layout.storage = storage;
    applied.layout.place = before.place;
    applied.layout.storageElements = reach(applied.layout);
    applied.elementsRead = before.distinctElements();
    applied.elementsWritten = applied.layout.elements();
    return applied;
}

AppliedStep rowMajorCopy(const TensorLayout& before, Sizes shape, int storage, std::string note) {
    Sizes strides = contiguousStrides(shape);
    return copied(before, std::move(shape), std::move(strides), storage, std::move(note));
}

/// reshape(): a view where there is one.
Result<AppliedStep> reshaped(const TensorLayout& before, std::span<const std::int64_t> sizes, int storage) {
    PLUMB_TRY(Sizes shape, inferShape(sizes, before.elements()));
    if (const auto strides = viewStrides(before, shape)) {
        TensorLayout layout = before;
        layout.shape = std::move(shape);
        layout.strides = *strides;
        return sharing(std::move(layout));
    }
    return rowMajorCopy(before, std::move(shape), storage, "no view has this shape: " + unmergeable(before));
}

Result<AppliedStep> flattened(const TensorLayout& before, std::int64_t first, std::int64_t last,
                              int storage) {
    PLUMB_TRY(const std::size_t begin, wrapDimension(first, before.rank()));
    PLUMB_TRY(const std::size_t end, wrapDimension(last, before.rank()));
    if (begin > end)
        return torchError("flatten() has invalid args: start_dim cannot come after end_dim",
                          "give the smaller dimension first");
    if (before.rank() == 0) return reshaped(before, Sizes{1}, storage);
    if (begin == end) return sharing(before, Sharing::Same);
    Sizes shape(before.shape.begin(), before.shape.begin() + static_cast<std::ptrdiff_t>(begin));
    std::int64_t merged = 1;
    for (std::size_t i = begin; i <= end; ++i) merged *= before.shape[i];
    shape.push_back(merged);
    shape.insert(shape.end(), before.shape.begin() + static_cast<std::ptrdiff_t>(end) + 1,
                 before.shape.end());
    return reshaped(before, shape, storage);
}

Result<AppliedStep> reversed(const TensorLayout& before) {
    TensorLayout layout = before;
    std::reverse(layout.shape.begin(), layout.shape.end());
    std::reverse(layout.strides.begin(), layout.strides.end());
    return sharing(
        std::move(layout), Sharing::View,
        before.rank() == 2 ? "" : "torch deprecates .T of other than two dimensions; use .mT or .permute()");
}

Result<AppliedStep> matrixTransposed(const TensorLayout& before, StepKind kind) {
    const std::size_t rank = before.rank();
    if (kind == StepKind::TransposeOfMatrix) {
        if (rank > 2)
            return torchError(fmt::format("t() expects a tensor with <= 2 dimensions, but self is {}D", rank),
                              "name the two dimensions with .transpose()");
        if (rank < 2) return sharing(before);
    } else if (rank == 0) {
        return sharing(before, Sharing::Same, "torch deprecates .mT of a tensor without dimensions");
    } else if (rank == 1) {
        return torchError(
            fmt::format("tensor.mT is only supported on matrices or batches of matrices. Got {}-D tensor.",
                        rank),
            kAddDimension);
    }
    PLUMB_TRY(TensorLayout layout, transposed(before, -2, -1));
    return sharing(std::move(layout));
}

Result<AppliedStep> triangle(const TensorLayout& before, StepKind kind, int storage) {
    if (before.rank() < 2)
        return torchError(fmt::format("{}: input tensor must have at least 2 dimensions",
                                      kind == StepKind::Triu ? "triu" : "tril"),
                          kAddDimension);
    return rowMajorCopy(before, before.shape, storage,
                        "the other triangle becomes 0, so the memory is its own");
}

Result<AppliedStep> repeated(const TensorLayout& before, std::span<const std::int64_t> times, int storage) {
    if (times.size() < before.rank())
        return torchError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
            "give a number for every dimension");
    Sizes shape(times.size() - before.rank(), 1);
    shape.insert(shape.end(), before.shape.begin(), before.shape.end());
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i] < 0)
            return torchError(fmt::format("{} repetitions", times[i]), "repeat at least 0 times");
        shape[i] = mulOrOverflow(shape[i], times[i]);
        if (shape[i] < 0) return torchError("no memory holds such a tensor", "repeat less often");
    }
    if (const auto fits = newTensor(shape); !fits.has_value()) return fits.error();
    return rowMajorCopy(before, std::move(shape), storage,
                        "strides cannot say repeat; only .expand() of a size 1 can");
}

AppliedStep moved(const TensorLayout& before, Place place, int storage) {
    if (before.place == place) return sharing(before, Sharing::Same, "it is there already");
    AppliedStep applied = copied(before, before.shape, preservedStrides(before), storage, "");
    applied.layout.place = place;
    applied.gatheredFirst = !before.isDense();
    applied.note = applied.gatheredFirst
                       ? "gathered without gaps first, then copied over the bus in one piece"
                       : "copied over the bus in one piece";
    return applied;
}

/// Writes through the tensor into its storage, which all that share it see.
Result<AppliedStep> written(const TensorLayout& before, const LayoutStep& step) {
    for (std::size_t i = 0; i < before.rank(); ++i)
        if (before.strides[i] == 0 && before.shape[i] > 1 && before.elements() > 0)
            return torchError(
                "unsupported operation: more than one element of the written-to tensor refers to a single "
                "memory location. Please clone() the tensor before performing the operation.",
                "write before .expand(), or into a .clone()");
    AppliedStep applied =
        sharing(before, Sharing::Same,
                fmt::format("written into storage {}: every tensor that shares it sees it", before.storage));
    applied.elementsWritten = before.elements();
    const bool reads = step.name != "fill_" && step.name != "zero_";
    applied.elementsRead = reads ? before.elements() : 0;
    return applied;
}

/// A number of the layout, of one dimension where that is named.
Result<std::string> sizeOrStride(const TensorLayout& before, const LayoutStep& step) {
    const bool stride = step.name == "stride";
    const Sizes& numbers = stride ? before.strides : before.shape;
    if (step.numbers.empty() || step.numbers[0] == kNoDimension) {
        if (!stride) return fmt::format("torch.Size({})", shapeText(numbers));
        return numbers.size() == 1 ? fmt::format("({},)", numbers[0])
                                   : fmt::format("({})", fmt::join(numbers, ", "));
    }
    if (before.rank() == 0)
        return torchError(
            fmt::format("Dimension specified as {} but tensor has no dimensions", step.numbers[0]),
            kAddDimension);
    PLUMB_TRY(const std::size_t dimension, wrapDimension(step.numbers[0], before.rank()));
    return fmt::format("{}", numbers[dimension]);
}

Result<AppliedStep> answered(const TensorLayout& before, const LayoutStep& step) {
    AppliedStep applied = sharing(before, Sharing::Same);
    if (step.name == "numel" || step.name == "nelement") {
        applied.answer = fmt::format("{}", before.elements());
    } else if (step.name == "is_contiguous") {
        applied.answer = before.isContiguous() ? "True" : "False";
        if (!before.isContiguous()) applied.note = unmergeable(before);
    } else if (step.name == "storage_offset") {
        applied.answer = fmt::format("{}", before.offset);
    } else if (step.name == "dim" || step.name == "ndim") {
        applied.answer = fmt::format("{}", before.rank());
    } else {
        PLUMB_TRY(applied.answer, sizeOrStride(before, step));
    }
    return applied;
}

/// The shape that two operands are broadcast to. Errors: torch's.
Result<Sizes> broadcast(const Sizes& a, const Sizes& b) {
    Sizes shape(std::max(a.size(), b.size()));
    for (std::size_t i = shape.size(); i-- > 0;) {
        const auto sizeOf = [&](const Sizes& sizes) {
            const std::size_t added = shape.size() - sizes.size();
            return i < added ? std::int64_t{1} : sizes[i - added];
        };
        const std::int64_t first = sizeOf(a), second = sizeOf(b);
        if (first != second && first != 1 && second != 1)
            return torchError(fmt::format("The size of tensor a ({}) must match the size of tensor b ({}) at "
                                          "non-singleton dimension {}",
                                          first, second, i),
                              "only sizes of 1 are repeated; [:, None] or .T makes some");
        shape[i] = first == 1 ? second : first;
    }
    return shape;
}

/// Elementwise of `before` and `step.other`.
Result<AppliedStep> combined(const TensorLayout& before, const TensorLayout& other, int storage) {
    // A tensor without dimensions in the host's memory is a number to a GPU, but not the other way round.
    const auto isNumber = [](const TensorLayout& layout) {
        return layout.rank() == 0 && layout.place == Place::Host;
    };
    if (before.place != other.place && !isNumber(before) && !isNumber(other))
        return torchError("Expected all tensors to be on the same device, but found at least two devices",
                          "move the tensor first and reckon then");
    PLUMB_TRY(Sizes shape, broadcast(before.shape, other.shape));
    if (const auto fits = newTensor(shape); !fits.has_value()) return fits.error();
    std::array<TensorLayout, 2> operands{before, other};
    std::string note = "every element is worked out anew";
    for (TensorLayout& operand : operands) {
        if (operand.shape == shape) continue;
        note += fmt::format("; {} is read as {}, repeated with stride 0", shapeText(operand.shape),
                            shapeText(shape));
        Sizes strides(shape.size(), 0);
        const std::size_t added = shape.size() - operand.rank();
        for (std::size_t i = 0; i < operand.rank(); ++i)
            if (operand.shape[i] == shape[i + added]) strides[i + added] = operand.strides[i];
        operand.shape = shape;
        operand.strides = std::move(strides);
    }
    Sizes strides = resultStrides(operands, before.shape != other.shape);
    AppliedStep applied = copied(before, std::move(shape), std::move(strides), storage, std::move(note));
    if (before.place != other.place) applied.layout.place = Place::Gpu;
    const bool isSame = before.storage == other.storage && before.offset == other.offset &&
                        before.shape == other.shape && before.strides == other.strides;
    if (!isSame) applied.elementsRead += other.distinctElements();
    applied.other = other;
    return applied;
}

Result<AppliedStep> view(Result<TensorLayout> layout) {
    if (!layout.has_value()) return layout.error();
    return sharing(std::move(layout).value());
}

Result<AppliedStep> apply(const TensorLayout& before, const LayoutStep& step, int storage) {
    const Sizes& numbers = step.numbers;
    switch (step.kind) {
    case StepKind::Index:
        return view(indexed(before, step.items));
    case StepKind::Transpose:
        return view(transposed(before, numbers[0], numbers[1]));
    case StepKind::Permute:
        return view(permuted(before, numbers));
    case StepKind::ReverseDimensions:
        return reversed(before);
    case StepKind::MatrixTranspose:
    case StepKind::TransposeOfMatrix:
        return matrixTransposed(before, step.kind);
    case StepKind::View:
        return view(viewed(before, numbers));
    case StepKind::Reshape:
        return reshaped(before, numbers, storage);
    case StepKind::Flatten:
        return flattened(before, numbers[0], numbers[1], storage);
    case StepKind::Ravel:
        if (!before.isContiguous())
            return rowMajorCopy(before, Sizes{before.elements()}, storage, unmergeable(before));
        return reshaped(before, Sizes{before.elements()}, storage);
    case StepKind::Expand:
        return view(expanded(before, numbers));
    case StepKind::Squeeze:
        return view(squeezed(before, numbers));
    case StepKind::Unsqueeze:
        return view(unsqueezed(before, numbers[0]));
    case StepKind::Select:
        return view(selected(before, numbers[0], numbers[1]));
    case StepKind::Narrow:
        return view(narrowed(before, numbers[0], numbers[1], numbers[2]));
    case StepKind::Diagonal:
        return view(diagonalOf(before, numbers[0], numbers[1], numbers[2]));
    case StepKind::Contiguous:
        if (before.isContiguous()) return sharing(before, Sharing::Same, "it is contiguous already");
        return rowMajorCopy(before, before.shape, storage, unmergeable(before));
    case StepKind::Clone:
        return copied(before, before.shape, preservedStrides(before), storage, "");
    case StepKind::Triu:
    case StepKind::Tril:
        return triangle(before, step.kind, storage);
    case StepKind::Flip: {
        PLUMB_TRY(const std::vector<bool> marked, markDimensions(numbers, before.rank()));
        (void)marked;
        return copied(before, before.shape, preservedStrides(before), storage, "strides are never negative");
    }
    case StepKind::Repeat:
        return repeated(before, numbers, storage);
    case StepKind::ToGpu:
        return moved(before, Place::Gpu, storage);
    case StepKind::ToHost:
        return moved(before, Place::Host, storage);
    case StepKind::Elementwise:
        if (step.takesTensor) return internalError("a second tensor needs the first one of its chain");
        return copied(before, before.shape, resultStrides(std::span(&before, 1), false), storage,
                      "every element is worked out anew");
    case StepKind::InPlace:
        return written(before, step);
    case StepKind::Question:
        return answered(before, step);
    }
    return internalError("unknown step");
}

}  // namespace

std::string_view sharingName(Sharing sharing) {
    switch (sharing) {
    case Sharing::Same:
        return "same tensor";
    case Sharing::View:
        return "view";
    case Sharing::Copy:
        return "copy";
    }
    return "";
}

Result<AppliedStep> applyStep(const TensorLayout& before, const LayoutStep& step, int nextStorage) {
    PLUMB_TRY(AppliedStep applied, apply(before, step, nextStorage));
    applied.step = step;
    return applied;
}

namespace {

LayoutChain applyAll(const TensorLayout& start, std::span<const LayoutStep> steps, int& storage);

/// A step whose second operand is the first tensor after steps of its own.
Result<AppliedStep> applyWithOperand(const TensorLayout& start, const TensorLayout& before,
                                     const LayoutStep& step, int& storage) {
    LayoutChain operand = applyAll(start, step.operand, storage);
    if (operand.failure) return *operand.failure;
    std::int64_t read = 0, written = 0;
    for (const AppliedStep& each : operand.steps) {
        if (each.step.kind == StepKind::Question)
            return torchError(fmt::format("{} gives {}, which is no tensor", each.step.text, each.answer),
                              "write the number itself");
        if (each.sharing == Sharing::Copy && each.layout.place != start.place)
            return torchError("an operand that is moved has no time of its own here",
                              "move the tensor first and reckon then");
        read = addOrOverflow(read, each.elementsRead);
        written = addOrOverflow(written, each.elementsWritten);
    }
    PLUMB_TRY(AppliedStep applied, combined(before, operand.last(), storage));
    applied.step = step;
    applied.elementsRead = addOrOverflow(applied.elementsRead, read);
    applied.elementsWritten = addOrOverflow(applied.elementsWritten, written);
    if (applied.elementsRead < 0 || applied.elementsWritten < 0)
        return torchError("more elements are read or written than 63 bits count", "use a smaller tensor");
    applied.operand = std::move(operand.steps);
    return applied;
}

LayoutChain applyAll(const TensorLayout& start, std::span<const LayoutStep> steps, int& storage) {
    LayoutChain chain;
    chain.start = start;
    for (const LayoutStep& step : steps) {
        if (!chain.steps.empty() && chain.steps.back().step.kind == StepKind::Question) {
            chain.failure = torchError(fmt::format("{} gives {}, which is no tensor",
                                                   chain.steps.back().step.text, chain.steps.back().answer),
                                       "ask it last");
            break;
        }
        auto applied = step.takesTensor ? applyWithOperand(start, chain.last(), step, storage)
                                        : applyStep(chain.last(), step, storage);
        if (!applied.has_value()) {
            chain.failure = applied.error();
            break;
        }
        if (applied->sharing == Sharing::Copy) ++storage;
        chain.steps.push_back(std::move(applied).value());
    }
    return chain;
}

}  // namespace

LayoutChain applySteps(const TensorLayout& start, std::span<const LayoutStep> steps) {
    int storage = start.storage + 1;
    return applyAll(start, steps, storage);
}

CopyCost copyCost(const AppliedStep& step, Dtype dtype, const Machine& machine,
                  std::optional<double> busBytesPerSecond, std::string_view gpu) {
    CopyCost cost;
    if (step.sharing != Sharing::Copy && step.elementsWritten == 0) {
        cost.seconds = 0;
        cost.formula = "nothing is copied";
        return cost;
    }
    const bool crosses = step.step.kind == StepKind::ToGpu || step.step.kind == StepKind::ToHost;
    const std::optional<double> memory = machine.bandwidthBytesPerSecond;
    const Bytes within = bytesOrOverflow(dtype, addOrOverflow(step.elementsRead, step.elementsWritten));
    if (within < 0) {
        cost.formula = "no time: more bytes than 63 bits count";
        return cost;
    }
    const auto inMemory = [&](double rate) {
        return fmt::format("({} read + {} written) · {} / {}", step.elementsRead, step.elementsWritten,
                           elementSizeText(dtype), formatQuantity(rate, "B/s"));
    };
    if (!crosses) {
        cost.bytes = within;
        if (!memory) {
            cost.formula = fmt::format("no time: the memory bandwidth of {} is not known", machine.name);
            return cost;
        }
        cost.seconds = static_cast<double>(cost.bytes) / *memory;
        cost.formula = inMemory(*memory);
        return cost;
    }
    cost.bytes = bytesOrOverflow(dtype, step.elementsWritten);
    if (!busBytesPerSecond || (step.gatheredFirst && !memory)) {
        cost.formula =
            !busBytesPerSecond
                ? fmt::format(
                      "no time: the bus between host and {} is not known: choose a device whose bus is", gpu)
                : fmt::format("no time: the memory bandwidth of {} is not known", machine.name);
        return cost;
    }
    cost.seconds = static_cast<double>(cost.bytes) / *busBytesPerSecond;
    cost.formula = fmt::format("{} · {} / {}", step.elementsWritten, elementSizeText(dtype),
                               formatQuantity(*busBytesPerSecond, "B/s"));
    if (step.gatheredFirst) {
        cost.seconds = *cost.seconds + static_cast<double>(within) / *memory;
        cost.formula = inMemory(*memory) + " + " + cost.formula;
    }
    return cost;
}

}  // namespace plumb::lab
