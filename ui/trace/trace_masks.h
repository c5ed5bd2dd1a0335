// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/slice_filter.h"
#include "ui/engine/job_runner.h"
#include "ui/trace/trace_scope.h"
#include "ui/trace/trace_tones.h"

#include <QObject>

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace plumb::ui {

/// Which slices are looked for, and which are not to be seen: worked out on workers, so that the lanes move
/// on while millions are gone through. What is asked for later gives up what was asked before.
class TraceMasks final : public QObject {
    Q_OBJECT
public:
    using Mask = std::shared_ptr<const trace::RowMask>;

    explicit TraceMasks(QObject* parent = nullptr) : QObject(parent) {}
    ~TraceMasks() override { m_stop.request_stop(); }

    void setTrace(std::shared_ptr<const OpenedTrace> opened);
    /// Looks for what the filter lets through.
    void find(const trace::SliceFilter& filter);
    /// Looks for what is on the critical path of a scope; null: for nothing.
    void findPath(std::shared_ptr<const ScopeFigures> figures);
    [[nodiscard]] bool isFinding() const { return m_finder.busy(); }
    /// What the filter lets through, in the order of slices; of the last search that has ended.
    [[nodiscard]] const std::vector<std::uint32_t>& hits() const { return m_hits; }
    void setToneShown(TraceTone tone, bool shown);
    [[nodiscard]] bool isShowing() const { return m_shower.busy(); }  ///< works out what is shown

signals:
    void found(const plumb::ui::TraceMasks::Mask& emphasis);  ///< null: nothing is looked for
    void shown(const plumb::ui::TraceMasks::Mask& shown);     ///< null: all is shown

private:
    struct Found {
        std::vector<std::uint32_t> hits;
        Mask mask;
    };
    template <class Work>
    void look(Work work);

    std::shared_ptr<const OpenedTrace> m_opened;
    std::vector<std::uint32_t> m_hits;
    std::bitset<kTraceTones> m_hidden;
    std::stop_source m_stop;
    JobRunner m_finder;
    JobRunner m_shower;  // the last two: their destructors wait for the workers
};

}  // namespace plumb::ui
