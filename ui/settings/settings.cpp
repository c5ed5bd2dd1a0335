// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QVariant>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

namespace plumb::ui {
namespace {

const auto kFormat = QStringLiteral("format");
const auto kTheme = QStringLiteral("view/theme");
const auto kLanguage = QStringLiteral("view/language");
const auto kHighContrast = QStringLiteral("view/highContrast");
const auto kSafeColors = QStringLiteral("view/safeColors");
const auto kFontScale = QStringLiteral("view/fontScale");
const auto kDecimal = QStringLiteral("view/decimal");
const auto kGroup = QStringLiteral("view/group");
const auto kBytes = QStringLiteral("view/bytes");
const auto kPresets = QStringLiteral("presets");
const auto kTab = QStringLiteral("view/tab");
const auto kPanelUnfolded = QStringLiteral("view/panelUnfolded");
const auto kGeometry = QStringLiteral("view/geometry");
const auto kOutside = QStringLiteral("layout/outside");
const auto kDocks = QStringLiteral("layout/docks");
const auto kShares = QStringLiteral("layout/shares");
const auto kPlanner = QStringLiteral("planner/inputs");
const auto kEngine = QStringLiteral("engine/command");
const auto kPyTorch = QStringLiteral("engine/pytorchInterpreter");
const auto kEngineHost = QStringLiteral("engine/host");
const auto kHosts = QStringLiteral("engine/hosts");
const auto kRecent = QStringLiteral("files/recent");
const auto kLabPage = QStringLiteral("lab/page");
const auto kLabValue = QStringLiteral("lab/value");
const auto kLesson = QStringLiteral("lessons/current");
const auto kLessonsDone = QStringLiteral("lessons/done");
const auto kLabDtypePart = QStringLiteral("lab/dtypePart");
/// The views of the first format, which remembered one by its number.
constexpr std::array kFirstViews{"overview", "memory",     "operations", "roofline",
                                 "training", "checkpoint", "lab"};
const auto kShortcuts = QStringLiteral("shortcuts");
const auto kFolder = QStringLiteral("files/folder");
const auto kRestored = QStringLiteral("files/restored");
const auto kOpen = QStringLiteral("files/open");
const auto kOpenCurrent = QStringLiteral("files/openCurrent");
const auto kOpenPlans = QStringLiteral("files/openPlans");
/// Texts of the Lab that may be empty or never typed.
constexpr std::pair<const char*, QString LabSettings::*> kLabTexts[] = {
    {"lab/neighbours", &LabSettings::neighbours},
    {"lab/shape", &LabSettings::shape},
    {"lab/steps", &LabSettings::steps},
    {"lab/dtype", &LabSettings::dtype},
    {"lab/device", &LabSettings::device},
    {"lab/bus", &LabSettings::bus},
    {"lab/expression", &LabSettings::expression},
    {"lab/sizes", &LabSettings::sizes},
    {"lab/einsumDtype", &LabSettings::einsumDtype},
    {"lab/einsumDevice", &LabSettings::einsumDevice},
    {"lab/collective", &LabSettings::collective}};

constexpr std::pair<Theme::Mode, const char*> kThemes[] = {
    {Theme::Mode::System, "system"}, {Theme::Mode::Light, "light"}, {Theme::Mode::Dark, "dark"}};
constexpr std::pair<DecimalMark, const char*> kDecimals[] = {
    {DecimalMark::System, "system"}, {DecimalMark::Point, "point"}, {DecimalMark::Comma, "comma"}};
constexpr std::pair<GroupMark, const char*> kGroups[] = {{GroupMark::Space, "space"},
                                                         {GroupMark::Mark, "mark"},
                                                         {GroupMark::Apostrophe, "apostrophe"},
                                                         {GroupMark::None, "none"}};
constexpr std::pair<ByteUnits, const char*> kByteUnits[] = {{ByteUnits::Si, "si"},
                                                            {ByteUnits::Binary, "binary"}};

/// No path holds it.
constexpr QChar kBetweenPaths(0);

/// Long enough that typing writes once.
constexpr std::chrono::milliseconds kSaveAfter(300);

Error notKept(const QSettings& store) {
    const std::string path = store.fileName().toStdString();
    if (store.status() == QSettings::FormatError)
        return badInput("the settings in " + path + " cannot be read",
                        "move the file away, and the window begins a new one");
    return {ErrorCode::Io, "the settings cannot be kept in " + path,
            "free some space there, or check the permissions"};
}

Preferences readPreferences(const QSettings& store) {
    Preferences all;
    const auto chosen = [&](const QString& key, const auto& names, auto& value) {
        const QString text = store.value(key).toString();
        for (const auto& [one, name] : names)
            if (text == QLatin1String(name)) value = one;
    };
    chosen(kTheme, kThemes, all.look.mode);
    chosen(kDecimal, kDecimals, all.decimal);
    chosen(kGroup, kGroups, all.group);
    chosen(kBytes, kByteUnits, all.bytes);
    all.look.highContrast = store.value(kHighContrast).toBool();
    all.look.safeColors = store.value(kSafeColors).toBool();
    bool isNumber = false;
    const double scale = store.value(kFontScale).toDouble(&isNumber);
    if (isNumber && std::isfinite(scale))
        all.look.fontScale = std::clamp(scale, Theme::kLeastFontScale, Theme::kMostFontScale);
    all.language = languageOf(store.value(kLanguage).toString()).value_or(all.language);
    return all;
}

}  // namespace

Settings::Settings()
    : m_store(std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                          QStringLiteral("plumbline"), QStringLiteral("window"))) {
    migrate();
}

