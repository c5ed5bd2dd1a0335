// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/app_icon.h"
#include "app/gui/program_options.h"
#include "core/base/plain_text.h"
#include "core/base/program_version.h"
#include "core/base/sentence.h"
#include "core/base/words.h"
#include "ui/manual/manual_site.h"
#include "ui/settings/settings.h"
#include "ui/shell/file_pictures.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_frame.h"
#include "ui/shell/window_host.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/theme/translations.h"
#include "ui/widgets/screen_room.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QScreen>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdio>
#include <malloc.h>
#include <memory>
#include <utility>

namespace {

using plumb::setNumberStyle;
using plumb::gui::ProgramOptions;
using plumb::ui::FilePictures;
using plumb::ui::languageOf;
using plumb::ui::MainWindow;
using plumb::ui::numberStyleOf;
using plumb::ui::Settings;
using plumb::ui::Theme;
using plumb::ui::Translations;
using plumb::ui::WindowFrame;
using plumb::ui::WindowHost;

// Exit codes of the command line contract.
constexpr int kBadUsage = 2;
constexpr int kUnavailable = 3;

int fail(int code, const QString& text) {
    constexpr std::size_t kMostMessage = 2000;
    const std::string sentence = plumb::asSentence(text.toStdString());
    std::fprintf(stderr, "plumbline: %s\n", plumb::plainLine(sentence, kMostMessage).c_str());
    return code;
}

int fail(int code, const plumb::Error& error) { return fail(code, plumb::ui::coreText(error.text())); }

bool hasDisplay() {
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
           !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

/// The offscreen platform says once per window that it has no window manager to tell sizes to: no news.
void withoutSizeHints(QtMsgType type, const QMessageLogContext& context, const QString& message) {
    if (message.contains(QLatin1String("propagateSizeHints"))) return;
    const std::string text = qFormatLogMessage(type, context, message).toStdString();
    std::fprintf(stderr, "%s\n", plumb::plainText(text).c_str());
}

int exportPictures(MainWindow& window, const QString& folder, const QStringList& files) {
    FilePictures pictures(window, folder);
    int code = 0;
    // Queued: what cannot be opened may be known before there is a loop to leave.
    QObject::connect(
        &pictures, &FilePictures::finished, qApp,
        [&](const QString& error, int written) {
            if (!error.isEmpty())
                code = fail(kBadUsage, error);
            else
                std::printf("%d pictures in %s\n", written, qPrintable(folder));
            QCoreApplication::exit(code);
        },
        Qt::QueuedConnection);
    pictures.open(files);
    return QApplication::exec();
}

int exportManual(const QString& folder, Theme& theme, Translations& translations) {
    const auto pages = plumb::ui::writeManualSite(folder, theme, translations);
    if (!pages.has_value()) return fail(kBadUsage, pages.error());
    std::printf("%d pages in %s\n", *pages, qPrintable(folder));
    return 0;
}

/// Starts what a document may do when it was painted first, once; tells of the very first.
class FirstPaint final : public QObject {
public:
    FirstPaint(MainWindow& window, const QElapsedTimer* clock)
        : QObject(&window), m_window(window), m_clock(clock) {
        window.installEventFilter(this);
    }

private:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint && !std::exchange(m_done, true)) {
            QTimer::singleShot(0, this, [this] {
                if (m_clock != nullptr && qEnvironmentVariableIntValue("PLUMBLINE_TRACE_START") == 1)
                    std::fprintf(stderr, "first paint after %lld ms\n",
                                 static_cast<long long>(m_clock->elapsed()));
                m_window.engine().start();
            });
        }
        return QObject::eventFilter(watched, event);
    }

    MainWindow& m_window;
    const QElapsedTimer* m_clock;  ///< null: not the first
    bool m_done = false;
};

}  // namespace

