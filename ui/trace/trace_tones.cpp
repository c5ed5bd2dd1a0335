// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_tones.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"

#include <array>

namespace plumb::ui {

namespace {

struct ToneLook {
    const char* name;
    ChartColor color;
    double share;  ///< of the colour on the card
};

ToneLook lookOf(TraceTone tone) {
    switch (tone) {
    case TraceTone::Products:
        return {QT_TR_NOOP("products"), Phase::Forward, 1};
    case TraceTone::Attention:
        return {QT_TR_NOOP("attention"), Phase::Backward, 1};
    case TraceTone::Norm:
        return {QT_TR_NOOP("normalization"), Category::Activations, 1};
    case TraceTone::Loss:
        return {QT_TR_NOOP("softmax, loss"), Category::ActivationGradients, 1};
    case TraceTone::Elementwise:
        return {QT_TR_NOOP("elementwise"), Category::MasterParameters, 1};
    case TraceTone::Index:
        return {QT_TR_NOOP("index, reduce, sort"), Category::Workspace, 1};
    case TraceTone::Optimizer:
        return {QT_TR_NOOP("optimizer"), Phase::Optimizer, 1};
    case TraceTone::Communication:
        return {QT_TR_NOOP("communication"), Phase::Loss, 1};
    case TraceTone::Copies:
        return {QT_TR_NOOP("copies"), Phase::Data, 1};
    case TraceTone::OtherWork:
        return {QT_TR_NOOP("other work"), ColorRole::Ghost, 1};
    case TraceTone::Ops:
        return {QT_TR_NOOP("ops"), Phase::Forward, 0.4};
    case TraceTone::Calls:
        return {QT_TR_NOOP("calls of the driver"), Phase::Data, 0.5};
    case TraceTone::Notes:
        return {QT_TR_NOOP("annotations, Python"), ColorRole::TextMuted, 0.35};
    case TraceTone::Waits:
        return {QT_TR_NOOP("waits"), ColorRole::Warning, 1};
    case TraceTone::OtherHost:
        break;
    }
    return {"other", ColorRole::Track, 1};
}

}  // namespace

TraceTone toneOf(trace::KernelCategory category) {
    using enum trace::KernelCategory;
    switch (category) {
    case Communication:
        return TraceTone::Communication;
    case Memory:
        return TraceTone::Copies;
    case Attention:
        return TraceTone::Attention;
    case Convolution:
    case Gemm:
        return TraceTone::Products;
    case Normalization:
        return TraceTone::Norm;
    case SoftmaxLoss:
        return TraceTone::Loss;
    case Optimizer:
        return TraceTone::Optimizer;
    case Index:
    case ReduceSort:
        return TraceTone::Index;
    case Random:
    case Triton:
    case Elementwise:
        return TraceTone::Elementwise;
    case Other:
        break;
    }
    return TraceTone::OtherWork;
}

TraceTone toneOf(const OpenedTrace& opened, std::uint32_t slice) {
    if (opened.categories[slice] > 0)
        return toneOf(static_cast<trace::KernelCategory>(opened.categories[slice] - 1));
    switch (opened.trace->slices.category[slice]) {
    case trace::Category::Op:
        return TraceTone::Ops;
    case trace::Category::Annotation:
    case trace::Category::Python:
        return TraceTone::Notes;
    case trace::Category::Runtime:
    case trace::Category::Driver:
        return TraceTone::Calls;
    case trace::Category::Sync:
        return TraceTone::Waits;
    default:
        return TraceTone::OtherHost;
    }
}

QColor colorOf(const Theme& theme, TraceTone tone) {
    const ToneLook look = lookOf(tone);
    return mixedColors(resolve(theme, look.color), theme.color(ColorRole::Card), look.share);
}

ChartColor chartColorOf(TraceTone tone) { return lookOf(tone).color; }

QString nameOf(TraceTone tone) {
    return tone == TraceTone::OtherHost
               ? QCoreApplication::translate("plumb::ui", "other", "work of the host")
               : tr(lookOf(tone).name);
}

QVector<LegendEntry> toneEntries(const OpenedTrace& opened) {
    std::array<bool, kTraceTones> has{};
    for (std::uint32_t i = 0; i < opened.trace->slices.size(); ++i)
        has[static_cast<std::size_t>(toneOf(opened, i))] = true;
    QVector<LegendEntry> entries;
    for (std::size_t i = 0; i < kTraceTones; ++i) {
        if (!has[i]) continue;
        const ToneLook look = lookOf(static_cast<TraceTone>(i));
        LegendEntry entry;
        entry.id = QString::number(i);
        entry.label = nameOf(static_cast<TraceTone>(i));
        entry.color = look.color;
        entry.swatch = look.share < 1 ? LegendEntry::Swatch::Circle : LegendEntry::Swatch::Square;
        entry.checkable = true;
        entries.push_back(entry);
    }
    return entries;
}

}  // namespace plumb::ui