Settings::Settings(const QString& path) : m_store(std::make_unique<QSettings>(path, QSettings::IniFormat)) {
    migrate();
}

Settings::~Settings() = default;

void Settings::migrate() {
    m_saving.setSingleShot(true);
    m_saving.setInterval(kSaveAfter);
    QObject::connect(&m_saving, &QTimer::timeout, [this] { save(); });
    // A file of a newer program is read as far as it is understood and keeps its own version.
    m_isFirst = m_store->allKeys().isEmpty();
    const int format = m_store->value(kFormat).toInt();
    if (format >= kFormatVersion) return;
    // The first format counted the views that there were then.
    bool isNumber = false;
    const int tab = m_store->value(kTab).toInt(&isNumber);
    if (isNumber && tab >= 0 && tab < static_cast<int>(kFirstViews.size()))
        m_store->setValue(kTab, QLatin1String(kFirstViews.at(static_cast<std::size_t>(tab))));
    m_store->setValue(kFormat, kFormatVersion);
}

void Settings::set(const QString& key, const QVariant& value) {
    if (m_store->contains(key) && m_store->value(key) == value) return;
    m_store->setValue(key, value);
    m_saving.start();
}

void Settings::onFailure(std::function<void(const Error&)> tell) {
    m_tell = std::move(tell);
    if (m_failure && m_tell) m_tell(*m_failure);
}

void Settings::save() {
    m_saving.stop();
    m_store->sync();
    // The status stays what it was when it was worse than good, so that there is one failure at most.
    if (m_failure || m_store->status() == QSettings::NoError) return;
    m_failure = notKept(*m_store);
    if (m_tell) m_tell(*m_failure);
}

Preferences Settings::preferences() const { return readPreferences(*m_store); }

void Settings::setPreferences(const Preferences& preferences) {
    const auto keep = [&](const QString& key, const auto& names, auto value) {
        for (const auto& [one, name] : names)
            if (one == value) set(key, QLatin1String(name));
    };
    keep(kTheme, kThemes, preferences.look.mode);
    keep(kDecimal, kDecimals, preferences.decimal);
    keep(kGroup, kGroups, preferences.group);
    keep(kBytes, kByteUnits, preferences.bytes);
    set(kHighContrast, preferences.look.highContrast);
    set(kSafeColors, preferences.look.safeColors);
    set(kFontScale, preferences.look.fontScale);
    set(kLanguage, languageId(preferences.language));
}

QByteArray Settings::presets() const {
    m_store->sync();
    return m_store->value(kPresets).toByteArray();
}

