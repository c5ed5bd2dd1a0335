// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/remote_host.h"

#include "core/base/command_line.h"
#include "core/base/program_version.h"
#include "tests/ui/engine/engine_bench.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/host_check.h"
#include "ui/engine/remote_files.h"
#include "ui/hosts/hosts_dialog.h"
#include "ui/theme/text.h"
#include "ui/widgets/fix_button.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <arpa/inet.h>
#include <sys/socket.h>

#include <csignal>
#include <pwd.h>
#include <unistd.h>

namespace plumb::ui {
namespace {

using test::waitFor;

TEST(RemoteHost, IsKeptAsItWasEntered) {
    const QList<RemoteHost> hosts{{QStringLiteral("gpu box"), QStringLiteral("10.0.0.7"),
                                   QStringLiteral("ada"), 2222, QStringLiteral("/opt/my \"plumb\"/cli")},
                                  {QStringLiteral("b"), QStringLiteral("::1"), {}, 0, {}}};
    EXPECT_EQ(hostsFrom(toTexts(hosts)), hosts);
    EXPECT_TRUE(
        hostsFrom({QStringLiteral("junk"), QStringLiteral("\"open"), QStringLiteral("a -oProxy '' 0 ''")})
            .isEmpty());
}

TEST(RemoteHost, WhatSshWouldTakeForSomethingElseIsRefused) {
    RemoteHost host{QStringLiteral("a"), QStringLiteral("gpu-box"), {}, 0, {}};
    EXPECT_EQ(problemOf(host), QString());
    EXPECT_NE(problemOf(host, {QStringLiteral("a")}), QString()) << "two of one name";
    for (const char* address : {"", "-oProxyCommand=x", "two words", "a\nb"}) {
        host.host = QString::fromLatin1(address);
        EXPECT_NE(problemOf(host), QString()) << address;
    }
    host.host = QStringLiteral("gpu-box");
    host.user = QStringLiteral("-l");
    EXPECT_NE(problemOf(host), QString());
    host.user.clear();
    host.port = 65536;
    EXPECT_NE(problemOf(host), QString());
}

TEST(RemoteHost, NothingIsAskedAndOptionsEndBeforeTheAddress) {
    const RemoteHost host{QStringLiteral("a"), QStringLiteral("gpu-box"), QStringLiteral("ada"), 2222, {}};
    const QStringList words = engineCommandOn(host, QStringLiteral("/opt/my cli"));
    EXPECT_TRUE(words.contains(QStringLiteral("BatchMode=yes")));
    EXPECT_EQ(words.mid(words.size() - 3), (QStringList{QStringLiteral("--"), QStringLiteral("gpu-box"),
                                                        QStringLiteral("'/opt/my cli' engine --attach")}));
    EXPECT_EQ(scpPlace({{}, QStringLiteral("::1"), QStringLiteral("ada"), 0, {}}, QStringLiteral("x")),
              QStringLiteral("ada@[::1]:x"));
}

/// A number that nobody has at the moment.
int freePort() {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    const bool bound = ::bind(probe, place, size) == 0 && ::getsockname(probe, place, &size) == 0;
    ::close(probe);
    return bound ? ntohs(address.sin_port) : 0;
}

/// sshd on a free port of the loopback with keys, agent and known hosts of its own in a temporary folder.
class Loopback : public testing::Test {
protected:
    void SetUp() override {
        const QStringList places{QStringLiteral("/usr/sbin"), QStringLiteral("/usr/bin"),
                                 QStringLiteral("/bin")};
        const QString program = QStandardPaths::findExecutable(QStringLiteral("sshd"), places);
        for (const char* needed : {"ssh", "scp", "ssh-agent", "ssh-add", "ssh-keygen"})
            if (QStandardPaths::findExecutable(QString::fromLatin1(needed)).isEmpty())
                GTEST_SKIP() << needed << " is not installed: openssh-client has it";
        if (program.isEmpty()) GTEST_SKIP() << "sshd is not installed: openssh-server has it";
        if (::getuid() == 0 && !QFile::exists(QStringLiteral("/run/sshd")) &&
            !QDir().mkpath(QStringLiteral("/run/sshd")))
            GTEST_SKIP() << "sshd needs the folder /run/sshd";
        ASSERT_TRUE(
            QFile::setPermissions(folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        for (const char* key : {"host", "user"})
            ASSERT_EQ(run(QStringLiteral("ssh-keygen"),
                          {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                           QStringLiteral("-N"), QString(), QStringLiteral("-f"), at(key)}),
                      0);
        ASSERT_TRUE(QFile::copy(at("user.pub"), at("authorized")));
        port = freePort();
        ASSERT_GT(port, 0);
        // Whoever comes is at home in the folder: what is copied goes there, and nowhere else.
        for (const char* place : {"/usr/lib/openssh", "/usr/libexec/openssh", "/usr/lib/ssh"})
            if (sftp.isEmpty())
                sftp = QStandardPaths::findExecutable(QStringLiteral("sftp-server"), {QLatin1String(place)});
        write("home.sh", QStringLiteral("cd '%1' || exit 1\ncase \"$SSH_ORIGINAL_COMMAND\" in\n"
                                        "*sftp*) exec '%2' ;;\nesac\n"
                                        "exec /bin/sh -c \"$SSH_ORIGINAL_COMMAND\"\n")
                             .arg(folder.path(), sftp));
        write(
            "sshd.conf",
            QStringLiteral(
                "Port %1\nListenAddress 127.0.0.1\nHostKey %2\nPidFile none\n"
                "AuthorizedKeysFile %3\nStrictModes no\nUsePAM no\n"
                "PasswordAuthentication no\nPermitRootLogin prohibit-password\n"
                "Subsystem sftp sftp-server\nForceCommand /bin/sh '%5'\nSetEnv HOME=%4 XDG_DATA_HOME=%4/data "
                "OMP_NUM_THREADS=1 PLUMBLINE_CUDA_MODULE=none\n")
                .arg(port)
                .arg(at("host"), at("authorized"), folder.path(), at("home.sh")));
        daemon.setStandardErrorFile(at("sshd.log"));
        daemon.start(program,
                     {QStringLiteral("-D"), QStringLiteral("-e"), QStringLiteral("-f"), at("sshd.conf")});
        agent.start(QStringLiteral("ssh-agent"), {QStringLiteral("-D"), QStringLiteral("-a"), at("agent")});
        ASSERT_TRUE(waitFor([&] { return QFile::exists(at("agent")) && log().contains("listening"); }))
            << log().toStdString();
        qputenv("SSH_AUTH_SOCK", QFile::encodeName(at("agent")));
        ASSERT_EQ(run(QStringLiteral("ssh-add"), {QStringLiteral("-q"), at("user")}), 0);
        ASSERT_TRUE(QFile::remove(at("user"))) << "the agent alone has the key";
        write("ssh.conf", QStringLiteral("UserKnownHostsFile %1\nGlobalKnownHostsFile /dev/null\n"
                                         "StrictHostKeyChecking yes\nIdentityFile none\n")
                              .arg(at("known")));
        for (const auto& [variable, tool] :
             {std::pair{"PLUMBLINE_SSH", "ssh"}, std::pair{"PLUMBLINE_SCP", "scp"}})
            qputenv(variable,
                    QByteArray::fromStdString(joinCommandLine({tool, "-F", at("ssh.conf").toStdString()})));
        host = {QStringLiteral("gpu-box"), QStringLiteral("127.0.0.1"),
                QString::fromLocal8Bit(::getpwuid(::getuid())->pw_name), port, QStringLiteral(PLUMB_CLI)};
    }
    void TearDown() override {
        for (QProcess* process : {&daemon, &agent}) {
            process->kill();
            process->waitForFinished();
        }
        for (const char* variable : {"PLUMBLINE_SSH", "PLUMBLINE_SCP", "SSH_AUTH_SOCK"}) qunsetenv(variable);
    }
    [[nodiscard]] QString at(const char* name) const { return folder.filePath(QString::fromLatin1(name)); }
    [[nodiscard]] QByteArray log() const {
        QFile file(at("sshd.log"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const char* name, const QString& text) const {
        QFile file(at(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
    }
    static int run(const QString& program, const QStringList& arguments) {
        return QProcess::execute(program, arguments);
    }
    /// The host's key is known from now on, as after a first connection by hand.
    void know() const {
        QFile key(at("host.pub"));
        ASSERT_TRUE(key.open(QIODevice::ReadOnly));
        write("known", QStringLiteral("[127.0.0.1]:%1 %2").arg(port).arg(QString::fromLatin1(key.readAll())));
    }
    [[nodiscard]] HostReport lookedAt(void (HostCheck::*action)(const RemoteHost&) = &HostCheck::test) const {
        HostCheck check;
        std::optional<HostReport> found;
        QObject::connect(&check, &HostCheck::finished, [&](const HostReport& report) { found = report; });
        std::invoke(action, check, host);
        EXPECT_TRUE(waitFor([&] { return found.has_value(); }, 120000));
        return found.value_or(HostReport{});
    }

    QTemporaryDir folder;
    QProcess daemon, agent;
    QString sftp;  ///< empty: nothing can be copied
    int port = 0;
    RemoteHost host;
};

TEST_F(Loopback, AnUnknownHostKeyIsSshsMatterAndItsMessageIsPassedOn) {
    const HostReport report = lookedAt();
    EXPECT_TRUE(report.problem.contains(QStringLiteral("Host key verification failed")))
        << report.problem.toStdString();
    EXPECT_TRUE(report.remedy.contains(QStringLiteral("in a terminal"))) << report.remedy.toStdString();
    EXPECT_FALSE(report.canCopy);
}

TEST_F(Loopback, AKeyThatTheAgentDoesNotHaveIsSaid) {
    know();
    ASSERT_EQ(run(QStringLiteral("ssh-add"), {QStringLiteral("-q"), QStringLiteral("-D")}), 0);
    const HostReport report = lookedAt();
    EXPECT_TRUE(report.problem.contains(QStringLiteral("Permission denied"))) << report.problem.toStdString();
    EXPECT_TRUE(report.remedy.contains(QStringLiteral("ssh-add")));
}

TEST_F(Loopback, AnEngineOfThisVersionIsFoundWithItsDevices) {
    know();
    const HostReport report = lookedAt();
    EXPECT_TRUE(report.works()) << report.problem.toStdString() << log().toStdString();
    EXPECT_EQ(report.version, toText(programVersion()));
    EXPECT_FALSE(report.devices.empty());
}

TEST_F(Loopback, AnotherVersionIsToldAndThisOneIsCopiedThere) {
    know();
    write("old-cli", QStringLiteral("#!/bin/sh\necho plumbline 0.0.1\n"));
    ASSERT_TRUE(QFile::setPermissions(at("old-cli"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    host.path = at("old-cli");
    const HostReport report = lookedAt();
    EXPECT_TRUE(report.problem.contains(QStringLiteral("plumbline 0.0.1"))) << report.problem.toStdString();
    EXPECT_TRUE(report.remedy.contains(QStringLiteral("Copy this version"))) << report.remedy.toStdString();
    EXPECT_TRUE(report.canCopy);
}

/// Where the engine of this window lies while one is to be copied: beside the program, which a test is not.
class EngineInPath {
public:
    EngineInPath() : m_before(qgetenv("PATH")) {
        qputenv("PATH", QFileInfo(QStringLiteral(PLUMB_CLI)).absolutePath().toLocal8Bit() + ':' + m_before);
    }
    ~EngineInPath() { qputenv("PATH", m_before); }
    EngineInPath(const EngineInPath&) = delete;
    EngineInPath& operator=(const EngineInPath&) = delete;

private:
    QByteArray m_before;
};

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

TEST_F(Loopback, TheEngineIsCopiedThereAndAnswersFromThere) {
    if (sftp.isEmpty()) GTEST_SKIP() << "sftp-server is not installed: openssh-sftp-server has it";
    know();
    const EngineInPath inPath;
    ASSERT_FALSE(localEngineProgram().isEmpty());
    host.path.clear();
    const HostReport report = lookedAt(&HostCheck::copyThere);
    EXPECT_TRUE(report.works()) << report.problem.toStdString() << log().toStdString();
    EXPECT_EQ(report.version, toText(programVersion()));
    EXPECT_TRUE(report.program.endsWith(copiedProgram())) << report.program.toStdString();
    EXPECT_FALSE(report.devices.empty());
    const QString copy = folder.filePath(copiedProgram());
    EXPECT_EQ(contentOf(copy), contentOf(localEngineProgram()));
    EXPECT_TRUE(QFileInfo(copy).isExecutable());
    EXPECT_FALSE(QFile::exists(copy + QStringLiteral(".new")));
}

TEST_F(Loopback, TheDialogTestsCopiesAndUsesAHost) {
    if (sftp.isEmpty()) GTEST_SKIP() << "sftp-server is not installed: openssh-sftp-server has it";
    know();
    const EngineInPath inPath;
    write("old-cli", QStringLiteral("#!/bin/sh\necho plumbline 0.0.1\n"));
    ASSERT_TRUE(QFile::setPermissions(at("old-cli"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    HostsDialog dialog({}, {});
    dialog.show();
    QStringList used;
    QObject::connect(&dialog, &HostsDialog::useWanted,
                     [&](const RemoteHost& wanted) { used << wanted.name + u' ' + wanted.path; });
    const auto press = [&](const char* name) {
        QTest::mouseClick(test::child<QPushButton>(dialog, name), Qt::LeftButton);
    };
    const auto type = [&](const char* name, const QString& text) {
        auto* field = test::child<QLineEdit>(dialog, name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
    };
    const auto* says = test::child<QLabel>(dialog, "hostsSays");
    const auto isDone = [&] { return !dialog.check().running() && !says->text().endsWith(u'…'); };
    EXPECT_FALSE(test::child<QPushButton>(dialog, "hostsTest")->isEnabled()) << "this computer needs none";
    press("hostsNew");
    EXPECT_FALSE(test::child<QPushButton>(dialog, "hostsTest")->isEnabled()) << "it has no address yet";
    type("hostsName", host.name);
    type("hostsHost", host.host);
    type("hostsUser", host.user);
    type("hostsPort", QStringLiteral("70000"));
    EXPECT_FALSE(test::child<QPushButton>(dialog, "hostsTest")->isEnabled());
    EXPECT_FALSE(says->text().isEmpty());
    type("hostsPort", QString::number(host.port));
    type("hostsPath", at("old-cli"));
    press("hostsTest");
    EXPECT_TRUE(test::child<QPushButton>(dialog, "hostsCancel")->isEnabled());
    ASSERT_TRUE(waitFor(isDone, 120000));
    EXPECT_TRUE(says->text().contains(QStringLiteral("0.0.1"))) << says->text().toStdString();
    ASSERT_TRUE(test::child<QPushButton>(dialog, "hostsCopy")->isEnabled());
    press("hostsCopy");
    ASSERT_TRUE(waitFor(isDone, 120000));
    EXPECT_TRUE(says->text().contains(toText(programVersion()))) << says->text().toStdString();
    EXPECT_TRUE(test::child<QLineEdit>(dialog, "hostsPath")->text().endsWith(copiedProgram()));
    ASSERT_EQ(dialog.hosts().size(), 1);
    EXPECT_EQ(dialog.hosts().front().port, host.port);
    press("hostsUse");
    ASSERT_EQ(used.size(), 1);
    EXPECT_TRUE(used.front().startsWith(host.name));
    EXPECT_TRUE(used.front().endsWith(copiedProgram()));
    EXPECT_TRUE(test::child<QListWidget>(dialog, "hostsList")
                    ->currentItem()
                    ->text()
                    .contains(QStringLiteral("used")));
    press("hostsRemove");
    EXPECT_TRUE(dialog.hosts().isEmpty());
}

TEST(HostsDialog, PutsRightWhatItRefuses) {
    HostsDialog dialog({{QStringLiteral("far"), QStringLiteral("10.0.0.1"), {}, 0, {}}}, {});
    dialog.show();
    QTest::mouseClick(test::child<QPushButton>(dialog, "hostsNew"), Qt::LeftButton);
    const auto type = [&](const char* name, const char* text) {
        auto* field = test::child<QLineEdit>(dialog, name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QString::fromLatin1(text));
    };
    type("hostsHost", "10.0.0.2");
    type("hostsName", "far");
    auto* fix = test::child<FixButton>(dialog, "hostsSaysFix");
    ASSERT_TRUE(fix->isVisible());
    EXPECT_EQ(fix->text(), QStringLiteral("Use far 2"));
    QTest::mouseClick(fix, Qt::LeftButton);
    EXPECT_EQ(test::child<QLineEdit>(dialog, "hostsName")->text(), QStringLiteral("far 2"));
    type("hostsPort", "70000");
    ASSERT_TRUE(fix->isVisible());
    QTest::mouseClick(fix, Qt::LeftButton);
    EXPECT_EQ(test::child<QLineEdit>(dialog, "hostsPort")->text(), QString());
    EXPECT_TRUE(test::child<QPushButton>(dialog, "hostsTest")->isEnabled());
    type("hostsHost", "-oProxyCommand=x");
    EXPECT_FALSE(fix->isVisible()) << "only who enters it knows";
}

TEST(HostsDialog, ATestThatIsCancelledIsHeardOfNoMore) {
    qputenv("PLUMBLINE_SSH", "sleep 60");
    HostsDialog dialog({{QStringLiteral("far"), QStringLiteral("10.0.0.1"), {}, 0, {}}}, {});
    dialog.show();
    test::child<QListWidget>(dialog, "hostsList")->setCurrentRow(1);
    const auto* says = test::child<QLabel>(dialog, "hostsSays");
    QTest::mouseClick(test::child<QPushButton>(dialog, "hostsTest"), Qt::LeftButton);
    ASSERT_TRUE(dialog.check().running());
    EXPECT_TRUE(says->text().contains(QStringLiteral("far"))) << says->text().toStdString();
    QTest::mouseClick(test::child<QPushButton>(dialog, "hostsCancel"), Qt::LeftButton);
    EXPECT_FALSE(dialog.check().running());
    EXPECT_EQ(says->text(), QStringLiteral("Cancelled."));
    EXPECT_TRUE(test::child<QPushButton>(dialog, "hostsTest")->isEnabled());
    qunsetenv("PLUMBLINE_SSH");
}

TEST(HostsDialog, HasRoomForWhatSshSaysAndNamesThePortInTheRemedy) {
    qputenv("PLUMBLINE_SSH",
            "sh -c \"printf 'No key is known for this host, and you asked for strict checking of keys.\\r\\n"
            "Host key verification failed.\\r\\n' >&2; exit 255\"");
    HostsDialog dialog({{QStringLiteral("far"), QStringLiteral("10.0.0.1"), QStringLiteral("ada"), 2222, {}}},
                       {});
    dialog.show();
    test::child<QListWidget>(dialog, "hostsList")->setCurrentRow(1);
    QCoreApplication::processEvents();
    const auto* field = test::child<QLineEdit>(dialog, "hostsPath");
    const int height = field->height();
    const auto* says = test::child<QLabel>(dialog, "hostsSays");
    QTest::mouseClick(test::child<QPushButton>(dialog, "hostsTest"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !dialog.check().running() && says->text().contains(u"verification"); }))
        << says->text().toStdString();
    QCoreApplication::processEvents();
    EXPECT_GE(field->height(), height);
    EXPECT_GE(says->height(), says->heightForWidth(says->width()));
    EXPECT_FALSE(says->text().contains(u'\\')) << says->text().toStdString();
    EXPECT_TRUE(says->text().contains(QStringLiteral("(ssh -p 2222 ada@10.0.0.1)")))
        << says->text().toStdString();
    qunsetenv("PLUMBLINE_SSH");
}

TEST(RemoteFiles, TellWhatScpSaysInOneLine) {
    qputenv("PLUMBLINE_SCP",
            "sh -c \"printf 'Host key verification failed.\\r\\nConnection closed\\r\\n' >&2; exit 1\"");
    const QTemporaryDir folder;
    RemoteFiles files;
    QString said;
    QObject::connect(&files, &RemoteFiles::failed, [&](const Error& error) { said = toText(error.message); });
    files.fetch({QStringLiteral("far"), QStringLiteral("10.0.0.1"), {}, 0, {}}, QStringLiteral("state"),
                folder.filePath(QStringLiteral("state")));
    ASSERT_TRUE(waitFor([&] { return !said.isEmpty(); }));
    EXPECT_EQ(said, QStringLiteral(
                        "state of far was not fetched (Host key verification failed. Connection closed)"));
    qunsetenv("PLUMBLINE_SCP");
}

TEST_F(Loopback, ARunOutlivesItsConnectionAndFilesAreFetched) {
    if (sftp.isEmpty()) GTEST_SKIP() << "sftp-server is not installed: openssh-sftp-server has it";
    know();
    std::vector<std::string> words;
    for (const QString& word : engineCommandOn(host, host.path)) words.push_back(word.toStdString());
    test::EngineBench bench(QStringLiteral("normal"));
    bench.engine.setCommand(toText(joinCommandLine(words)));
    bench.engine.setPlace(host.name);
    bench.engine.start();
    ASSERT_TRUE(waitFor([&] { return bench.controller.chosen().whyNotRun().isEmpty(); }, 120000))
        << bench.lost.join(QLatin1Char(' ')).toStdString();
    ASSERT_TRUE(waitFor(
        [&] { return bench.controller.devices().current().name().endsWith(QStringLiteral(" on gpu-box")); },
        120000));
    RunConfig small;
    small.dim = 16;
    small.layers = 2;
    small.batch = 8;
    EXPECT_TRUE(bench.workbench.show(small).has_value());
    CheckpointOptions states;
    states.folder = at("states").toStdString();
    bench.controller.next().setCheckpoints(states);
    bench.controller.run();
    const auto steps = [&] { return bench.workbench.runs().all().back()->stepsDone; };
    ASSERT_TRUE(waitFor([&] { return steps() > 0; }, 120000));
    ::kill(static_cast<pid_t>(bench.engine.processId()), SIGKILL);
    ASSERT_TRUE(waitFor([&] { return bench.engine.state() == EngineClient::State::Lost; }));
    const std::int64_t before = steps();
    bench.engine.reconnect();
    ASSERT_TRUE(waitFor([&] { return steps() > before + 100; }, 120000));
    bench.controller.stop();
    ASSERT_TRUE(waitFor([&] { return !bench.controller.work().busy(); }, 120000));
    EXPECT_EQ(bench.workbench.runs().all().back()->end, TrainingEnd::Stopped);
    const auto& written = bench.controller.work().newestCheckpoint();
    ASSERT_TRUE(written.has_value());

    RemoteFiles files;
    QStringList fetched, failures;
    QObject::connect(&files, &RemoteFiles::fetched, [&](const QString& path) { fetched << path; });
    QObject::connect(&files, &RemoteFiles::failed,
                     [&](const Error& error) { failures << toText(error.text()); });
    files.fetch(host, toText(written->path), at("here.safetensors"));
    ASSERT_TRUE(waitFor([&] { return !fetched.isEmpty() || !failures.isEmpty(); }, 120000));
    EXPECT_TRUE(failures.isEmpty()) << failures.join(QLatin1Char(' ')).toStdString();
    EXPECT_FALSE(contentOf(at("here.safetensors")).isEmpty());
    EXPECT_EQ(contentOf(at("here.safetensors")), contentOf(toText(written->path)));
    files.fetch(host, at("none"), at("nothing"));
    ASSERT_TRUE(waitFor([&] { return !failures.isEmpty(); }, 120000));
    EXPECT_FALSE(QFile::exists(at("nothing")));
    EXPECT_FALSE(QFile::exists(at("nothing.part")));
    bench.engine.endedEngines().setQuitTimeout(60000);
}

}  // namespace
}  // namespace plumb::ui
