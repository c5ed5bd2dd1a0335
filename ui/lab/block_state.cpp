// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/block_state.h"

#include "core/base/philox.h"
#include "core/base/typed_number.h"
#include "core/lab/format_text.h"
#include "ui/lab/dtype_state.h"
#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace plumb::ui {
namespace {

constexpr int kBlockNeighbours = kMostBlockNumbers - 1;
constexpr std::uint32_t kSeed = 7;

bool commaInNumbers() { return numberStyle().decimal == ","; }

/// Reproducible numbers of a standard normal distribution.
double normal(int index) {
    const PhiloxBlock block = philox4x32({{static_cast<std::uint32_t>(index), 0, 0, 0}}, kSeed, 0);
    const double u = (static_cast<double>(block.word[0]) + 0.5) / 4294967296.0;
    const double v = (static_cast<double>(block.word[1]) + 0.5) / 4294967296.0;
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

QString scaleText(const lab::BlockFormat& format, const std::vector<lab::StoredBlock>& blocks) {
    QStringList texts;
    for (const lab::StoredBlock& block : blocks)
        texts << (format.powerOfTwo
                      ? QStringLiteral("2^%1").arg(static_cast<int>(std::lround(std::log2(block.scale))))
                      : numberText(block.scale, 'g', 3));
    return texts.join(commaInNumbers() ? QStringLiteral("; ") : QStringLiteral(", "));
}

BlockColumn makeColumn(const lab::BlockFormat& format, const std::vector<double>& numbers) {
    BlockColumn column;
    column.format = format;
    double amax = 0;
    for (const double number : numbers) amax = std::max(amax, std::fabs(number));
    const double tensorScale = format.powerOfTwo ? 1 : lab::nvfp4TensorScale(amax);
    const auto size = static_cast<std::size_t>(format.block);
    for (std::size_t at = 0; at < numbers.size(); at += size)
        column.blocks.push_back(lab::storeBlock(
            format, std::span(numbers).subspan(at, std::min(size, numbers.size() - at)), tensorScale));
    column.scale = scaleText(format, column.blocks);
    double error = 0;
    double total = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double stored = column.value(i);
        error += (stored - numbers[i]) * (stored - numbers[i]);
        total += numbers[i] * numbers[i];
        if (numbers[i] != 0 && stored == 0) ++column.zeros;
        if (column.element(i).fate == Fate::Saturated) ++column.clipped;
    }
    column.rmsRelative = total > 0 ? std::sqrt(error / total) : 0;
    return column;
}

}  // namespace

const lab::StoredBlock& BlockColumn::blockOf(std::size_t index) const {
    return blocks[index / static_cast<std::size_t>(format.block)];
}
const StoredNumber& BlockColumn::element(std::size_t index) const {
    return blockOf(index).elements[index % static_cast<std::size_t>(format.block)];
}
double BlockColumn::value(std::size_t index) const {
    return blockOf(index).values[index % static_cast<std::size_t>(format.block)];
}

Result<BlockState> makeBlockState(double first, const QString& neighbours) {
    BlockState state;
    if (!std::isfinite(first))
        return Error{ErrorCode::BadInput,
                     fmt::format("a block holds finite numbers only ({})", lab::numberText(first)),
                     "type a finite value above"};
    state.numbers.push_back(first);
    // Where a comma stands in numbers it cannot stand between them.
    static const QRegularExpression blanks(QStringLiteral("[\\s;；]+"));
    static const QRegularExpression marks(QStringLiteral("[\\s,;，；]+"));
    const QRegularExpression& separators = commaInNumbers() ? blanks : marks;
    for (const QString& text : neighbours.split(separators, Qt::SkipEmptyParts)) {
        PLUMB_TRY(const double number, parseTyped(text.toStdString(), [](const std::string& plain) {
                      return parseNumber(plain);
                  }));
        if (!std::isfinite(number))
            return Error{ErrorCode::BadInput,
                         fmt::format("a block holds finite numbers only ({})", text.toStdString()),
                         "take it out"};
        state.numbers.push_back(number);
        if (state.numbers.size() > kMostBlockNumbers)
            return Error{ErrorCode::BadInput,
                         fmt::format("more than {} neighbours ({})", kBlockNeighbours, text.toStdString()),
                         "take out that one and what follows"};
    }
    for (const lab::BlockFormat& format : lab::blockFormats())
        state.columns.push_back(makeColumn(format, state.numbers));
    return state;
}

QStringList blockPresetNames() {
    return {tr("normal"), tr("normal and an outlier"), tr("powers of two"), tr("none")};
}

QString blockPreset(int index) {
    QStringList texts;
    for (int i = 0; i < kBlockNeighbours; ++i) {
        double number = normal(i);
        if (index == 1) number = i == 10 ? 100 : number * 0.1;
        if (index == 2) number = std::ldexp(1.0, 4 - i);
        texts << numberText(number, 'g', 3);
    }
    return index == 3 ? QString() : texts.join(QStringLiteral(", "));
}

QString blockTableText(const BlockState& state) {
    QStringList head{tr("given")};
    QStringList scales{tr("scale")};
    for (const BlockColumn& column : state.columns) {
        head << QString::fromUtf8(column.format.label.data(),
                                  static_cast<qsizetype>(column.format.label.size()));
        scales << column.scale;
    }
    QStringList lines{head.join(QLatin1Char('\t')), scales.join(QLatin1Char('\t'))};
    for (std::size_t i = 0; i < state.numbers.size(); ++i) {
        QStringList row{labNumber(state.numbers[i])};
        for (const BlockColumn& column : state.columns) row << labNumber(column.value(i));
        lines << row.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace plumb::ui
