// SPDX-License-Identifier: Apache-2.0
// Adafactor in four launches, since its sums are needed as a whole: squares by row and by column in one
// reading of the gradients; the means and their root factors; the norm of the update; the update
// (UpdateBody).
#pragma once

#include "kernels/common/optimizer_rules.h"
#include "kernels/cuda/bodies/optimizer_body.h"

namespace plumb::cuda {

inline constexpr Index kAdafactorRows = 64;  ///< rows of a part of a matrix: 8 for each warp of a block

/// What lies where in OptimizerArguments::adafactor.
struct AdafactorRoom {
    Index rowParts = 0;
    double* parameterSquares = nullptr;  ///< [matrices, rowParts]
    float* rates = nullptr;              ///< [matrices]
    float* rowFactors = nullptr;         ///< [matrices, dim]
    float* columnFactors = nullptr;      ///< [layers, dim], then [outputs]
    float* columnSquares = nullptr;      ///< sums of each matrix [rowParts, its columns]
    Index bytes = 0;
};
PLUMB_HOST_DEVICE inline AdafactorRoom adafactorRoom(const Parameters& p, void* data) {
    const Index columns = p.layers * p.dim + p.outputs;
    AdafactorRoom room;
    room.rowParts = (p.dim + kAdafactorRows - 1) / kAdafactorRows;
    room.parameterSquares = static_cast<double*>(data);
    room.rates = reinterpret_cast<float*>(room.parameterSquares + p.count() * room.rowParts);
    room.rowFactors = room.rates + p.count();
    room.columnFactors = room.rowFactors + p.count() * p.dim;
    room.columnSquares = room.columnFactors + columns;
    room.bytes =
        8 * p.count() * room.rowParts + 4 * (p.count() * (1 + p.dim) + columns * (1 + room.rowParts));
    return room;
}
PLUMB_BODY Index columnsOf(const Parameters& p, Index matrix) {
    return matrix < p.layers ? p.dim : p.outputs;
}

/// One reading of gradients and parameters: the mean squares of the rows, and by parts of the rows the
/// squares of the columns and of the parameters.
template <Storage kWeight, Storage kGradient>
struct AdafactorRowsBody {
    using Arguments = OptimizerArguments;
    static constexpr Index kPack = 4;
    static constexpr Index kColumns = kLanes * kPack;
    static constexpr Index kRows = kAdafactorRows / kWarps;
    static constexpr int kResidentBlocks = 2;
    struct Shared {
        DoubleSum room[kThreads];
        float columns[kWarps][kColumns];
    };
    struct Own {
        double rows[kRows] = {};
        double parameters = 0;
    };

