// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/devices_dialog.h"

#include "tests/support/temporary_folder.h"
#include "tests/ui/pictures.h"
#include "tests/ui/shell/shell_fixture.h"
#include "tests/ui/support.h"
#include "ui/devices/device_sheet.h"
#include "ui/devices/unsaved_devices.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/banner.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>

namespace plumb::ui::test {
namespace {

class DevicesDialogTest : public ::testing::Test {
protected:
    DevicesDialogTest() {
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(folder.file("data")));
        library = std::make_unique<DeviceLibrary>();
        dialog = std::make_unique<DevicesDialog>(theme, *library);
        dialog->show();
    }
    ~DevicesDialogTest() override {
        dialog.reset();
        qunsetenv("XDG_DATA_HOME");
    }
    QLineEdit& field(const char* key) {
        return *child<QLineEdit>(*dialog, (std::string("device-") + key + "Field").c_str());
    }
    QString note(const char* key) {
        return child<QLabel>(*dialog, (std::string("device-") + key + "Note").c_str())->text();
    }
    void type(const char* key, const char* text) {
        QLineEdit& line = field(key);
        line.setFocus();
        line.selectAll();
        QTest::keyClicks(&line, QString::fromUtf8(text));
        QTest::keyClick(&line, Qt::Key_Return);
    }
    void press(const char* name) { QTest::mouseClick(child<QPushButton>(*dialog, name), Qt::LeftButton); }
    QStringList listed() {
        QStringList names;
        const auto* list = child<QListWidget>(*dialog, "devicesList");
        for (int i = 0; i < list->count(); ++i) names << list->item(i)->text().trimmed();
        return names;
    }
    std::vector<Machine> kept() {
        auto devices = loadOwnDevices();
        return devices.has_value() ? *devices : std::vector<Machine>();
    }
    void enterCard(const char* name) {
        press("devicesNew");
        type("name", name);
        type("memory_bytes", "96 GB");
        type("bandwidth_bytes_per_s", "3.35 TB/s");
        type("peak_flop_per_s-bf16", "989.5 TFLOPS");
        type("dollars_per_hour", "1.95 $/h");
        press("devicesSave");
    }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    TemporaryFolder folder;
    Theme theme;
    std::unique_ptr<DeviceLibrary> library;
    std::unique_ptr<DevicesDialog> dialog;
};

TEST_F(DevicesDialogTest, ShowsTheBuiltInRecordsToRead) {
    dialog->select("h100-sxm5-80gb");
    EXPECT_EQ(field("memory_bytes").text(), QStringLiteral("80 GB"));
    EXPECT_EQ(field("bandwidth_bytes_per_s").text(), QStringLiteral("3.35 TB/s"));
    EXPECT_EQ(field("peak_flop_per_s-bf16").text(), QStringLiteral("989.5 TFLOP/s"));
    EXPECT_EQ(field("power_w").text(), QStringLiteral("700 W"));
    EXPECT_TRUE(field("memory_bytes").isReadOnly());
    EXPECT_TRUE(field("source").text().startsWith(QStringLiteral("data sheet: ")));
    EXPECT_FALSE(child<QPushButton>(*dialog, "devicesSave")->isVisible());
    EXPECT_FALSE(child<QPushButton>(*dialog, "devicesDelete")->isEnabled());
    // This machine stands first.
    EXPECT_EQ(listed().at(1), QString::fromStdString(library->known().local.name));
}

TEST_F(DevicesDialogTest, CutsNoDigitOfAMeasuredFigure) {
    Machine measured;
    measured.name = "Intel(R) Xeon(R) Processor, 2 cores";
    measured.peakFlopPerSecond = {{Dtype::Bf16, 272488725874.91763}};
    DeviceSheet sheet(theme);
    auto& peak = *child<QLineEdit>(sheet, "device-peak_flop_per_s-bf16Field");
    sheet.showDevice(measured, nullptr, false, {});
    EXPECT_EQ(peak.text(), quantityText(272488725874.91763, "FLOP/s"));
    EXPECT_TRUE(peak.toolTip().contains(localText("272488725874.91763 FLOP/s")));
    sheet.showDevice(measured, nullptr, true, {});
    EXPECT_EQ(peak.text(), localText("272488725874.91763 FLOP/s")) << "what is changed keeps its digits";
    EXPECT_GE(peak.width(), peak.fontMetrics().horizontalAdvance(peak.text()));
    EXPECT_EQ(sheet.read(measured, {})->peak(Dtype::Bf16), 272488725874.91763);
}

TEST_F(DevicesDialogTest, KeepsANewDeviceForEverything) {
    QSignalSpy changed(library.get(), &DeviceLibrary::changed);
    enterCard("Basement card");
    ASSERT_EQ(kept().size(), 1U);
    EXPECT_EQ(kept()[0].name, "Basement card");
    EXPECT_EQ(kept()[0].memoryBytes, 96'000'000'000);
    EXPECT_EQ(kept()[0].peak(Dtype::Bf16), 989.5e12);
    EXPECT_EQ(kept()[0].dollarsPerHour, 1.95);
    EXPECT_EQ(kept()[0].source, "entered by hand");
    EXPECT_TRUE(listed().contains(QStringLiteral("Basement card")));
    EXPECT_GT(changed.count(), 0);
    EXPECT_TRUE(KnownDevices::load().find("basement").has_value());
}

TEST_F(DevicesDialogTest, SaysAtTheFieldWhatIsWrongAndKeepsTheText) {
    press("devicesNew");
    type("name", "NVIDIA H100 SXM5 80GB");
    type("memory_bytes", "80 parsecs");
    EXPECT_TRUE(note("memory_bytes").contains(QStringLiteral("not a number in B")));
    EXPECT_EQ(field("memory_bytes").text(), QStringLiteral("80 parsecs"));
    type("power_w", "1e12");
    EXPECT_TRUE(note("power_w").contains(QStringLiteral("not believable")));
    press("devicesSave");
    EXPECT_TRUE(note("name").contains(QStringLiteral("already a device")));
    EXPECT_TRUE(kept().empty());
    type("name", "Mine");
    type("memory_bytes", "80 GB");
    EXPECT_TRUE(note("memory_bytes").isEmpty());
    type("power_w", "700 W");
    press("devicesSave");
    ASSERT_EQ(kept().size(), 1U);
    EXPECT_EQ(kept()[0].memoryBytes, 80'000'000'000);
}

TEST_F(DevicesDialogTest, KeepsWhatIsTypedWhileAnotherDeviceIsLookedAt) {
    press("devicesNew");
    type("name", "Half done");
    dialog->select("h200-sxm-141gb");
    EXPECT_EQ(field("memory_bytes").text(), QStringLiteral("141 GB"));
    dialog->select("");
    EXPECT_EQ(field("name").text(), QStringLiteral("Half done"));
    press("devicesRevert");
    EXPECT_FALSE(listed().contains(QStringLiteral("New device •")));
    EXPECT_TRUE(kept().empty());
}

TEST_F(DevicesDialogTest, BeginsACopyFromAnyRecord) {
    dialog->select("h100-sxm5-80gb");
    press("devicesDuplicate");
    EXPECT_FALSE(field("memory_bytes").isReadOnly());
    type("memory_bytes", "94 GB");
    press("devicesSave");
    ASSERT_EQ(kept().size(), 1U);
    EXPECT_EQ(kept()[0].name, "NVIDIA H100 SXM5 80GB (2)");
    EXPECT_EQ(kept()[0].memoryBytes, 94'000'000'000);
    EXPECT_EQ(kept()[0].linkBytesPerSecond, 450e9);
    EXPECT_EQ(kept()[0].linkName, "NVLink 4 (18 links)");
    EXPECT_EQ(kept()[0].source.rfind("copied from NVIDIA H100 SXM5 80GB", 0), 0U);
}

TEST_F(DevicesDialogTest, EditsDeletesAndTakesBoth) {
    enterCard("Card");
    type("memory_bytes", "48 GB");
    press("devicesSave");
    ASSERT_EQ(kept().size(), 1U);
    EXPECT_EQ(kept()[0].memoryBytes, 48'000'000'000);
    press("devicesUndo");
    ASSERT_EQ(kept().size(), 1U);
    EXPECT_EQ(kept()[0].memoryBytes, 96'000'000'000);
    EXPECT_EQ(field("memory_bytes").text(), QStringLiteral("96 GB"));
    press("devicesRedo");
    ASSERT_EQ(kept().size(), 1U);
    EXPECT_EQ(kept()[0].memoryBytes, 48'000'000'000);
    press("devicesDelete");
    EXPECT_TRUE(kept().empty());
    EXPECT_FALSE(listed().contains(QStringLiteral("Card")));
    press("devicesUndo");
    ASSERT_EQ(kept().size(), 1U);
    EXPECT_EQ(kept()[0].memoryBytes, 48'000'000'000);
    EXPECT_TRUE(listed().contains(QStringLiteral("Card")));
}

TEST_F(DevicesDialogTest, ExportsAndImports) {
    enterCard("Card");
    const QString path = QString::fromStdString(folder.file("devices.json"));
    dialog->exportFile(path);
    dialog->importFile(path);
    ASSERT_EQ(kept().size(), 2U);
    EXPECT_EQ(kept()[1].name, "Card (2)") << "nothing is replaced";
    press("devicesUndo");
    EXPECT_EQ(kept().size(), 1U);
    putFile(path.toStdString(), "{\"format\": \"something else\"}");
    QSignalSpy failed(library.get(), &DeviceLibrary::failed);
    dialog->importFile(path);
    EXPECT_EQ(failed.count(), 1);
    EXPECT_EQ(kept().size(), 1U);
    EXPECT_TRUE(
        dialog->findChild<Banner*>()->text().contains(QStringLiteral("no list of devices of Plumbline")));
}

TEST_F(DevicesDialogTest, ShowsWhatCalibrationFoundOfAGpu) {
    Machine gpu;
    gpu.id = "cuda-card-132";
    gpu.name = "Card";
    gpu.backend = "cuda";
    gpu.index = 0;
    gpu.uuid = "GPU-8a1b";
    gpu.memoryBytes = 80'000'000'000;
    gpu.source = "calibrated 2026-11-20";
    Machine second = gpu;
    second.index = 1;
    library->setGpus({library->known().local, gpu, second});
    EXPECT_EQ(listed().count(QStringLiteral("Card")), 1) << "one of each kind, and no processor";
    const auto* copies = child<QLabel>(*dialog, "devicesCopies");
    EXPECT_FALSE(copies->isVisible()) << "of a processor";
    dialog->select(gpu.id);
    EXPECT_EQ(field("memory_bytes").text(), QStringLiteral("80 GB"));
    EXPECT_TRUE(field("memory_bytes").isReadOnly());
    EXPECT_TRUE(copies->text().contains(QStringLiteral("not measured: run “Calibrate this machine”")));
    gpu.copies = CopyRates{Bytes{1} << 28,
                           7,
                           {{CopyPath::HostToDevice, {}, {}, 5.5e10, {}, {}, {}}},
                           "one card is visible, and that takes two"};
    library->setGpus({gpu});
    EXPECT_TRUE(copies->isVisible());
    EXPECT_EQ(copies->text(),
              QStringLiteral("host to device, pinned memory: 55.0 GB/s\n"
                             "card to card: not measured: one card is visible, and that takes two\n"
                             "Copies: median of 7 copies of 268 MB each, timed by device events, "
                             "calibrated 2026-11-20"));
    // A record of the user's own takes no measurements over, nor which card it was.
    press("devicesDuplicate");
    EXPECT_FALSE(copies->isVisible());
    press("devicesSave");
    ASSERT_EQ(kept().size(), 1U);
    EXPECT_FALSE(kept()[0].copies.has_value());
    EXPECT_FALSE(kept()[0].index.has_value());
}

TEST_F(DevicesDialogTest, SaysThatAFileCannotBeWritten) {
    // A file stands where the folder would be.
    putFile(folder.file("data"), "in the way");
    enterCard("Card");
    EXPECT_TRUE(dialog->findChild<Banner*>()->isVisible());
    EXPECT_EQ(field("name").text(), QStringLiteral("Card")) << "what was typed stays";
    EXPECT_FALSE(library->stack().canUndo());
}

TEST_F(DevicesDialogTest, NarrowsTheListWhileTyping) {
    QTest::keyClicks(child<QLineEdit>(*dialog, "devicesFilter"), QStringLiteral("h200 sxm"));
    EXPECT_EQ(listed().size(), 2);  // the heading and the one device
    QTest::keyClicks(child<QLineEdit>(*dialog, "devicesFilter"), QStringLiteral(" nothing"));
    ASSERT_EQ(listed().size(), 1);
    EXPECT_TRUE(listed()[0].startsWith(QStringLiteral("No device")));
}

/// With PLUMB_PICTURES=DIR: what the window looks like, for eyes.
TEST_F(DevicesDialogTest, LooksTheSameInBothThemes) {
    enterCard("Basement card");
    for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
        Theme& shown = theme;
        shown.setMode(mode);
        shown.apply(*qApp);
        QTest::qWait(0);
        EXPECT_GT(picture(*dialog, QStringLiteral("devices-") + themeName(theme)).width(), 500);
    }
}

TEST_F(DevicesDialogTest, DropsNoNewRecordForAnother) {
    press("devicesNew");
    EXPECT_EQ(unsavedDevices(*library), QString()) << "nothing was typed";
    type("name", "First");
    press("devicesNew");
    EXPECT_EQ(field("name").text(), QStringLiteral("First"));
    EXPECT_TRUE(dialog->findChild<Banner*>()->isVisible()) << "it says why";
    dialog->select("h100-sxm5-80gb");
    press("devicesDuplicate");
    EXPECT_EQ(field("name").text(), QStringLiteral("First"));
    // A window whose language changes makes its dialogs anew.
    dialog = std::make_unique<DevicesDialog>(theme, *library);
    dialog->show();
    dialog->select({});
    EXPECT_EQ(field("name").text(), QStringLiteral("First"));
    press("devicesRevert");
    press("devicesNew");
    EXPECT_EQ(field("name").text(), QString());
    EXPECT_EQ(unsavedDevices(*library), QString());
}

TEST(DevicesDialogOfAWindow, IsAskedForBeforeTheWindowCloses) {
    Shell shell;
    shell.trigger("planner.devices");
    QTest::mouseClick(child<QPushButton>(shell.window, "devicesNew"), Qt::LeftButton);
    QTest::keyClicks(child<QLineEdit>(shell.window, "device-nameField"), QStringLiteral("Mine"));
    for (const auto button : {QMessageBox::Cancel, QMessageBox::Discard}) {
        EXPECT_FALSE(shell.window.close());
        const QPointer<QMessageBox> question = shell.window.findChild<QMessageBox*>();
        ASSERT_TRUE(question);
        EXPECT_TRUE(question->text().contains(QStringLiteral("Mine"))) << question->text().toStdString();
        question->button(button)->click();
        ASSERT_TRUE(waitFor([&] { return question.isNull(); }));
        EXPECT_EQ(shell.window.isVisible(), button == QMessageBox::Cancel);
    }
}

}  // namespace
}  // namespace plumb::ui::test