Result<void> Settings::changePresets(const std::function<Result<QByteArray>(const QByteArray&)>& change) {
    const QByteArray before = presets();
    PLUMB_TRY(const QByteArray after, change(before));
    // Asked first: what QSettings could not write it would write later, over what another window has by then.
    if (!m_store->isWritable()) return notKept(*m_store);
    m_store->setValue(kPresets, after);
    m_store->sync();
    // A status that was bad once stays so; another reader of the same file begins with a good one.
    if (QSettings(m_store->fileName(), QSettings::IniFormat).status() == QSettings::NoError) return {};
    m_store->setValue(kPresets, before);
    return notKept(*m_store);
}

EngineSettings Settings::engine() const {
    return {m_store->value(kEngine).toString().trimmed(), m_store->value(kPyTorch).toString().trimmed(),
            m_store->value(kEngineHost).toString()};
}
void Settings::setEngine(const EngineSettings& engine) {
    set(kEngine, engine.command.trimmed());
    set(kPyTorch, engine.pyTorchInterpreter.trimmed());
    set(kEngineHost, engine.host);
}

QList<RemoteHost> Settings::hosts() const { return hostsFrom(m_store->value(kHosts).toStringList()); }
void Settings::setHosts(const QList<RemoteHost>& hosts, const QList<RemoteHost>& before) {
    m_store->sync();
    const QStringList there = m_store->value(kHosts).toStringList(), known = toTexts(before);
    const QStringList wanted = toTexts(hosts);
    QStringList merged = there;
    for (const QString& one : known)
        if (!wanted.contains(one)) merged.removeOne(one);
    for (const QString& one : wanted)
        if (!known.contains(one) && !merged.contains(one)) merged << one;
    set(kHosts, there == known ? wanted : merged);  // in their order, where nobody else changed them
}

QList<QStringList> Settings::recentFiles() const {
    QList<QStringList> entries;
    for (const QString& entry : m_store->value(kRecent).toStringList()) {
        const QStringList paths = entry.split(kBetweenPaths, Qt::SkipEmptyParts);
        if (!paths.isEmpty() && entries.size() < kMostRecentFiles) entries << paths;
    }
    return entries;
}

void Settings::addRecentFiles(const QStringList& paths) {
    if (paths.isEmpty()) return;
    QStringList absolute;
    for (const QString& path : paths) absolute << QFileInfo(path).absoluteFilePath();
    m_store->sync();  // what another window has opened meanwhile stays in the list
    QList<QStringList> entries = recentFiles();
    entries.removeAll(absolute);
    entries.prepend(absolute);
    QStringList kept;
    for (const QStringList& entry : entries.mid(0, kMostRecentFiles)) kept << entry.join(kBetweenPaths);
    set(kRecent, kept);
}

QMap<QString, QString> Settings::shortcuts() const {
    QMap<QString, QString> keys;
    for (const QString& line : m_store->value(kShortcuts).toStringList())
        if (const qsizetype at = line.indexOf(QLatin1Char('=')); at > 0)
            keys[line.left(at)] = line.mid(at + 1);
    return keys;
}

void Settings::setShortcuts(const QMap<QString, QString>& keys, const QMap<QString, QString>& before) {
    m_store->sync();
    QMap<QString, QString> all = shortcuts();
    for (auto one = before.cbegin(); one != before.cend(); ++one)
        if (!keys.contains(one.key())) all.remove(one.key());
    for (auto one = keys.cbegin(); one != keys.cend(); ++one) {
        if (before.contains(one.key()) && before.value(one.key()) == one.value()) continue;
        if (!one.value().isEmpty())
            for (QString& other : all)
                if (other == one.value()) other.clear();
        all[one.key()] = one.value();
    }
    QStringList lines;
    for (auto one = all.cbegin(); one != all.cend(); ++one)
        lines << one.key() + QLatin1Char('=') + one.value();
    set(kShortcuts, lines);
    save();
}

void Settings::forgetRecentFiles(const QStringList& paths) {
    m_store->sync();
    QStringList kept;
    for (const QStringList& entry : recentFiles())
        if (!paths.isEmpty() && entry != paths) kept << entry.join(kBetweenPaths);
    set(kRecent, kept);
}

QString Settings::lastFolder() const {
    const QString folder = m_store->value(kFolder).toString();
    return folder.isEmpty() || !QDir(folder).exists() ? QDir::homePath() : folder;
}

