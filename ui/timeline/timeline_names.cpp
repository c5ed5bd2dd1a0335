// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_names.h"

#include "ui/workbench/step_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <array>
#include <utility>

namespace plumb::ui {
namespace {

/// Kinds of operations as formulas have them.
constexpr std::array<std::pair<const char*, const char*>, 8> kBriefKinds{
    {{"head weight gradient", QT_TRANSLATE_NOOP("plumb::ui", "dW head")},
     {"head input gradient", QT_TRANSLATE_NOOP("plumb::ui", "dh head")},
     {"weight gradient", "dW"},
     {"input gradient", "dh"},
     {"forward", QT_TRANSLATE_NOOP("plumb::ui", "fwd")},
     {"recompute", QT_TRANSLATE_NOOP("plumb::ui", "re")},
     {"loss and gradient", QT_TRANSLATE_NOOP("plumb::ui", "loss")},
     {"load batch", QT_TRANSLATE_NOOP("plumb::ui", "load")}}};
/// Words that say what a kernel does.
constexpr std::array kKernelWords{"gemm",        "conv", "attention", "softmax", "reduce", "norm",
                                  "elementwise", "copy", "transpose", "adam",    "scale",  "fill"};

void addShorter(QStringList& forms, const QString& form) {
    if (!form.isEmpty() && (forms.isEmpty() || form.size() < forms.back().size())) forms << form;
}

QString briefKind(const QString& kind) {
    for (const auto& [whole, brief] : kBriefKinds)
        if (kind == QLatin1String(whole)) return QCoreApplication::translate("plumb::ui", brief);
    return {};
}

/// Without what stands in brackets behind it, and without the namespaces before it.
QString plainKind(const QString& kind) {
    const QString plain = kind.left(kind.indexOf(QStringLiteral(" (")));
    return plain.mid(plain.lastIndexOf(QStringLiteral("::")) +
                     (plain.contains(QStringLiteral("::")) ? 2 : 0));
}

}  // namespace

QStringList operationForms(const Step& step, const QString& name) {
    const auto told = [&step](const QString& english) { return stepText(step, english.toStdString()); };
    const QString between = QStringLiteral(" · ");
    QStringList places = name.split(between);
    static const QRegularExpression layer(QStringLiteral("^layers? (\\d+(?:[-–]\\d+)?)$"));
    static const QRegularExpression batch(QStringLiteral("^micro-batch"));
    // The kind is what says no place.
    QString kind;
    QString number;
    for (const QString& part : places) {
        if (const auto match = layer.match(part); match.hasMatch())
            number = match.captured(1);
        else if (!batch.match(part).hasMatch())
            kind = part;
    }
    if (kind.isEmpty()) return {told(name)};
    QStringList forms{told(name)};
    if (!number.isEmpty()) addShorter(forms, told(kind) + between + u'L' + number);
    addShorter(forms, told(kind));
    const QString plain = plainKind(kind);
    addShorter(forms, told(plain));
    const QString brief = briefKind(plain);
    if (!brief.isEmpty() && !number.isEmpty()) addShorter(forms, brief + u' ' + number);
    addShorter(forms, brief);
    return forms;
}

QStringList kernelForms(const QString& name) {
    QStringList forms{name};
    QString plain = name;
    if (plain.startsWith(QStringLiteral("void "))) plain.remove(0, 5);
    plain = plain.left(plain.indexOf(QRegularExpression(QStringLiteral("[<(]")))).trimmed();
    addShorter(forms, plain);
    addShorter(forms, plainKind(plain));
    for (const char* word : kKernelWords)
        if (plain.contains(QLatin1String(word), Qt::CaseInsensitive)) {
            addShorter(forms, QLatin1String(word));
            break;
        }
    return forms;
}

}  // namespace plumb::ui
