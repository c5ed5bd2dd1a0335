// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the whole window in every view, to look at: both themes, both languages, several sizes,
// offscreen.
// `./dev pictures` gives it files to show. Letters are those of QT_FONT_DPI.
#include "core/base/number_style.h"
#include "ui/shell/main_window.h"
#include "ui/shell/picture_exporter.h"
#include "ui/shell/view_actions.h"
#include "ui/shell/window_frame.h"
#include "ui/shell/window_host.h"
#include "ui/theme/text.h"
#include "ui/theme/translations.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QSaveFile>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>

namespace plumb::ui {
namespace {

constexpr int kPollMs = 20;
constexpr int kPatienceMs = 60'000;
constexpr int kEngineMs = 3000;
constexpr int kThumbnail = 320;

/// Lets the window work until `done`; false when that takes too long.
bool waitUntil(const std::function<bool()>& done, int patience = kPatienceMs) {
    QElapsedTimer clock;
    clock.start();
    while (!done()) {
        if (clock.elapsed() > patience) return false;
        QEventLoop loop;
        QTimer::singleShot(kPollMs, &loop, &QEventLoop::quit);
        loop.exec();
    }
    return true;
}

/// What the pictures show, each empty where it is not wanted.
struct Shown {
    QString snapshot, compared, recorded, trace, memory;
};

class Photographer final {
public:
    Photographer(WindowHost& host, Theme& theme, QString folder, QStringList sizes)
        : m_host(host), m_theme(theme), m_folder(std::move(folder)), m_sizes(std::move(sizes)) {}

    /// Empty, or what went wrong.
    [[nodiscard]] QString open(const Shown& shown) {
        MainWindow& window = m_host.window();
        m_host.frame().show();
        window.engine().start();
        waitUntil([&] { return window.controller().chosen().whyNotRun().isEmpty(); }, kEngineMs);
        for (const QString& file : {shown.snapshot, shown.trace, shown.memory}) {
            if (file.isEmpty()) continue;
            window.openFile(file);
            if (!waitUntil([&] { return !window.document().opening() && !window.openedFiles().isReading(); }))
                return QStringLiteral("%1 is still being read").arg(file);
        }
        if (!shown.compared.isEmpty()) {
            window.compared().open({shown.snapshot, shown.compared});
            waitUntil([&] { return window.compared().comparison() != nullptr; });
        }
        return window.bannerText();
    }

    [[nodiscard]] QString drawIn(const QString& language, const QString& prefix) {
        for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
            m_theme.setMode(mode);
            const QString theme =
                mode == Theme::Mode::Dark ? QStringLiteral("dark") : QStringLiteral("light");
            for (const QString& size : m_sizes) {
                const QString name = QStringLiteral("-%1-%2-%3").arg(theme, language, size);
                if (const QString error = drawAll(size, prefix, name); !error.isEmpty()) return error;
            }
        }
        return {};
    }

    void choose(const QString& language) {
        bool isDone = false;
        QEventLoop::connect(&m_host, &WindowHost::windowChanged, &m_host, [&] { isDone = true; });
        MainWindow& window = m_host.window();
        window.actions().action(QStringLiteral("view.language.") + language)->trigger();
        waitUntil([&] { return isDone; }, kEngineMs);
        QObject::disconnect(&m_host, nullptr, &m_host, nullptr);
    }

    void show(const std::optional<QString>& recorded) {
        MainWindow& window = m_host.window();
        if (!recorded) return (void)window.workbench().open(std::optional<Recording>());
        window.openFile(*recorded);
        waitUntil([&] { return !window.document().opening(); });
    }

private:
    QString drawAll(const QString& size, const QString& prefix, const QString& name) {
        const QStringList sides = size.section(QLatin1Char('-'), 0, 0).split(QLatin1Char('x'));
        MainWindow& window = m_host.window();
        WindowFrame& frame = m_host.frame();
        frame.resize(sides.value(0).toInt(), sides.value(1).toInt());
        PictureExporter exporter(window.views(), window.viewArea(), nullptr);
        exporter.setWholeWindow(name);
        QString error;
        int written = -1;
        QObject::connect(&exporter, &PictureExporter::finished, &window, [&](const QString& why, int count) {
            error = why;
            written = count;
        });
        exporter.exportTo(QDir(m_folder).filePath(prefix));
        waitUntil([&] { return written >= 0; }, 10 * kPatienceMs);
        if (frame.width() > sides.value(0).toInt() || frame.height() > sides.value(1).toInt())
            std::fprintf(stderr, "window_pictures: the window is larger than %s: %d x %d\n", qPrintable(size),
                         frame.width(), frame.height());
        std::fprintf(stderr, "window_pictures: %d pictures %s%s\n", written, qPrintable(prefix),
                     qPrintable(name));
        return error;
    }