void Settings::setLastFolder(const QString& folder) { set(kFolder, folder); }

QByteArray Settings::plannerInputs() const { return m_store->value(kPlanner).toByteArray(); }
void Settings::setPlannerInputs(const QByteArray& inputs) { set(kPlanner, inputs); }

QByteArray Settings::windowGeometry() const { return m_store->value(kGeometry).toByteArray(); }
void Settings::setWindowGeometry(const QByteArray& geometry) { set(kGeometry, geometry); }
bool Settings::isPanelUnfolded() const { return m_store->value(kPanelUnfolded, true).toBool(); }

void Settings::setPanelUnfolded(bool unfolded) { set(kPanelUnfolded, unfolded); }

QString Settings::currentView() const { return m_store->value(kTab).toString(); }
void Settings::setCurrentView(const QString& id) { set(kTab, id); }

DocumentSettings Settings::documents() const {
    DocumentSettings documents{m_store->value(kRestored, false).toBool(),
                               m_store->value(kOpen).toStringList(), m_store->value(kOpenCurrent).toInt()};
    documents.open.removeAll(QString());
    const QVariantMap plans = m_store->value(kOpenPlans).toMap();
    for (auto each = plans.cbegin(); each != plans.cend(); ++each)
        documents.plans.insert(each.key(), each->toByteArray());
    return documents;
}
void Settings::setDocuments(const DocumentSettings& documents) {
    set(kRestored, documents.isRestored);
    set(kOpen, documents.open);
    set(kOpenCurrent, documents.current);
    QVariantMap plans;
    for (auto each = documents.plans.cbegin(); each != documents.plans.cend(); ++each)
        plans.insert(each.key(), each.value());
    set(kOpenPlans, plans);
}
LayoutSettings Settings::layout() const {
    LayoutSettings layout{m_store->value(kOutside).toStringList(), m_store->value(kDocks).toByteArray(), {}};
    layout.outside.removeAll(QString());
    const QVariantMap shares = m_store->value(kShares).toMap();
    for (auto each = shares.cbegin(); each != shares.cend(); ++each) {
        QList<int> sizes;
        for (const QVariant& size : each->toList()) sizes << size.toInt();
        if (!sizes.isEmpty()) layout.shares.insert(each.key(), sizes);
    }
    return layout;
}
void Settings::setLayout(const LayoutSettings& layout) {
    set(kOutside, layout.outside);
    set(kDocks, layout.docks);
    QVariantMap shares;
    for (auto each = layout.shares.cbegin(); each != layout.shares.cend(); ++each)
        shares.insert(each.key(), QVariantList(each->cbegin(), each->cend()));
    set(kShares, shares);
}
LessonSettings Settings::lessons() const {
    LessonSettings lessons{m_store->value(kLesson).toString(), m_store->value(kLessonsDone).toStringList()};
    lessons.done.removeAll(QString());
    return lessons;
}
void Settings::setLessons(const LessonSettings& lessons) {
    set(kLesson, lessons.current);
    set(kLessonsDone, lessons.done);
}

LabSettings Settings::lab() const {
    LabSettings lab;
    lab.page = m_store->value(kLabPage, lab.page).toInt();
    lab.value = m_store->value(kLabValue, lab.value).toString();
    lab.dtypePart = m_store->value(kLabDtypePart, lab.dtypePart).toInt();
    for (const auto& [key, member] : kLabTexts) {
        // An empty text was typed, too: only a key that is not there means never.
        if (!m_store->contains(QLatin1String(key))) continue;
        const QString text = m_store->value(QLatin1String(key)).toString();
        lab.*member = text.isNull() ? QStringLiteral("") : text;
    }
    return lab;
}

void Settings::setLab(const LabSettings& lab) {
    set(kLabPage, lab.page);
    set(kLabValue, lab.value);
    set(kLabDtypePart, lab.dtypePart);
    for (const auto& [key, member] : kLabTexts)
        if (!(lab.*member).isNull()) set(QLatin1String(key), lab.*member);
}

Preferences preferencesOfUser() {
    return readPreferences(QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("plumbline"),
                                     QStringLiteral("window")));
}

}  // namespace plumb::ui
