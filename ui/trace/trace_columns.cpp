// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_columns.h"

#include "ui/theme/text.h"

namespace plumb::ui {

ColumnTexts traceStepColumns() {
    return {
        {tr("step"), tr("A step as the profiler marked it; a click shows it.")},
        {tr("time"), tr("From its beginning to its end.")},
        {tr("GPU busy"), tr("Share of its window, up to the next step, in which the first device works.")},
        {tr("to median"),
         tr("Its time beside that of the step of median length; marked from 10 % longer on.")}};
}

ColumnTexts traceSectionColumns() {
    return {
        {tr("what"), tr("A kind of work of what the figures are of: all of the trace, or one step.")},
        {tr("time"), tr("How long it takes in all; counts stand here too.")},
        {tr("share"), tr("Of the time of what the figures are of, or of the section that it stands in.")}};
}

ColumnTexts traceRangeColumns() {
    return {
        {tr("in the range"),
         tr("Kernels, copies and memsets of one name, of all devices; each piece is cut to the range.")},
        {tr("pieces"), tr("That run in the range, wholly or in part.")},
        {tr("sum"), tr("Of their durations.")},
        {tr("of range"), tr("The sum may exceed the range: streams run beside each other.")},
        {tr("hidden"), tr("Of kernels that communicate and of copies: the part in which a kernel that "
                          "computes runs on the same device.")},
        {tr("exposed"), tr("Of kernels that communicate and of copies: the part in which none computes.")},
        {tr("bytes"),
         tr("Of copies and memsets what the trace says; of a collective the larger of what the rank gives "
            "and "
            "gets. Of a piece that the range cuts the share of its time. –: the trace does not say.")},
        {tr("where"), tr("The stream that they run on.")}};
}

ColumnTexts rankColumns() {
    return {{tr("rank"), tr("Its number in the job.")},
            {tr("step"), tr("Median of the steps that all ranks have.")},
            {tr("busy"), tr("Time in which any work runs, over those steps.")},
            {tr("exposed"), tr("Communication in which no other kernel runs.")},
            {tr("waited"), tr("Time within collectives before the last rank had come.")},
            {tr("last"), tr("How often it came last at a collective, by more than the clocks' uncertainty.")},
            {tr("others lost"), tr("Sum of how much later than the second last it came then.")},
            {tr("clock ±"),
             tr("90 % of the ends of collectives agree with those of the other ranks within this, once its "
                "clock is joined with theirs.")}};
}

ColumnTexts collectiveColumns() {
    return {{tr("collective"), tr("Click one to see it.")},
            {tr("step"), tr("Of the rank that came last.")},
            {tr("skew"), tr("From the first rank's beginning to the last one's, on the common clock.")},
            {tr("last"), tr("The rank that came last; none where that is within what clocks tell, or where a "
                            "rank is missing.")},
            {tr("waited"), tr("By all ranks together.")}};
}

}  // namespace plumb::ui
