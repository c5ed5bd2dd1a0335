// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_edits.h"

#include "core/base/quantity.h"
#include "core/base/typed_number.h"
#include "ui/history/history.h"
#include "ui/theme/text.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/size_field.h"

#include <QUndoStack>

#include <algorithm>
#include <memory>
#include <utility>

namespace plumb::ui {
namespace {

/// Changes the history, and changes it back.
class HistoryEdit final : public QUndoCommand {
public:
    using Work = std::function<Result<void>(HistoryStore&)>;
    HistoryEdit(History& history, const QString& text, Work apply, Work revert)
        : QUndoCommand(text), m_history(history), m_apply(std::move(apply)), m_revert(std::move(revert)) {}
    /// Undo says `text`, in the place of what was said of the change.
    void sayWhenUndone(const QString& text) { m_undone = text; }
    void undo() override {
        m_history.change(m_revert);
        if (!m_undone.isEmpty()) emit m_history.noticed(m_undone);
    }
    void redo() override { m_history.change(m_apply); }

private:
    History& m_history;
    Work m_apply, m_revert;
    QString m_undone;
};

HistoryStore::Ids idsOf(const std::vector<HistoryEntry>& entries) {
    HistoryStore::Ids ids;
    for (const HistoryEntry& entry : entries) ids.push_back(entry.id);
    return ids;
}

QStringList tagsOf(const QString& text) {
    QStringList tags;
    for (const QString& tag : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!tag.trimmed().isEmpty()) tags << tag.simplified();
    tags.removeDuplicates();
    return tags;
}

QString countText(std::size_t count) { return groupedDigits(static_cast<std::int64_t>(count)); }

}  // namespace

HistoryEdits::HistoryEdits(History& history, QUndoStack& undo, QWidget& view)
    : QObject(&view), m_history(history), m_undo(undo), m_view(view) {}

void HistoryEdits::push(const QString& text, Work apply, Work revert, const QString& undone) {
    auto* edit = new HistoryEdit(m_history, text, std::move(apply), std::move(revert));
    edit->sayWhenUndone(undone);
    m_undo.push(edit);
}

void HistoryEdits::setFavourite(const std::vector<HistoryEntry>& entries, bool isFavourite) {
    HistoryStore::Ids ids;
    for (const HistoryEntry& entry : entries)
        if (entry.isFavourite != isFavourite) ids.push_back(entry.id);
    if (ids.empty()) return;
    const auto set = [ids](bool is) {
        return [ids, is](HistoryStore& store) { return store.say(ids, HistoryStore::Said::Favourite, is); };
    };
    push(tr("favourites of the history"), set(isFavourite), set(!isFavourite));
}

void HistoryEdits::askTags(const std::vector<HistoryEntry>& entries) {
    if (entries.empty()) return;
    QStringList common = entries.front().tags;
    for (const HistoryEntry& entry : entries)
        common.removeIf([&](const QString& tag) { return !entry.tags.contains(tag); });
    askText(m_view, tr("Tags"), tr("Tags, separated by commas:"), common.join(QStringLiteral(", ")),
            [this, entries, common](const QString& text) {
                const QStringList wanted = tagsOf(text);
                QStringList gone = common;
                gone.removeIf([&](const QString& tag) { return wanted.contains(tag); });
                QStringList added = wanted;
                added.removeIf([&](const QString& tag) { return common.contains(tag); });
                if (gone.isEmpty() && added.isEmpty()) return;
                push(
                    tr("tags of the history"),
                    [ids = idsOf(entries), added, gone](HistoryStore& store) {
                        return store.changeTags(ids, added, gone);
                    },
                    [entries, added, gone](HistoryStore& store) {
                        return store.together([&]() -> Result<void> {
                            for (const HistoryEntry& entry : entries) {
                                QStringList lacked = added;
                                lacked.removeIf([&](const QString& tag) { return entry.tags.contains(tag); });
                                PLUMB_CHECK(store.changeTags({entry.id}, gone, lacked));
                            }
                            return {};
                        });
                    });
            });
}

void HistoryEdits::askNote(const std::vector<HistoryEntry>& entries) {
    if (entries.empty()) return;
    const bool areAlike = std::ranges::all_of(
        entries, [&](const HistoryEntry& entry) { return entry.note == entries.front().note; });
    const QString count = countText(entries.size());
    const QString question =
        !areAlike ? tr("Notes of the %1 entries differ. What is typed here takes the place of all of them; "
                       "nothing typed leaves them as they are:")
                        .arg(count)
        : entries.size() > 1 ? tr("What is to be remembered of the %1 entries:").arg(count)
                             : tr("What is to be remembered of it:");
    const QString shown = areAlike ? entries.front().note : QString();
    askText(m_view, tr("Note"), question, shown, [this, entries, shown](const QString& text) {
        if (text == shown) return;
        push(
            tr("note of the history"),
            [ids = idsOf(entries), text](HistoryStore& store) {
                return store.say(ids, HistoryStore::Said::Note, text);
            },
            [entries](HistoryStore& store) {
                return store.together([&]() -> Result<void> {
                    for (const HistoryEntry& entry : entries)
                        PLUMB_CHECK(store.say({entry.id}, HistoryStore::Said::Note, entry.note));
                    return {};
                });
            });
    });
}

void HistoryEdits::remove(const HistoryStore::Ids& ids) {
    if (ids.empty()) return;
    const auto set = [ids](bool isRemoved) {
        return [ids, isRemoved](HistoryStore& store) { return store.setRemoved(ids, isRemoved); };
    };
    push(tr("removal from the history"), set(true), set(false), tr("What was removed is back"));
    emit m_history.noticed(
        ids.size() == 1
            ? tr("1 entry was removed; Undo (Ctrl+Z) brings it back")
            : tr("%1 entries were removed; Undo (Ctrl+Z) brings them back").arg(countText(ids.size())));
}

void HistoryEdits::askMostBytes(const HistoryBounds& now) {
    constexpr double kLeast = 1e6;
    askBound(
        {tr("Room of the history"),
         tr("The most that the history may take on the disk, such as 500 MB or 2 GB. Of more, the oldest "
            "goes:"),
         localText(formatEditable(static_cast<double>(now.bytes), "B")),
         tr("give at least 1 MB, such as 500 MB"), "B", kLeast, &HistoryBounds::bytes});
}

void HistoryEdits::askMostEntries(const HistoryBounds& now) {
    askBound({tr("Entries of the history"), tr("How many entries are kept. Of more, the oldest go:"),
              groupedDigits(now.entries), tr("give a whole number from 1 on, such as 10000"), "", 1,
              &HistoryBounds::entries});
}

void HistoryEdits::askBound(const Bound& bound) {
    askText(m_view, bound.title, bound.question, bound.shown, [this, bound](const QString& text) {
        const Result<double> number = parseTyped(text.trimmed().toStdString(), [&](const std::string& plain) {
            return parseQuantity(plain, bound.unit);
        });
        if (!number.has_value() || *number < bound.least) {
            emit m_history.failed(
                badInput(tr("The history cannot have the limit \"%1\"").arg(text).toStdString(),
                         bound.remedy.toStdString()));
            return;
        }
        // A double that no whole number of 63 bits holds is as good as no limit.
        constexpr double kMost = 9e18;
        askLoss(bound.value, static_cast<std::int64_t>(std::min(*number, kMost)));
    });
}

// The other bound is what it is by then. Where one was set since this was asked, it is asked again.
void HistoryEdits::askLoss(std::int64_t HistoryBounds::*of, std::int64_t value) {
    struct Asked {
        HistoryBounds now, wanted;
        HistoryLoss loss;
    };
    m_history.ask(
        this,
        [of, value](HistoryStore& store) -> Result<Asked> {
            PLUMB_TRY(const HistoryUsage usage, store.usage());
            Asked asked{usage.bounds, usage.bounds, {}};
            asked.wanted.*of = value;
            PLUMB_TRY(asked.loss, store.lossBy(asked.wanted));
            return asked;
        },
        [this, of, value, before = m_boundsSet](const Asked& asked) {
            if (before != m_boundsSet) return askLoss(of, value);
            if (asked.wanted == asked.now) return;
            if (asked.loss.isNothing()) return setBounds(asked.now, asked.wanted);
            confirm(asked.loss, [this, of, value, before, now = asked.now, wanted = asked.wanted] {
                if (before != m_boundsSet) return askLoss(of, value);
                setBounds(now, wanted);
            });
        });
}

void HistoryEdits::confirm(const HistoryLoss& loss, std::function<void()> proceed) {
    QStringList lines;
    if (!loss.removed.empty())
        lines << tr("Above that limit are the oldest entries that are no favourites: %1, with snapshots of "
                    "%2. They are removed; for a day, Undo (Ctrl+Z) brings them back.")
                     .arg(countText(loss.removed.size()), bytesText(loss.removedBytes));
    if (loss.snapshots > 0 || loss.entries > 0)
        lines << tr("To stay within it, %1 are given back to the disk. Gone for good, of the oldest that are "
                    "no favourites: snapshots %2, whole entries %3.")
                     .arg(bytesText(loss.bytes), groupedDigits(loss.snapshots), groupedDigits(loss.entries));
    askBefore(m_view,
              {.name = "historyBoundQuestion",
               .title = tr("Limit of the history"),
               .text = lines.join(QStringLiteral("\n\n")),
               .act = tr("Remove them")},
              std::move(proceed));
}

void HistoryEdits::setBounds(const HistoryBounds& now, const HistoryBounds& wanted) {
    ++m_boundsSet;
    // Filled and read on the thread of the history alone.
    const auto loss = std::make_shared<HistoryLoss>();
    push(
        tr("limit of the history"),
        [wanted, loss](HistoryStore& store) -> Result<void> {
            PLUMB_TRY(*loss, store.setBounds(wanted));
            return {};
        },
        [now, loss](HistoryStore& store) -> Result<void> {
            PLUMB_CHECK(store.setRemoved(loss->removed, false));
            PLUMB_CHECK(store.setBounds(now));
            return {};
        },
        tr("The history has its limit from before"));
    m_history.ask(
        this, [loss](HistoryStore&) -> Result<HistoryLoss> { return *loss; },
        [this](const HistoryLoss& gone) {
            if (!gone.removed.empty())
                emit m_history.noticed(
                    tr("Entries removed: %1, with snapshots of %2; Undo (Ctrl+Z) brings "
                       "them back")
                        .arg(countText(gone.removed.size()), bytesText(gone.removedBytes)));
            else if (!gone.isNothing())
                emit m_history.noticed(
                    tr("Gone from the history: snapshots %1, whole entries %2; %3 are free")
                        .arg(groupedDigits(gone.snapshots), groupedDigits(gone.entries),
                             bytesText(gone.bytes)));
        });
}

}  // namespace plumb::ui
