// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/read_control.h"
#include "ui/engine/job_runner.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace plumb::ui {

/// One file that is no step of ours, opened to be looked at: reads it on a worker and holds what was read.
/// What is open stays until another one of the kind was read, or until it is closed.
class OpenedFile : public QObject {
    Q_OBJECT
public:
    OpenedFile(const OpenedFile&) = delete;
    OpenedFile& operator=(const OpenedFile&) = delete;
    ~OpenedFile() override;

    /// Begins to read; what was being read before is given up.
    void open(const QString& path) { open(QStringList{path}); }
    /// The same of several files that are one document.
    void open(const QStringList& paths);
    void cancel();
    void close();

    [[nodiscard]] bool isOpen() const { return m_content != nullptr; }
    [[nodiscard]] bool isReading() const { return m_runner.busy(); }
    /// Of what is open; of several files the first one.
    [[nodiscard]] QString path() const { return m_paths.value(0); }
    [[nodiscard]] const QStringList& paths() const { return m_paths; }
    [[nodiscard]] QString readingPath() const { return m_reading.value(0); }  ///< of what is being read
    [[nodiscard]] double share() const { return m_share->load(); }            ///< read of it so far

signals:
    void changed();  ///< something else is open, or nothing
    void opened(const QString& path);
    void progressed();  ///< reading began, went on or was cancelled
    void failed(const plumb::Error& error);

protected:
    using Read = std::function<Result<std::shared_ptr<const void>>(const std::vector<std::string>& paths,
                                                                   const ReadControl& control)>;
    explicit OpenedFile(Read read, QObject* parent);
    [[nodiscard]] const std::shared_ptr<const void>& anyContent() const { return m_content; }

private:
    void endReading();

    Read m_read;
    std::shared_ptr<const void> m_content;
    QStringList m_paths;
    QStringList m_reading;
    std::stop_source m_stop;
    std::shared_ptr<std::atomic<double>> m_share = std::make_shared<std::atomic<double>>(0);
    QTimer m_ticks;
    JobRunner m_runner;  // last: its destructor waits for the worker
};

/// The file whose reader makes a `Content`.
template <class Content>
class OpenedAs final : public OpenedFile {
public:
    using Reader = Result<Content> (*)(const std::string& path, const ReadControl& control);
    using ReaderOfSeveral = Result<Content> (*)(const std::vector<std::string>& paths,
                                                const ReadControl& control);
    explicit OpenedAs(ReaderOfSeveral reader, QObject* parent = nullptr)
        : OpenedFile([reader](const std::vector<std::string>& paths,
                              const ReadControl& control) { return kept(reader(paths, control)); },
                     parent) {}
    explicit OpenedAs(Reader reader, QObject* parent = nullptr)
        : OpenedFile([reader](const std::vector<std::string>& paths,
                              const ReadControl& control) { return kept(reader(paths.front(), control)); },
                     parent) {}

    /// Null while nothing is open.
    [[nodiscard]] std::shared_ptr<const Content> content() const {
        return std::static_pointer_cast<const Content>(anyContent());
    }

private:
    static Result<std::shared_ptr<const void>> kept(Result<Content> read) {
        PLUMB_TRY(Content content, std::move(read));
        return std::shared_ptr<const void>(std::make_shared<const Content>(std::move(content)));
    }
};

}  // namespace plumb::ui
