// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/lab_page.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QStackedWidget;

namespace plumb::ui {

class CollectivePage;
class DtypePage;
class EinsumPage;
class SegmentedControl;
class TensorPage;

class LabView;

/// An example of one of the pages, which shows itself there as an edit that can be undone.
struct LabExample {
    QString title;
    QString detail;  ///< what is typed for it
    std::function<void(LabView&)> show;
};
/// Those of all pages, in their order.
[[nodiscard]] std::vector<LabExample> labExamples();

/// The Lab: numbers, tensors and collectives made visible, a page each.
class LabView final : public QWidget {
    Q_OBJECT
public:
    explicit LabView(LabContext context, QWidget* parent = nullptr);

    /// Ids of the pages, in their order.
    static QStringList pageIds();
    void setPage(int index);
    [[nodiscard]] int page() const;
    /// Brings the page and the part of it into sight that holds this control.
    void showControl(QWidget* control);
    void copy();  ///< what the page in sight shows, as text
    /// Shows the live tensors and asks where the tensor that is chosen there, or all weights, are to be
    /// written; says there why when there is none.
    void exportLive(bool allWeights);

    [[nodiscard]] DtypePage& dtypes() { return *m_dtypes; }
    [[nodiscard]] TensorPage& tensors() { return *m_tensors; }
    [[nodiscard]] EinsumPage& einsum() { return *m_einsum; }
    [[nodiscard]] CollectivePage& collectives() { return *m_collectives; }

signals:
    void revealed();  ///< an edit of the Lab was undone or redone: it wants to be in sight

private:
    LabContext m_context;
    SegmentedControl* m_choice = nullptr;
    QStackedWidget* m_pages = nullptr;
    DtypePage* m_dtypes = nullptr;
    TensorPage* m_tensors = nullptr;
    EinsumPage* m_einsum = nullptr;
    CollectivePage* m_collectives = nullptr;
};

}  // namespace plumb::ui