    static Index blocks(const OptimizerArguments& a) {
        return a.parameters.count() * adafactorRoom(a.parameters, nullptr).rowParts;
    }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const AdafactorRoom room = adafactorRoom(a.parameters, a.adafactor);
        block.waitForEarlier();
        if (skipsUpdate(a.controls)) return;
        const Index all = a.parameters.count() * room.rowParts;
        // Two loops, so that the loads of one do not wait for the choice.
        const bool masters = kWeight != Storage::Fp32 && a.parameters.masters;
        for (Index at = block.index(); at < all; at += block.count())
            if (masters)
                rowsOf<Storage::Fp32>(block, shared, a, room, at / room.rowParts, at % room.rowParts);
            else
                rowsOf<kWeight>(block, shared, a, room, at / room.rowParts, at % room.rowParts);
    }

private:
    /// kParameter: how the numbers that the rule changes are stored.
    template <Storage kParameter, class Block>
    PLUMB_BODY static void rowsOf(Block& block, Shared& shared, const OptimizerArguments& a,
                                  const AdafactorRoom& room, Index matrix, Index part) {
        const Parameters& p = a.parameters;
        const Index columns = columnsOf(p, matrix);
        const DeviceMatrix data = p.matrices[matrix];
        const float factor = updateFactor(a);
        const float decode =
            Format<kParameter>::kScaled ? 1 / *scalesRow(a, SlotKind::Weight, matrix + 1) : 1.0F;
        const void* parameters = kParameter == kWeight ? data.weight : data.master;
        float* squares = room.columnSquares + matrix * p.dim * room.rowParts + part * columns;
        typename Block::template PerThread<Own> own{};
        for (Index first = 0; first < columns; first += kColumns) {
            block.forThreads([&](int thread) {
                float sums[kPack] = {};
                const Index column = first + thread % kLanes * kPack;
                const Index firstRow = part * kAdafactorRows + thread / kLanes;
                if (columns % kPack == 0) {
                    PLUMB_UNROLL
                    for (int j = 0; j < kRows; ++j) {
                        const Index row = firstRow + static_cast<Index>(j) * kWarps;
                        if (row >= p.dim || column >= columns) continue;
                        look<kParameter, kPack>(parameters, data.gradient, row * columns + column, factor,
                                                decode, sums, own[thread], j);
                    }
                } else {
                    PLUMB_ROLLED
                    for (int j = 0; j < kRows; ++j) {
                        const Index row = firstRow + static_cast<Index>(j) * kWarps;
                        if (row >= p.dim) continue;
                        PLUMB_UNROLL
                        for (int i = 0; i < kPack; ++i) {
                            if (column + i >= columns) continue;
                            float one[1] = {};
                            look<kParameter, 1>(parameters, data.gradient, row * columns + column + i, factor,
                                                decode, one, own[thread], j);
                            sums[i] += one[0];
                        }
                    }
                }
                for (int i = 0; i < kPack; ++i)
                    shared.columns[thread / kLanes][thread % kLanes * kPack + i] = sums[i];
            });
            block.forThreads([&](int thread) {
                if (thread >= kColumns || first + thread >= columns) return;
                float total = 0;
                for (int warp = 0; warp < kWarps; ++warp) total += shared.columns[warp][thread];
                squares[first + thread] = total;
            });
        }
        const double share = a.controls.state->adafactor.meanShare;
        PLUMB_UNROLL
        for (int j = 0; j < kRows; ++j) {
            block.forThreads([&](int thread) { shared.room[thread].value = own[thread].rows[j]; });
            addUp<kLanes>(block, shared.room);
            block.forThreads([&](int thread) {
                const Index row = part * kAdafactorRows + static_cast<Index>(j) * kWarps + thread / kLanes;
                if (thread % kLanes != 0 || row >= p.dim) return;
                float& state = data.states[0][row];
                state =
                    common::mixedMean(state, shared.room[thread].value / static_cast<double>(columns), share);
            });
        }
        block.forThreads([&](int thread) { shared.room[thread].value = own[thread].parameters; });
        addUp<kThreads>(block, shared.room);
        block.forThreads([&](int thread) {
            if (thread == 0) room.parameterSquares[matrix * room.rowParts + part] = shared.room[0].value;
        });
    }

    template <Storage kParameter, int kCount>
    PLUMB_BODY static void look(const void* values, const void* gradients, Index at, float factor,
                                float decode, float (&sums)[kCount], Own& own, int j) {
        float g[kCount];
        float p[kCount];
        readNumbers<kGradient>(gradients, at, 1, g);
        readNumbers<kParameter>(values, at, decode, p);
        float row = 0;
        float parameters = 0;
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) {
            const float v = g[i] * factor;
            sums[i] += v * v;
            row += v * v;
            parameters += p[i] * p[i];
        }
        // A loop without the index: an index into registers would send them to memory.
        PLUMB_UNROLL
        for (int k = 0; k < kRows; ++k)
            if (k == j) own.rows[k] += static_cast<double>(row);
        own.parameters += static_cast<double>(parameters);
    }
};