    WindowHost& m_host;
    Theme& m_theme;
    QString m_folder;
    QStringList m_sizes;
};

/// A page of all pictures in the folder, small, each of which leads to the whole one.
bool writeIndex(const QString& folder) {
    QString page = QStringLiteral(
        "<!doctype html><meta charset=\"utf-8\"><title>Plumbline: every view</title>\n"
        "<style>body{font:14px sans-serif;background:#888}figure{display:inline-block;margin:6px}</style>\n");
    for (const QString& part : {QString(), QStringLiteral("recorded")})
        for (const QString& file :
             QDir(QDir(folder).filePath(part)).entryList({QStringLiteral("*.png")}, QDir::Files)) {
            const QString path = part.isEmpty() ? file : part + QLatin1Char('/') + file;
            page +=
                QStringLiteral(
                    "<figure><a href=\"%1\"><img src=\"%1\" width=\"%2\" loading=\"lazy\" alt=\"\"></a>"
                    "<figcaption>%3</figcaption></figure>\n")
                    .arg(path.toHtmlEscaped(), QString::number(kThumbnail), path.chopped(4).toHtmlEscaped());
        }
    QSaveFile index(QDir(folder).filePath(QStringLiteral("index.html")));
    return index.open(QIODevice::WriteOnly) && index.write(page.toUtf8()) >= 0 && index.commit();
}

int fail(const QString& why) {
    std::fprintf(stderr, "window_pictures: %s\n", qPrintable(why));
    return 1;
}

int draw(const QCommandLineParser& parser) {
    const auto value = [&](const char* option) { return parser.value(QLatin1String(option)); };
    const Shown shown{value("snapshot"), value("compared"), value("recorded"), value("trace"),
                      value("memory")};
    const QString folder = parser.positionalArguments().value(0);
    const QTemporaryDir own;
    qputenv("PLUMBLINE_HISTORY", own.filePath(QStringLiteral("history.sqlite")).toUtf8());
    Settings settings(own.filePath(QStringLiteral("window.ini")));
    Theme theme;
    theme.apply(*qApp);
    Translations translations(*qApp);
    setNumberStyle(numberStyleOf(QLocale::c()));
    WindowHost host(settings, theme, translations);
    Photographer photographer(host, theme, folder,
                              value("sizes").split(QLatin1Char(','), Qt::SkipEmptyParts));
    if (const QString error = photographer.open(shown); !error.isEmpty()) return fail(error);
    for (const QString& language : value("languages").split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        photographer.choose(language);
        if (const QString error = photographer.drawIn(language, QString()); !error.isEmpty())
            return fail(error);
        if (shown.recorded.isEmpty()) continue;
        photographer.show(shown.recorded);
        if (const QString error = photographer.drawIn(language, QStringLiteral("recorded")); !error.isEmpty())
            return fail(error);
        photographer.show(std::nullopt);
    }
    return writeIndex(folder) ? 0 : fail(QStringLiteral("index.html could not be written"));
}

/// The offscreen platform says once per window that it has no window manager: no news.
void withoutSizeHints(QtMsgType, const QMessageLogContext&, const QString& message) {
    if (!message.contains(QLatin1String("propagateSizeHints")))
        std::fprintf(stderr, "%s\n", qPrintable(message));
}

}  // namespace
}  // namespace plumb::ui

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    qInstallMessageHandler(plumb::ui::withoutSizeHints);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Draws the whole window in every view, as PNG into FOLDER."));
    parser.addHelpOption();
    for (const char* option : {"snapshot", "compared", "recorded", "trace", "memory"})
        parser.addOption({QLatin1String(option), QStringLiteral("What is open."), QStringLiteral("FILE")});
    parser.addOption({QStringLiteral("sizes"), QStringLiteral("Sizes of the window."),
                      QStringLiteral("WxH[-NAME],..."),
                      QStringLiteral("1024x768,1280x800,1600x1000,2560x1440")});
    parser.addOption({QStringLiteral("languages"), QStringLiteral("Languages of the window."),
                      QStringLiteral("IDS"), QStringLiteral("en,zh_CN")});
    parser.addPositionalArgument(QStringLiteral("FOLDER"), QStringLiteral("Where the pictures go."));
    parser.process(application);
    if (parser.positionalArguments().size() != 1) parser.showHelp(2);
    return plumb::ui::draw(parser);
}
