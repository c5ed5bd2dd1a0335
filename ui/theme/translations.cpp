// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/translations.h"

#include "core/base/words.h"

#include <QCoreApplication>
#include <QFile>
#include <QLibraryInfo>
#include <QLocale>
#include <QtGlobal>

// Outside of all namespaces, as the macro asks for.
static void initTranslations() { Q_INIT_RESOURCE(translations); }

namespace plumb::ui {
namespace {

constexpr const char* kChinese = "zh_CN";

/// What Qt says itself, and no Chinese would: it is asked for here too, before Qt's own words.
[[maybe_unused]] constexpr const char* kOfQt[] = {QT_TRANSLATE_NOOP("QKeySequenceEdit", "Press shortcut")};

Language ofDesktop() {
    const QStringList wanted = QLocale::system().uiLanguages();
    return !wanted.isEmpty() && QLocale(wanted.first()).language() == QLocale::Chinese
               ? Language::SimplifiedChinese
               : Language::English;
}

}  // namespace

QString languageId(Language language) {
    switch (language) {
    case Language::System:
        return QStringLiteral("system");
    case Language::English:
        return QStringLiteral("en");
    case Language::SimplifiedChinese:
        return QLatin1String(kChinese);
    }
    return {};
}

QString languageName(Language language) {
    switch (language) {
    case Language::System:
        break;
    case Language::English:
        return QStringLiteral("English");
    case Language::SimplifiedChinese:
        return QStringLiteral("简体中文");
    }
    return {};
}

std::optional<Language> languageOf(const QString& id) {
    for (int i = 0; i <= static_cast<int>(lastOf(Language())); ++i)
        if (id == languageId(static_cast<Language>(i))) return static_cast<Language>(i);
    return {};
}

/// Finds a text by its English words alone. In which class it stands depends on who asks: a class without
/// Q_OBJECT asks in the name of its base. One English text has one translation, or says in its disambiguation
/// which of two is meant.
class Translations::Catalogue final : public QTranslator {
public:
    [[nodiscard]] QString translate(const char* /*context*/, const char* sourceText,
                                    const char* disambiguation, int n) const override {
        return QTranslator::translate("plumbline", sourceText, disambiguation, n);
    }
};

/// Qt's own catalogue. What its dialog of files calls the type of a folder or a file stands there under the
/// name that the class had before Qt 6.
class Translations::OfQt final : public QTranslator {
public:
    [[nodiscard]] QString translate(const char* context, const char* sourceText, const char* disambiguation,
                                    int n) const override {
        QString text = QTranslator::translate(context, sourceText, disambiguation, n);
        if (!text.isEmpty() || qstrcmp(context, "QAbstractFileIconProvider") != 0) return text;
        return QTranslator::translate("QFileDialog", sourceText, disambiguation, n);
    }
};

Translations::Translations(QCoreApplication& application) : m_application(application) { initTranslations(); }

Translations::~Translations() { remove(); }

void Translations::remove() {
    if (m_ofQt) m_application.removeTranslator(m_ofQt.get());
    if (m_ours) m_application.removeTranslator(m_ours.get());
    m_ofQt.reset();
    m_ours.reset();
    setWordsLanguage({});
}

void Translations::use(Language language) {
    remove();
    m_language = language == Language::System ? ofDesktop() : language;
    if (m_language == Language::English) return;
    const QString id = languageId(m_language);
    setWordsLanguage(id.toStdString());
    m_ofQt = std::make_unique<OfQt>();
    // Where Qt was when this was built, and where it is.
    const QString ofQt = QStringLiteral("qtbase_") + id;
    if (m_ofQt->load(QStringLiteral(":/translations/") + ofQt) ||
        m_ofQt->load(ofQt, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        m_application.installTranslator(m_ofQt.get());
    m_ours = std::make_unique<Catalogue>();
    // A program that was built has its own words in it.
    const bool there = m_ours->load(QStringLiteral(":/translations/plumbline_") + id);
    Q_ASSERT(there);
    if (there) m_application.installTranslator(m_ours.get());
}

}  // namespace plumb::ui