/// The mean squares of the columns, and all root factors. A block has 256 columns or 256 rows of a matrix.
struct AdafactorFactorsBody {
    using Arguments = OptimizerArguments;
    struct Shared {
        DoubleSum room[kThreads];
    };
    PLUMB_HOST_DEVICE static Index chunks(const Parameters& p) {
        return ((p.dim > p.outputs ? p.dim : p.outputs) + kThreads - 1) / kThreads;
    }
    static Index blocks(const OptimizerArguments& a) {
        return a.parameters.count() * 2 * chunks(a.parameters);
    }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const Index perMatrix = 2 * chunks(a.parameters);
        const AdafactorRoom room = adafactorRoom(a.parameters, a.adafactor);
        block.waitForEarlier();
        if (skipsUpdate(a.controls)) return;
        for (Index at = block.index(); at < a.parameters.count() * perMatrix; at += block.count()) {
            const Index matrix = at / perMatrix;
            const Index chunk = at % perMatrix / 2 * kThreads;
            if (at % 2 == 0)
                columns(block, a, room, matrix, chunk);
            else if (chunk < a.parameters.dim)
                rows(block, shared, a, room, matrix, chunk);
        }
    }

private:
    template <class Block>
    PLUMB_BODY static void columns(Block& block, const OptimizerArguments& a, const AdafactorRoom& room,
                                   Index matrix, Index first) {
        const Parameters& p = a.parameters;
        const Index columns = columnsOf(p, matrix);
        block.forThreads([&](int thread) {
            const Index column = first + thread;
            if (column >= columns) return;
            const float* squares = room.columnSquares + matrix * p.dim * room.rowParts + column;
            double sum = 0;
            for (Index part = 0; part < room.rowParts; ++part)
                sum += static_cast<double>(squares[part * columns]);
            float& state = p.matrices[matrix].states[1][column];
            state = common::mixedMean(state, sum / static_cast<double>(p.dim),
                                      a.controls.state->adafactor.meanShare);
            room.columnFactors[matrix * p.dim + column] = common::rootFactor(static_cast<double>(state));
        });
    }
    template <class Block>
    PLUMB_BODY static void rows(Block& block, Shared& shared, const OptimizerArguments& a,
                                const AdafactorRoom& room, Index matrix, Index first) {
        const Parameters& p = a.parameters;
        const float* states = p.matrices[matrix].states[0];
        block.forThreads([&](int thread) {
            double sum = 0;
            for (Index row = thread; row < p.dim; row += kThreads) sum += static_cast<double>(states[row]);
            shared.room[thread].value = sum;
        });
        addUp<kThreads>(block, shared.room);
        block.forThreads([&](int thread) {
            const Index row = first + thread;
            const double least = a.controls.state->adafactor.epsilon;
            double mean = shared.room[0].value / static_cast<double>(p.dim);
            mean = mean < least ? least : mean;  // not a number stays so
            if (row < p.dim)
                room.rowFactors[matrix * p.dim + row] =
                    common::rootFactor(static_cast<double>(states[row]) / mean);
        });
    }
};

/// g times the bounded product of the factors of its row and column, for neighbours from element `at` on.
struct AdafactorFactors {
    const float* rows = nullptr;
    const float* columns = nullptr;
    Index across = 1;
    double inverse = 1;
    float largest = 0;

    PLUMB_BODY AdafactorFactors(const OptimizerArguments& a, Index matrix) {
        const AdafactorRoom room = adafactorRoom(a.parameters, a.adafactor);
        rows = room.rowFactors + matrix * a.parameters.dim;
        columns = room.columnFactors + matrix * a.parameters.dim;
        across = columnsOf(a.parameters, matrix);
        inverse = 1 / static_cast<double>(across);
        largest = static_cast<float>(1 / a.controls.state->adafactor.epsilon);
    }
    template <int kCount>
    PLUMB_BODY void apply(Index at, const float (&g)[kCount], float (&u)[kCount]) const {
        const Place place = placeOf(at, across, inverse);
        Index row = place.row;
        Index column = place.column;
        if (kCount > 1 && across % kCount == 0) {  // all in one row
            const float factor = rows[row];
            PLUMB_UNROLL
            for (int i = 0; i < kCount; ++i)
                u[i] = common::adafactorUpdate(g[i], factor, columns[column + i], largest);
            return;
        }
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) {
            u[i] = common::adafactorUpdate(g[i], rows[row], columns[column], largest);
            if (++column == across) {
                column = 0;
                ++row;
            }
        }
    }
};

