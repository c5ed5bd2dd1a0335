// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workbench/option_titles.h"

#include "core/base/contains.h"
#include "core/base/words.h"
#include "ui/theme/error_text.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

struct OptionTitle {
    std::string_view option;
    const char* title;
};
constexpr std::array kOptionTitles{
    OptionTitle{"dim", QT_TRANSLATE_NOOP("plumb::ui", "Width D")},
    OptionTitle{"layers", QT_TRANSLATE_NOOP("plumb::ui", "Layers L")},
    OptionTitle{"outputs", QT_TRANSLATE_NOOP("plumb::ui", "Outputs K")},
    OptionTitle{"activation", QT_TRANSLATE_NOOP("plumb::ui", "Activation function")},
    OptionTitle{"batch", QT_TRANSLATE_NOOP("plumb::ui", "Batch B")},
    OptionTitle{"micro-batch", QT_TRANSLATE_NOOP("plumb::ui", "Micro-batch")},
    OptionTitle{"data-parallel", QT_TRANSLATE_NOOP("plumb::ui", "Data-parallel ranks")},
    OptionTitle{"zero", QT_TRANSLATE_NOOP("plumb::ui", "ZeRO stage")},
    OptionTitle{"tensor", QT_TRANSLATE_NOOP("plumb::ui", "Tensor-parallel ranks")},
    OptionTitle{"checkpoint", QT_TRANSLATE_NOOP("plumb::ui", "Keep activations")},
    OptionTitle{"precision", QT_TRANSLATE_NOOP("plumb::ui", "Precision")},
    OptionTitle{"master-weights", QT_TRANSLATE_NOOP("plumb::ui", "fp32 master weights")},
    OptionTitle{"grad-dtype", QT_TRANSLATE_NOOP("plumb::ui", "fp32 gradients")},
    OptionTitle{"optimizer", QT_TRANSLATE_NOOP("plumb::ui", "Optimizer")},
    OptionTitle{"lr", QT_TRANSLATE_NOOP("plumb::ui", "Learning rate")},
    OptionTitle{"seed", QT_TRANSLATE_NOOP("plumb::ui", "Seed")},
    OptionTitle{"data", QT_TRANSLATE_NOOP("plumb::ui", "Features")},
    OptionTitle{"targets", QT_TRANSLATE_NOOP("plumb::ui", "Targets")},
    OptionTitle{"weight-decay", QT_TRANSLATE_NOOP("plumb::ui", "Weight decay")},
    OptionTitle{"momentum", QT_TRANSLATE_NOOP("plumb::ui", "Momentum")},
    OptionTitle{"dampening", QT_TRANSLATE_NOOP("plumb::ui", "Dampening")},
    OptionTitle{"nesterov", QT_TRANSLATE_NOOP("plumb::ui", "Nesterov momentum")},
    OptionTitle{"beta1", QT_TRANSLATE_NOOP("plumb::ui", "β₁")},
    OptionTitle{"beta2", QT_TRANSLATE_NOOP("plumb::ui", "β₂")},
    OptionTitle{"epsilon", QT_TRANSLATE_NOOP("plumb::ui", "ε")},
    OptionTitle{"alpha", QT_TRANSLATE_NOOP("plumb::ui", "α")},
    OptionTitle{"centered", QT_TRANSLATE_NOOP("plumb::ui", "Centered")},
    OptionTitle{"amsgrad", QT_TRANSLATE_NOOP("plumb::ui", "AMSGrad")},
    OptionTitle{"lr-decay", QT_TRANSLATE_NOOP("plumb::ui", "Rate decay")},
    OptionTitle{"initial-accumulator", QT_TRANSLATE_NOOP("plumb::ui", "First sum")},
    OptionTitle{"beta2-decay", QT_TRANSLATE_NOOP("plumb::ui", "β₂ decay")},
    OptionTitle{"epsilon2", QT_TRANSLATE_NOOP("plumb::ui", "ε₂")},
    OptionTitle{"clip-threshold", QT_TRANSLATE_NOOP("plumb::ui", "Update limit d")},
    OptionTitle{"clip-norm", QT_TRANSLATE_NOOP("plumb::ui", "Clip at norm")},
    OptionTitle{"lr-schedule", QT_TRANSLATE_NOOP("plumb::ui", "Schedule")},
    OptionTitle{"warmup-steps", QT_TRANSLATE_NOOP("plumb::ui", "Warm-up steps")},
    OptionTitle{"schedule-steps", QT_TRANSLATE_NOOP("plumb::ui", "Steps")},
    OptionTitle{"min-lr", QT_TRANSLATE_NOOP("plumb::ui", "Final rate")},
    OptionTitle{"gamma", QT_TRANSLATE_NOOP("plumb::ui", "Factor γ")},
    OptionTitle{"loss-scale", QT_TRANSLATE_NOOP("plumb::ui", "At the start")},
    OptionTitle{"loss-scale-growth", QT_TRANSLATE_NOOP("plumb::ui", "Growth")},
    OptionTitle{"loss-scale-backoff", QT_TRANSLATE_NOOP("plumb::ui", "Back-off")},
    OptionTitle{"loss-scale-interval", QT_TRANSLATE_NOOP("plumb::ui", "Good steps")},
    OptionTitle{"head", QT_TRANSLATE_NOOP("plumb::ui", "Head (a last matrix [D, K])")},
    OptionTitle{"init", QT_TRANSLATE_NOOP("plumb::ui", "Weights")},
    OptionTitle{"init-std", QT_TRANSLATE_NOOP("plumb::ui", "Weights σ")},
    OptionTitle{"noise", QT_TRANSLATE_NOOP("plumb::ui", "Noise σ")},
    OptionTitle{"resident-batch", QT_TRANSLATE_NOOP("plumb::ui", "One batch for all steps")},
    OptionTitle{"data-format", QT_TRANSLATE_NOOP("plumb::ui", "Data format")},
    OptionTitle{"standardize", QT_TRANSLATE_NOOP("plumb::ui", "Standardize the features")},
    OptionTitle{"standardize-targets", QT_TRANSLATE_NOOP("plumb::ui", "Standardize the targets")},
    OptionTitle{"holdout", QT_TRANSLATE_NOOP("plumb::ui", "Hold-out share")},
    OptionTitle{"vocabulary", QT_TRANSLATE_NOOP("plumb::ui", "Vocabulary")},
    OptionTitle{"token-windows", QT_TRANSLATE_NOOP("plumb::ui", "Windows")},
    OptionTitle{"backend", QT_TRANSLATE_NOOP("plumb::ui", "Backend")}};

