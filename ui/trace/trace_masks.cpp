// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_masks.h"

#include <utility>

namespace plumb::ui {

namespace {

TraceMasks::Mask maskOf(const trace::Trace& trace, const std::vector<bool>& strong) {
    return std::make_shared<const trace::RowMask>(trace, [&](std::uint32_t slice) { return strong[slice]; });
}

}  // namespace

void TraceMasks::setTrace(std::shared_ptr<const OpenedTrace> opened) {
    m_stop.request_stop();
    m_finder.cancel();
    m_shower.cancel();
    m_opened = std::move(opened);
    m_hits.clear();
    m_hidden.reset();
    emit found(nullptr);
    emit shown(nullptr);
}

template <class Work>
void TraceMasks::look(Work work) {
    m_stop.request_stop();
    m_stop = {};
    m_finder.run([stop = m_stop.get_token(), work = std::move(work)] { return work(stop); },
                 [this](Found result) {
                     m_hits = std::move(result.hits);
                     emit found(result.mask);
                 });
}

void TraceMasks::find(const trace::SliceFilter& filter) {
    if (!m_opened) return;
    look([opened = m_opened, filter](const std::stop_token& stop) {
        const trace::Trace& trace = *opened->trace;
        Found result;
        result.hits = trace::slicesOf(trace, opened->categories, filter, stop);
        if (stop.stop_requested()) return result;
        std::vector<bool> strong(trace.slices.size());
        for (const std::uint32_t slice : result.hits) strong[slice] = true;
        result.mask = maskOf(trace, strong);
        return result;
    });
}

void TraceMasks::findPath(std::shared_ptr<const ScopeFigures> figures) {
    if (m_opened && figures && figures->path)
        return look([opened = m_opened, figures = std::move(figures)](const std::stop_token& /*stop*/) {
            std::vector<bool> strong(opened->trace->slices.size());
            for (const trace::PathStretch& stretch : figures->path->stretches) strong[stretch.slice] = true;
            return Found{{}, maskOf(*opened->trace, strong)};
        });
    m_stop.request_stop();
    m_finder.cancel();
    m_hits.clear();
    emit found(nullptr);
}

void TraceMasks::setToneShown(TraceTone tone, bool shown) {
    m_hidden.set(static_cast<std::size_t>(tone), !shown);
    if (!m_opened || m_hidden.none()) {
        m_shower.cancel();
        emit this->shown(nullptr);
        return;
    }
    m_shower.run(
        [opened = m_opened, hidden = m_hidden] {
            return std::make_shared<const trace::RowMask>(*opened->trace, [&](std::uint32_t slice) {
                return !hidden.test(static_cast<std::size_t>(toneOf(*opened, slice)));
            });
        },
        [this](Mask mask) { emit this->shown(mask); });
}

}  // namespace plumb::ui
