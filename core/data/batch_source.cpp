// SPDX-License-Identifier: Apache-2.0
#include "core/data/batch_source.h"

#include "core/data/data_provenance.h"
#include "core/data/row_batches.h"
#include "core/data/token_batches.h"

namespace plumb {

DataProvenance provenanceOf(const BatchSource& source) {
    DataProvenance data{
        .description = source.summary(), .samples = source.samples(), .heldOut = source.heldOut()};
    if (const Standardization* made = source.standardization()) data.standardization = *made;
    if (const Standardization* made = source.targetStandardization()) data.targetStandardization = *made;
    return data;
}

Result<DataWidths> widthsOfData(const RunConfig& config) {
    DataWidths widths;
    if (!config.readsFiles() || config.readsTokens()) return widths;
    PLUMB_TRY(const SampleTables tables, openSampleTables(config));
    widths.features = tables.features->columns();
    widths.targets = tables.targets->columns();
    return widths;
}

Result<std::unique_ptr<BatchSource>> openData(const RunConfig& config) {
    if (!config.readsFiles()) return std::unique_ptr<BatchSource>();
    if (config.readsTokens()) {
        PLUMB_TRY(auto tokens, TokenBatches::open(config));
        return std::unique_ptr<BatchSource>(std::move(tokens));
    }
    PLUMB_TRY(auto rows, RowBatches::open(config));
    return std::unique_ptr<BatchSource>(std::move(rows));
}

}  // namespace plumb