int main(int argc, char** argv) {
    // A slider move frees and makes a plan's megabyte anew. Kept by the allocator it costs half as much as
    // given back to the system and faulted in again each time (tests/bench/predict_bench.cpp).
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    QElapsedTimer clock;
    clock.start();
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    const ProgramOptions options(arguments);
    if (const auto checked = options.check(); !checked.has_value()) return fail(kBadUsage, checked.error());
    if (options.isSet("help") || options.isSet("help-all"))
        return std::fputs(options.help().c_str(), stdout) < 0 ? 1 : 0;
    if (options.isSet("version")) return std::puts(plumb::programVersion().c_str()) < 0 ? 1 : 0;
    const bool exporting = options.exports(), selfTest = options.isSet("self-test");
    if (!hasDisplay() && !exporting && !selfTest)
        return fail(kUnavailable,
                    plumb::Error{plumb::ErrorCode::Unavailable,
                                 "there is no display (DISPLAY and WAYLAND_DISPLAY are not set)",
                                 "use --export-pictures DIR FILE.plumb, or plumbline-cli"});
    // From here on it is that of the window.
    plumb::setWordsLanguage({});
    if (exporting || (!hasDisplay() && selfTest)) qputenv("QT_QPA_PLATFORM", "offscreen");

    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("plumbline"));
    QApplication::setApplicationVersion(
        QString::fromStdString(plumb::programVersion()).remove(QStringLiteral("plumbline ")));
    QGuiApplication::setDesktopFileName(
        QStringLiteral("org.plumbline.Plumbline"));  // on Wayland it names the icon

    // Pictures and the self-test look the same for everybody: they read and write nobody's settings, but a
    // file of their own that goes with the process.
    const QTemporaryDir nobody;
    const auto settings = exporting || selfTest
                              ? std::make_unique<Settings>(nobody.filePath(QStringLiteral("window.ini")))
                              : std::make_unique<Settings>();

    Theme theme;
    if (!exporting && !selfTest) use(settings->preferences(), theme);
    const QString themeName = options.value("theme");
    if (themeName == QLatin1String("light") || (themeName.isEmpty() && exporting))
        theme.setMode(Theme::Mode::Light);
    else if (themeName == QLatin1String("dark"))
        theme.setMode(Theme::Mode::Dark);
    theme.apply(application);

    // Pictures have numbers as the window of their user has them; the manual and the self-test, as
    // everywhere.
    if (options.isSet("export-pictures"))
        setNumberStyle(plumb::ui::preferencesOfUser().numberStyle());
    else if (exporting || selfTest)
        setNumberStyle(numberStyleOf(QLocale::c()));
    Translations translations(application);
    if (const auto language = languageOf(options.value("language"))) {
        translations.use(*language);
    } else if (!exporting && !selfTest) {
        translations.use(settings->preferences().language);
    }

    QApplication::setWindowIcon(plumb::gui::appIcon());
    if (options.isSet("export-manual"))
        return exportManual(options.value("export-manual"), theme, translations);

    WindowHost host(*settings, theme, translations);
    MainWindow& window = host.window();
    WindowFrame& frame = host.frame();
    if (options.isSet("size")) frame.resize(options.size());
    const QStringList files = options.files();
    if (exporting) {
        if (!options.isSet("size")) frame.resize(1600, 1000);
        qInstallMessageHandler(withoutSizeHints);
        frame.show();
        return exportPictures(window, options.value("export-pictures"), files);
    }
    if (selfTest) {
        frame.show();
        QTimer::singleShot(0, &application, [&] { QCoreApplication::exit(frame.grab().isNull() ? 1 : 0); });
        return QApplication::exec();
    }
    new FirstPaint(window, &clock);
    QObject::connect(&host, &WindowHost::pageMade, &application,
                     [](MainWindow* page) { new FirstPaint(*page, nullptr); });
    // A window that was never placed by its user is no larger than the screen leaves room for.
    if (settings->windowGeometry().isEmpty() && !options.isSet("size"))
        frame.resize(frame.size().boundedTo(screenRoom(frame)));
    frame.show();
    if (!files.isEmpty())
        window.openFiles(files);
    else if (settings->isFirstStart())
        window.actions().action(QStringLiteral("help.welcome"))->trigger();
    else
        host.restore();
    const int code = QApplication::exec();
    // What the closing window has changed: too late for its banner.
    settings->onFailure([&](const plumb::Error& error) { fail(code, error); });
    settings->save();
    return code;
}
