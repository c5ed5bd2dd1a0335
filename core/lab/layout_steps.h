// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/tensor_layout.h"

#include <string_view>

namespace plumb::lab {

/// What a step does to a tensor; the names are methods of torch.Tensor.
enum class StepKind : std::uint8_t {
    Index,  ///< x[1:, ::2, -1, None, ...]
    Transpose,
    Permute,
    ReverseDimensions,  ///< x.T
    MatrixTranspose,    ///< x.mT
    TransposeOfMatrix,  ///< x.t()
    View,
    Reshape,
    Flatten,
    Ravel,
    Expand,
    Squeeze,
    Unsqueeze,
    Select,
    Narrow,
    Diagonal,
    Contiguous,
    Clone,
    Triu,
    Tril,
    Flip,
    Repeat,
    ToGpu,        ///< x.cuda(), x.to("cuda")
    ToHost,       ///< x.cpu(), x.to("cpu")
    Elementwise,  ///< x.sqrt(), x * 2: every element worked out anew
    InPlace,      ///< x[1:] = 0, x.mul_(2): written where it lies
    Question,     ///< x.stride(), x.numel(): an answer and no tensor
};

/// One entry between the brackets of an index.
struct IndexItem {
    enum class Kind : std::uint8_t { Integer, Slice, NewAxis, Ellipsis };
    Kind kind = Kind::Slice;
    std::int64_t integer = 0;
    std::optional<std::int64_t> start, stop, step;
};

/// One step, with defaults filled in.
struct LayoutStep {
    StepKind kind = StepKind::Index;
    std::vector<std::int64_t> numbers;  ///< the arguments
    std::vector<IndexItem> items;       ///< items of an Index
    std::string name;                   ///< method of an Elementwise, InPlace or Question, such as "mul_"
    double scalar = 0;                  ///< its number, where it takes one
    /// The second operand of an Elementwise is a tensor, the first one of the chain after these steps.
    bool takesTensor = false;
    std::vector<LayoutStep> operand;
    /// As it was written: ".transpose(0, 1)", "[1:, ::2]". Of an operator the method that it stands for:
    /// ".mul(2)", so that texts can be joined.
    std::string text;
};

/// A step that people can write, for completion and help.
struct StepHelp {
    std::string_view form;     ///< ".transpose(dim0, dim1)"
    std::string_view example;  ///< ".transpose(0, 1)"
    std::string_view meaning;  ///< "swaps two dimensions; shares the memory"
};
[[nodiscard]] std::span<const StepHelp> layoutSteps();

/// Reads steps in the words of torch: `x[1:, ::2].transpose(0, 1).view(-1)`; the leading name is optional,
/// and so are dim=, dim0=, start_dim= and their like. Numbers are reckoned with as in Python, `1 - (x ** 2) /
/// 3`, with the tensor itself, `x - x.T` or `x[:, None] * x`, and written through an index at the end, `x[1:]
/// = 0` or `x[0] += 1`. An empty text is no steps. Errors: BadInput with the place.
[[nodiscard]] Result<std::vector<LayoutStep>> parseSteps(std::string_view text);

/// Whether the result of a step lies in the memory of what it was applied to.
enum class Sharing : std::uint8_t {
    Same,  ///< the very same tensor: nothing was to be done
    View,  ///< another tensor over the same memory
    Copy,  ///< memory of its own
};
[[nodiscard]] std::string_view sharingName(Sharing sharing);

/// A step and what it made.
struct AppliedStep {
    LayoutStep step;
    TensorLayout layout;
    Sharing sharing = Sharing::View;
    /// What the second operand went through, and its layout; its last step is no Question.
    std::vector<AppliedStep> operand;
    std::optional<TensorLayout> other;
    // Elements of a copy, and of what is written in place; 0 otherwise. With those of the operand's
    // steps.
    std::int64_t elementsRead = 0;  ///< distinct ones
    std::int64_t elementsWritten = 0;
    /// A tensor with gaps is gathered on its own side before it crosses the bus.
    bool gatheredFirst = false;
    std::string note;    ///< why it copied, or what is unusual; may be empty
    std::string answer;  ///< answer of a Question, as Python prints it: "(3, 1)", "True"
};

/// Applies a step without a second operand. Errors: BadInput; the message is what torch says, word for word,
/// and the hint what to do.
[[nodiscard]] Result<AppliedStep> applyStep(const TensorLayout& before, const LayoutStep& step,
                                            int nextStorage);

/// Steps one after the other, up to the first that fails.
struct LayoutChain {
    TensorLayout start;
    std::vector<AppliedStep> steps;
    std::optional<Error> failure;  ///< why step number steps.size() failed
    [[nodiscard]] const TensorLayout& last() const { return steps.empty() ? start : steps.back().layout; }
};
[[nodiscard]] LayoutChain applySteps(const TensorLayout& start, std::span<const LayoutStep> steps);

/// What a copy moves and how long that takes at least.
struct CopyCost {
    Bytes bytes = 0;                 ///< read and written in memory, or once over the bus
    std::optional<Seconds> seconds;  ///< absent when the rate is not known
    std::string formula;             ///< with the numbers put in; says why there is no time
};
/// Cost of a step that copied, with elements of `dtype`. In one memory: what is read and written at the
/// bandwidth of `machine`, in whose memory it was read. Between host and GPU: one crossing at
/// `busBytesPerSecond`, the rate of one direction, and before it the gathering of a tensor with gaps. Launch
/// latency is left out. `gpu` names the device at the other end of that bus.
[[nodiscard]] CopyCost copyCost(const AppliedStep& step, Dtype dtype, const Machine& machine,
                                std::optional<double> busBytesPerSecond, std::string_view gpu = "the GPU");

}  // namespace plumb::lab
