// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/operations/operations_text.h"
#include "ui/widgets/search_words.h"

#include <QStringList>

#include <optional>
#include <utility>
#include <vector>

namespace plumb::ui {

/// What the filter field asks for: terms between blanks, all of which must hold of an operation.
///
/// - `time>1ms`, `bytes>=1MB`, `flop<1G`, `roof<50%`: a figure of the table, where it is known; `time` is the
///   measured one, or the predicted one where nothing was measured. `>1ms` and `>1MB` find theirs by the
///   unit.
/// - `bound:memory`, `phase:backward`, `module:blocks.0`, `layer:3-5` (also `layers 3-5`).
/// - Any other word is looked for in the name, the phase, the bound and the kernels, upper and lower case
///   alike, a number as a whole; so is what stands between quotes, as it stands there.
///
/// A term that is not understood leaves the others in force, and mistake() says so.
class OperationsQuery {
public:
    OperationsQuery() = default;
    explicit OperationsQuery(const QString& text);

    [[nodiscard]] bool empty() const;
    /// What is wrong with the first term that is not understood, and what to write; empty: nothing is.
    [[nodiscard]] const QString& mistake() const { return m_mistake; }
    /// The whole text with what is near in the place of that term; empty: nothing is.
    [[nodiscard]] const QString& correction() const { return m_correction; }
    /// `node` is an operation.
    [[nodiscard]] bool matches(const OperationsTree& tree, const OperationsTree::Node& node) const;

private:
    class Reader;

    struct Comparison {
        std::optional<OperationColumn> column;  ///< absent: the time, measured or else predicted
        bool isAbove = true;
        bool orEqual = false;
        double limit = 0;  ///< SI

        [[nodiscard]] bool holds(const OperationsTree::Node& node) const;
    };

    std::vector<Comparison> m_comparisons;
    std::vector<std::pair<std::int32_t, std::int32_t>> m_layers;  ///< first and last, both included
    std::vector<Bound> m_bounds;
    std::vector<Phase> m_phases;
    QStringList m_modules;
    QStringList m_phrases;
    SearchWords m_words{QString()};
    QString m_mistake;
    QString m_correction;
};

/// A term to choose from, with what it finds.
struct FilterTerm {
    QString term;   ///< "time>1ms"
    QString about;  ///< "longer than 1 ms, as measured or else predicted"
};
/// What the field proposes: an example of each figure and every bound and phase.
[[nodiscard]] std::vector<FilterTerm> filterTerms();
/// How a filter is written, for the field's tool tip.
[[nodiscard]] QString filterHelp();

}  // namespace plumb::ui
