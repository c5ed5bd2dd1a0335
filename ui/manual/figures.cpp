// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/figures.h"

#include "ui/theme/text.h"

namespace plumb::ui {
namespace {

using enum FigureGroup;

// What a formula calls its parts is what the window calls them.
constexpr std::array kManualFigures{
    Figure{"peakMemory", Key, QT_TRANSLATE_NOOP("plumb::ui", "Peak memory"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "The most bytes that are alive at the same time during one step. Predicted and "
                             "measured must agree to the byte, since the plan names every tensor, casts and "
                             "library workspaces included."),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "maximum over the operations of the sum of the bytes of all tensors "
                             "that are alive during the operation"),
           "B",
           QT_TRANSLATE_NOOP("plumb::ui", "predicted: lifetimes of the plan's tensors; measured: the "
                                          "allocator's own count")},
    Figure{"stepTime", Key, QT_TRANSLATE_NOOP("plumb::ui", "Step time"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "Seconds of one optimizer step, all micro-batches included, without what a run "
                             "does between two steps."),
           QT_TRANSLATE_NOOP(
               "plumb::ui", "predicted = sum over the operations of executions × (time of one execution + "
                            "time until the next operation); measured = median over steps, warm-up left out"),
           "s",
           QT_TRANSLATE_NOOP("plumb::ui", "predicted: calibration of this machine, or the ceilings of a data "
                                          "sheet, as the tier says; measured: the clock, or events of the "
                                          "device")},
    Figure{"flops", Key, QT_TRANSLATE_NOOP("plumb::ui", "FLOP per step"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "Floating-point operations of one step. One multiply, add, compare, divide or "
                             "square root is one; a fused multiply-add is two."),
           QT_TRANSLATE_NOOP("plumb::ui", "sum of 2·M·K·N over the matrix products + the element-wise work; "
                                          "rule of thumb 6·B·N"),
           "FLOP",
           QT_TRANSLATE_NOOP("plumb::ui", "predicted: counted from the plan; measured: hardware counters "
                                          "alone")},
    Figure{"mfu", Key, QT_TRANSLATE_NOOP("plumb::ui", "MFU"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "Model FLOP utilisation: the share of the peak that useful matrix products "
                             "reach. Recomputed products do not count, so that recomputation lowers it. "
                             "More than 100 % is not possible: it says that the peak is too low."),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "FLOP of the matrix products without recomputation / (step time × peak of the "
                             "format of the products)"),
           "%",
           QT_TRANSLATE_NOOP("plumb::ui", "FLOP of the plan, step time predicted or measured, peak of the "
                                          "device")},
    Figure{"throughput", Key, QT_TRANSLATE_NOOP("plumb::ui", "Samples/s"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "Samples that one second of steps trains on. What a run spends between two "
                             "steps is left out here; Training shows the rate with everything between."),
           QT_TRANSLATE_NOOP("plumb::ui", "batch / step time"), "samples/s",
           QT_TRANSLATE_NOOP("plumb::ui", "as the step time")},
    Figure{"loss", Key, QT_TRANSLATE_NOOP("plumb::ui", "Loss"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "Newest loss of the newest run. There is no prediction of it. Synthetic targets "
                             "have noise, below whose variance no loss can fall."),
           QT_TRANSLATE_NOOP("plumb::ui", "mean((y − t)²) over the batch and the outputs"), "",
           QT_TRANSLATE_NOOP("plumb::ui", "measured: the training")},