struct ChoiceTitle {
    std::string_view option, value;
    const char* title;
};
constexpr std::array kChoiceTitles{
    ChoiceTitle{"lr-schedule", "constant", QT_TRANSLATE_NOOP("plumb::ui", "constant")},
    ChoiceTitle{"lr-schedule", "cosine", QT_TRANSLATE_NOOP("plumb::ui", "cosine")},
    ChoiceTitle{"lr-schedule", "step", QT_TRANSLATE_NOOP("plumb::ui", "in steps")},
    ChoiceTitle{"data-format", "auto", QT_TRANSLATE_NOOP("plumb::ui", "automatic")},
    ChoiceTitle{"token-windows", "consecutive", QT_TRANSLATE_NOOP("plumb::ui", "consecutive")},
    ChoiceTitle{"token-windows", "random", QT_TRANSLATE_NOOP("plumb::ui", "random")},
    ChoiceTitle{"init", "scaled", QT_TRANSLATE_NOOP("plumb::ui", "scaled")},
    ChoiceTitle{"init", "truncated", QT_TRANSLATE_NOOP("plumb::ui", "truncated")},
    ChoiceTitle{"init", "naive", QT_TRANSLATE_NOOP("plumb::ui", "naive")},
    ChoiceTitle{"init", "fixed", QT_TRANSLATE_NOOP("plumb::ui", "fixed")}};

/// Where a sentence names options. Beside Chinese they are words of another language; in English only those
/// that nobody takes for words.
QRegularExpression namesOfOptions(bool isEnglish) {
    QStringList names;
    for (const OptionTitle& option : kOptionTitles) {
        const QString name = toText(option.option);
        const bool isWord = std::all_of(name.begin(), name.end(), [](QChar c) { return c.isLetter(); });
        constexpr std::array<std::string_view, 2> kNoWords{"dim", "lr"};
        if (!isEnglish || !isWord || contains(kNoWords, option.option)) names << name;
    }
    return QRegularExpression(QStringLiteral("(?<![\\w./\"'=-])(%1)(?![\\w/\"'=-])").arg(names.join(u'|')),
                              isEnglish ? QRegularExpression::CaseInsensitiveOption
                                        : QRegularExpression::NoPatternOption);
}

}  // namespace

QString choiceTitle(std::string_view option, std::string_view value) {
    const auto found = std::ranges::find_if(
        kChoiceTitles, [&](const ChoiceTitle& each) { return each.option == option && each.value == value; });
    return found == kChoiceTitles.end() ? localText(value) : tr(found->title);
}

QString optionsText(const RunConfig& config, const std::vector<std::string_view>& options) {
    constexpr std::size_t kShown = 2;
    QStringList parts;
    for (std::size_t i = 0; i < std::min(options.size(), kShown); ++i)
        parts << optionTitle(options[i]) + u' ' + choiceTitle(options[i], optionValue(config, options[i]));
    if (options.size() > kShown) parts << tr("%1 more").arg(options.size() - kShown);
    return listText(parts);
}

QString settingSentence(const Error& error) {
    static const QRegularExpression kInEnglish = namesOfOptions(true), kElsewhere = namesOfOptions(false);
    const QString text = errorSentence(error);
    QString said;
    qsizetype end = 0;
    for (auto found = (wordsLanguage().empty() ? kInEnglish : kElsewhere).globalMatch(text);
         found.hasNext();) {
        const QRegularExpressionMatch name = found.next();
        said +=
            text.mid(end, name.capturedStart() - end) + optionTitle(name.captured().toLower().toStdString());
        end = name.capturedEnd();
    }
    said += text.mid(end);
    if (wordsLanguage().empty()) return said;
    // Chinese words need no blank between them, and one beside a Latin word.
    static const QRegularExpression kBlank(
        QStringLiteral("(?<=[\\x{4e00}-\\x{9fff}]) (?=[\\x{4e00}-\\x{9fff}])"));
    static const QRegularExpression kNoBlank(QStringLiteral("(?<=[A-Za-z])(?=[\\x{4e00}-\\x{9fff}])"));
    return said.remove(kBlank).replace(kNoBlank, QStringLiteral(" "));
}

QString optionTitle(std::string_view option) {
    const auto found = std::ranges::find(kOptionTitles, option, &OptionTitle::option);
    if (found != kOptionTitles.end()) return tr(found->title);
    return capitalised(toText(option).replace(u'-', u' '));
}

}  // namespace plumb::ui
