<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 is a database of another program</source>
        <translation>%1 是其他程序的数据库</translation>
    </message>
    <message>
        <source>%1 needs a number behind %2, such as %3</source>
        <translation>%1 需要在 %2 之后有一个数，例如 %3</translation>
    </message>
    <message>
        <source>%1: needs a value behind the colon</source>
        <translation>%1: 需要在冒号之后有一个值</translation>
    </message>
    <message>
        <source>%1: takes a day such as 2026-11-26, a month, a year, today or 7d</source>
        <translation>%1: 接受某日（如 2026-11-26）、某月、某年、today 或 7d</translation>
    </message>
    <message>
        <source>Bytes moved per step</source>
        <translation>每步移动的字节数</translation>
    </message>
    <message>
        <source>Checkpoint curve</source>
        <translation>检查点曲线</translation>
    </message>
    <message>
        <source>FLOP per second</source>
        <translation>每秒 FLOP</translation>
    </message>
    <message>
        <source>FLOP per step</source>
        <translation>每步 FLOP</translation>
    </message>
    <message>
        <source>Loss at the end</source>
        <translation>结束时的损失</translation>
    </message>
    <message>
        <source>Loss of held-out samples</source>
        <translation>留出样本的损失</translation>
    </message>
    <message>
        <source>Lowest loss</source>
        <translation>最低损失</translation>
    </message>
    <message>
        <source>Lowest peak of a curve</source>
        <translation>曲线的最低峰值</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>No figure is called %1; there are %2</source>
        <translation>没有名为 %1 的数字；可用的有 %2</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值显存</translation>
    </message>
    <message>
        <source>Policies of a curve</source>
        <translation>曲线的策略</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>Qt's driver for SQLite is missing</source>
        <translation>缺少 Qt 的 SQLite 驱动</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>每秒样本数</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>步耗时</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Steps per second of the training</source>
        <translation>训练的每秒步数</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made</source>
        <translation>无法创建文件夹 %1</translation>
    </message>
    <message>
        <source>The history %1 could not be opened</source>
        <translation>无法打开历史 %1</translation>
    </message>
    <message>
        <source>The history %1 could not be used (%2)</source>
        <translation>无法使用历史 %1（%2）</translation>
    </message>
    <message>
        <source>The history %1 is damaged</source>
        <translation>历史 %1 已损坏</translation>
    </message>
    <message>
        <source>The history %1 is damaged (%2)</source>
        <translation>历史 %1 已损坏（%2）</translation>
    </message>
    <message>
        <source>The history %1 was written by a newer Plumbline (version %2 of its form, and this one knows %3)</source>
        <translation>历史 %1 由更新的 Plumbline 写出（格式版本 %2，而本程序支持 %3）</translation>
    </message>
    <message>
        <source>The history is off, because PLUMBLINE_HISTORY says so</source>
        <translation>历史已关闭，因为 PLUMBLINE_HISTORY 如此设定</translation>
    </message>
    <message>
        <source>The history is off. %1</source>
        <translation>历史已关闭。%1</translation>
    </message>
    <message>
        <source>The history is off: there is no home folder to keep it in; let PLUMBLINE_HISTORY name a file</source>
        <translation>历史已关闭：没有可存放它的主目录；请用 PLUMBLINE_HISTORY 指定一个文件</translation>
    </message>
    <message>
        <source>The history was damaged, and a new one is begun. The damaged file is kept as %1</source>
        <translation>历史曾损坏，已开始新的历史。损坏的文件保留为 %1</translation>
    </message>
    <message>
        <source>The snapshot of %1 in the history is damaged</source>
        <translation>历史中 %1 的快照已损坏</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>another window holds it: try again</source>
        <translation>另一个窗口正占用它：请重试</translation>
    </message>
    <message>
        <source>install libqt6sql6-sqlite</source>
        <translation>请安装 libqt6sql6-sqlite</translation>
    </message>
    <message>
        <source>install the newer Plumbline, or let PLUMBLINE_HISTORY name another file</source>
        <translation>请安装更新的 Plumbline，或用 PLUMBLINE_HISTORY 指定其他文件</translation>
    </message>
    <message>
        <source>is: takes favourite, tagged, saved or running</source>
        <translation>is: 接受 favourite、tagged、saved 或 running</translation>
    </message>
    <message>
        <source>kind: takes training, profile or curve</source>
        <translation>kind: 接受 training、profile 或 curve</translation>
    </message>
    <message>
        <source>let PLUMBLINE_HISTORY name another file</source>
        <translation>请用 PLUMBLINE_HISTORY 指定其他文件</translation>
    </message>
    <message>
        <source>make it, or let PLUMBLINE_HISTORY name a file elsewhere</source>
        <translation>请创建它，或用 PLUMBLINE_HISTORY 指定别处的文件</translation>
    </message>
    <message>
        <source>make room on the disk</source>
        <translation>请在磁盘上腾出空间</translation>
    </message>
    <message>
        <source>make the file and its folder writable, or let PLUMBLINE_HISTORY name another file</source>
        <translation>请使该文件及其文件夹可写，或用 PLUMBLINE_HISTORY 指定其他文件</translation>
    </message>
    <message>
        <source>run it again</source>
        <translation>请重新运行</translation>
    </message>
    <message>
        <source>see whether the disk is full or fails</source>
        <translation>请查看磁盘是否已满或出现故障</translation>
    </message>
</context>
</TS>