/// The norm of the update before it is clipped, by matrix; the last block makes the rates of it.
template <Storage kGradient>
struct AdafactorNormBody {
    using Arguments = OptimizerArguments;
    struct Shared {
        DoubleSum room[kThreads];
        std::uint32_t last;
    };
    static constexpr Index kPack = static_cast<int>(16 / sizeof(TypeOf<kGradient>));
    static Index blocks(const OptimizerArguments& a) { return partsOf(a.parameters).count; }

    template <class Block>
    PLUMB_BODY static void run(Block& block, Shared& shared, const Arguments& a) {
        const ParameterParts parts = partsOf(a.parameters);
        block.waitForEarlier();
        if (skipsUpdate(a.controls)) return;
        auto* partials = static_cast<DoubleSum*>(a.sums.partials);
        for (Index index = block.index(); index < parts.count; index += block.count()) {
            const ParameterPart part = partAt(a.parameters, parts, index);
            const void* gradient = a.parameters.matrices[part.matrix].gradient;
            const AdafactorFactors factors(a, part.matrix);
            const float factor = updateFactor(a);
            block.forThreads([&](int thread) {
                double sum = 0;
                Index at = part.begin + thread * kPack;
                PLUMB_UNROLL_FOUR
                for (; at + kPack <= part.end; at += kThreads * kPack)
                    sum += look<kPack>(factors, gradient, at, factor);
                const Index rest = (part.end - part.begin) % kPack;
                if (thread < rest) sum += look<1>(factors, gradient, part.end - rest + thread, factor);
                shared.room[thread].value = sum;
            });
            addUp<kThreads>(block, shared.room);
            block.forThreads([&](int thread) {
                if (thread == 0) partials[index] = shared.room[0];
            });
        }
        if (!block.isLast(a.sums.ticket, shared.last, static_cast<std::uint32_t>(block.count()))) return;
        const AdafactorRoom room = adafactorRoom(a.parameters, a.adafactor);
        forMatrices(block, shared.room, a.parameters, parts, partials,
                    [&](Index matrix, const DoubleSum& norm) {
                        room.rates[matrix] = rateOf(a, room, matrix, norm.value);
                    });
    }

private:
    template <int kCount>
    PLUMB_BODY static double look(const AdafactorFactors& factors, const void* gradient, Index at,
                                  float factor) {
        float g[kCount];
        float u[kCount];
        readNumbers<kGradient>(gradient, at, 1, g);
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) g[i] *= factor;
        factors.apply(at, g, u);
        float squares = 0;
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) squares += u[i] * u[i];
        return static_cast<double>(squares);
    }

    PLUMB_BODY static float rateOf(const OptimizerArguments& a, const AdafactorRoom& room, Index matrix,
                                   double norm) {
        const common::AdafactorConstants constants = a.controls.state->adafactor;
        const auto count = static_cast<double>(a.parameters.dim * columnsOf(a.parameters, matrix));
        double squares = 0;
        for (Index part = 0; part < room.rowParts; ++part)
            squares += room.parameterSquares[matrix * room.rowParts + part];
        return static_cast<float>(common::adafactorRate(constants, squares, norm, count));
    }
};

/// The last pass, as a policy of UpdateBody.
struct AdafactorPolicy {
    /// The device's own conversion to fp8 would take memory of each thread on sm_100.
    static constexpr bool kPlainCodes = true;
    static constexpr int kStates = 0;
    static constexpr int kMostAtOnce = 2;  ///< its factors take registers too
    AdafactorFactors factors;
    float rate = 0;
    float keep = 1;

    PLUMB_BODY AdafactorPolicy(const OptimizerArguments& a, Index matrix)
        : factors(a, matrix),
          rate(adafactorRoom(a.parameters, a.adafactor).rates[matrix]),
          keep(static_cast<float>(a.controls.state->adafactor.keep)) {}
    template <int kCount>
    PLUMB_BODY void apply(Index at, const float (&p)[kCount], const float (&g)[kCount],
                          float (&/*s*/)[kStates + 1][kCount], float (&updated)[kCount]) const {
        float u[kCount];
        factors.apply(at, g, u);
        PLUMB_UNROLL
        for (int i = 0; i < kCount; ++i) updated[i] = p[i] * keep - rate * u[i];
    }
};

}  // namespace plumb::cuda