    Figure{"bytes", Counts, QT_TRANSLATE_NOOP("plumb::ui", "Bytes of an operation"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "Compulsory traffic: each distinct input is read once and each output written "
                             "once; scratch is left out. It belongs to the operation and not to a machine."),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "of a product of M×K by K×N with e bytes an element: e·(M·K + K·N + "
                             "M·N)"),
           "B", QT_TRANSLATE_NOOP("plumb::ui", "counted from the plan")},
    Figure{"intensity", Counts, QT_TRANSLATE_NOOP("plumb::ui", "Arithmetic intensity"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "How much is computed for each byte that is moved. Below the balance of the "
                             "device the bandwidth holds an operation, above it the peak."),
           QT_TRANSLATE_NOOP("plumb::ui", "FLOP / bytes"), "FLOP/B",
           QT_TRANSLATE_NOOP("plumb::ui", "counted from the plan; with counters also from the bytes that "
                                          "moved")},
    Figure{"recomputedFlops", Counts, QT_TRANSLATE_NOOP("plumb::ui", "Recomputed FLOP"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "Products of the forward pass that are done again in the backward pass because "
                             "their activations were not kept. HFU counts them, MFU does not."),
           QT_TRANSLATE_NOOP("plumb::ui", "sum over the recomputed chains of n layers: 2·n·b·D²"), "FLOP",
           QT_TRANSLATE_NOOP("plumb::ui", "counted from the plan")},
    Figure{"executedFlops", Counts, QT_TRANSLATE_NOOP("plumb::ui", "Executed FLOP"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "What the units of the device executed, the padding of tiles included. Beside "
                             "the FLOP of the model it shows what an implementation adds."),
           nullptr, "FLOP", QT_TRANSLATE_NOOP("plumb::ui", "hardware counters of NVIDIA GPUs")},

    Figure{"opTime", Time, QT_TRANSLATE_NOOP("plumb::ui", "Predicted time of an operation"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "On a calibrated machine the time that calibration measured for such an "
                             "operation, interpolated by its sizes. On a device that only its data sheet is "
                             "known of, the time at the roof, with the shares of it that devices reach."),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "calibrated: executions × interpolated time; data sheet: max(FLOP / (peak × "
                             "share), bytes / (bandwidth × share)) + executions × launch"),
           "s", QT_TRANSLATE_NOOP("plumb::ui", "as its tier says")},
    Figure{
        "range", Time, QT_TRANSLATE_NOOP("plumb::ui", "Range of a time"),
        QT_TRANSLATE_NOOP("plumb::ui",
                          "Of a measurement, what lies between the fastest and the slowest tenth of the "
                          "steps. Of a prediction on a calibrated machine, what its past errors make "
                          "likely; without checked errors there is none. Of a data sheet, from the bound "
                          "that nothing undercuts to what a poor implementation takes."),
        QT_TRANSLATE_NOOP("plumb::ui", "calibrated: time / (1 + error) to time / (1 − error), with the error "
                                       "that 90 % of the checked steps stay below"),
        "s",
        QT_TRANSLATE_NOOP("plumb::ui", "repeats of the step, the errors that check-prediction kept, or the "
                                       "data sheet")},
    Figure{
        "difference", Time, QT_TRANSLATE_NOOP("plumb::ui", "Difference"),
        QT_TRANSLATE_NOOP(
            "plumb::ui",
            "How far the measurement is from the prediction of what ran. While the sliders "
            "ask for another step it is the other way round: how far that step is predicted "
            "from the run. Green up to {{good-difference}}, yellow up to {{fair-difference}}, red beyond."),
        QT_TRANSLATE_NOOP("plumb::ui", "measured / predicted − 1; of a what-if: what-if / run − 1"), "%",
        QT_TRANSLATE_NOOP("plumb::ui", "the two figures beside it")},
    Figure{"overhead", Time, QT_TRANSLATE_NOOP("plumb::ui", "Overhead"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "What starting an operation takes, whatever its size. A chain of recomputed "
                             "layers starts as often as it has layers; a view starts nothing."),
           QT_TRANSLATE_NOOP("plumb::ui", "executions × kernels of one execution × time to start one"), "s",
           QT_TRANSLATE_NOOP("plumb::ui", "calibration, or an assumption where a data sheet alone is known")},
    Figure{"speedOfTheMoment", Time, QT_TRANSLATE_NOOP("plumb::ui", "Speed of the moment"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "At which share of the speed that calibration found the machine ran while "
                             "something was measured. A probe of some milliseconds stands beside each "
                             "measurement: a product, a copy and a loop."),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "parts of the probe now / parts of the probe at calibration, weighted "
                             "by the predicted time of the operations that follow each part"),
           "%", QT_TRANSLATE_NOOP("plumb::ui", "measured: the probe")},

    Figure{"peak", Roofs, QT_TRANSLATE_NOOP("plumb::ui", "Peak"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "Most FLOP a second in a format, dense. What is no product counts against the "
                             "peak of fp32."),
           nullptr, "FLOP/s",
           QT_TRANSLATE_NOOP("plumb::ui", "calibration: the fastest product; data sheet: as published")},
    Figure{"bandwidth", Roofs, QT_TRANSLATE_NOOP("plumb::ui", "Bandwidth"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "Most bytes a second between the units and a level of memory. The chart has a "
                             "roof for each level that calibration found."),
           nullptr, "B/s",
           QT_TRANSLATE_NOOP("plumb::ui", "calibration: copying by size of the working set; data sheet: as "
                                          "published")},
    Figure{"balance", Roofs, QT_TRANSLATE_NOOP("plumb::ui", "Balance point"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "The arithmetic intensity at which the two roofs meet: an operation to the left "
                             "of it is memory-bound, one to the right of it compute-bound."),
           QT_TRANSLATE_NOOP("plumb::ui", "peak / bandwidth"), "FLOP/B",
           QT_TRANSLATE_NOOP("plumb::ui", "the two ceilings")},
    Figure{
        "ofRoof", Roofs, QT_TRANSLATE_NOOP("plumb::ui", "Share of the roof"),
        QT_TRANSLATE_NOOP("plumb::ui",
                          "How near an operation came to the lowest ceiling that holds it: the peak, or "
                          "the bandwidth of the level of memory that served it, without overhead."),
        QT_TRANSLATE_NOOP("plumb::ui", "time at the roof / measured time"), "%",
        QT_TRANSLATE_NOOP("plumb::ui", "FLOP and bytes of the plan, ceilings of the device, measured time")},
    Figure{"bound", Roofs, QT_TRANSLATE_NOOP("plumb::ui", "Bound"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "Which of three times of an operation is the largest: compute, memory or "
                             "overhead. It says what would make the operation faster."),
           QT_TRANSLATE_NOOP("plumb::ui", "largest of FLOP / peak, bytes / bandwidth and overhead"), "",
           QT_TRANSLATE_NOOP("plumb::ui", "FLOP and bytes of the plan, ceilings of the device")},

    Figure{"memoryMeter", Memory, QT_TRANSLATE_NOOP("plumb::ui", "Memory that is used"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "The predicted peak beside the memory of the chosen device. Context of the "
                             "driver, fragments and other programs come on top."),
           QT_TRANSLATE_NOOP("plumb::ui", "peak memory / memory of the device"), "%",
           QT_TRANSLATE_NOOP("plumb::ui", "the plan, and what the device says of itself")},
    Figure{"maximumBatch", Memory, QT_TRANSLATE_NOOP("plumb::ui", "Largest batch that fits"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "The largest batch whose predicted peak is no more than the memory of the "
                             "device, everything else as it is set. A click takes it."),
           nullptr, "", QT_TRANSLATE_NOOP("plumb::ui", "the plan, searched")},
    Figure{"plainMemory", Memory, QT_TRANSLATE_NOOP("plumb::ui", "Plain sum"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "What one adds up on a napkin. It stands beside the true peak, with the parts "
                             "named that differ: not all of it is alive at the same time, and casts and "
                             "workspaces are left out."),
           QT_TRANSLATE_NOOP("plumb::ui", "parameters + gradients + optimizer state + activations"), "B",
           QT_TRANSLATE_NOOP("plumb::ui", "counted from the plan")},

    Figure{"clocks", Device, QT_TRANSLATE_NOOP("plumb::ui", "Clocks, power and temperature"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "What a GPU tells of itself between measured steps, as mean and range. A power "
                             "of the driver's is itself a mean over up to a second."),
           nullptr, "Hz, W, °C", QT_TRANSLATE_NOOP("plumb::ui", "told by the driver, sampled")},
    Figure{"energy", Device, QT_TRANSLATE_NOOP("plumb::ui", "Energy of a step"),
           QT_TRANSLATE_NOOP("plumb::ui",
                             "What the energy counter of the device advanced by over stretches of measured "
                             "steps. The host's time between two steps is part of it; probes, saving and "
                             "pauses are not."),
           QT_TRANSLATE_NOOP("plumb::ui", "energy of the stretches / their number of steps"), "J",
           QT_TRANSLATE_NOOP("plumb::ui", "told by the driver")},
};

}  // namespace

std::span<const Figure> manualFigures() { return kManualFigures; }

QString figureGroupTitle(FigureGroup group) {
    switch (group) {
    case Key:
        return tr("Key figures");
    case Counts:
        return tr("FLOP, bytes and intensity");
    case Time:
        return tr("Times");
    case Roofs:
        return tr("Ceilings and what holds an operation");
    case Memory:
        return tr("Memory");
    case Device:
        break;
    }
    return tr("The device while it is measured");
}

QString figureGroupAnchor(FigureGroup group) {
    static constexpr std::array kAnchors{"key-figures", "counts", "times", "roofs", "memory", "device"};
    return QLatin1String(kAnchors.at(static_cast<std::size_t>(group)));
}

}  // namespace plumb::ui
