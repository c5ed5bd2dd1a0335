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
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 could not be read</source>
        <translation>无法读取 %1</translation>
    </message>
    <message>
        <source>%1 could not be written</source>
        <translation>无法写入 %1</translation>
    </message>
    <message>
        <source>%1 entries</source>
        <translation>%1 条</translation>
    </message>
    <message>
        <source>%1 entries were removed; Undo (Ctrl+Z) brings them back</source>
        <translation>已移除 %1 条；“撤销”（Ctrl+Z）可恢复</translation>
    </message>
    <message>
        <source>%1 is a database of another program</source>
        <translation>%1 是其他程序的数据库</translation>
    </message>
    <message>
        <source>%1 is no history of Plumbline, or it is damaged</source>
        <translation>%1 不是 Plumbline 的历史记录，或已损坏</translation>
    </message>
    <message>
        <source>%1 needs a number behind %2, such as %3</source>
        <translation>%1 需要在 %2 之后有一个数，例如 %3</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 entries</source>
        <translation>%2 条中的 %1 条</translation>
    </message>
    <message>
        <source>%1 of %2, began %3</source>
        <translation>%2 的%1，始于 %3</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 次运行</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1, from %2 to %3</source>
        <translation>%1，从 %2 到 %3</translation>
    </message>
    <message>
        <source>%1, runs that have it: %2, from %3 to %4. Arrow keys go from run to run.</source>
        <translation>%1，有该指标的运行：%2，从 %3 到 %4。方向键在各次运行之间移动。</translation>
    </message>
    <message>
        <source>%1: needs a value behind the colon</source>
        <translation>%1: 冒号之后需要一个值</translation>
    </message>
    <message>
        <source>%1: takes a day such as 2026-11-26, a month, a year, today or 7d</source>
        <translation>%1: 接受某日（如 2026-11-26）、某月、某年、today 或 7d</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>对比(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Export all…</source>
        <translation>全部导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Favourite</source>
        <translation>收藏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Import a history…</source>
        <translation>导入历史记录(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Note…</source>
        <translation>备注(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Number of entries…</source>
        <translation>条目数(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Open as it was</source>
        <translation>按原样打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Room on the disk…</source>
        <translation>磁盘空间(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Tags…</source>
        <translation>标签(&amp;T)…</translation>
    </message>
    <message>
        <source>1 entry</source>
        <translation>1 条</translation>
    </message>
    <message>
        <source>1 entry was removed; Undo (Ctrl+Z) brings it back</source>
        <translation>已移除 1 条；“撤销”（Ctrl+Z）可恢复</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 次运行</translation>
    </message>
    <message>
        <source>Above that limit are the oldest entries that are no favourites: %1, with snapshots of %2. They are removed; for a day, Undo (Ctrl+Z) brings them back.</source>
        <translation>超出该上限的是最早的非收藏条目：%1 条，其快照共 %2。它们将被移除；一天之内可用“撤销”（Ctrl+Z）恢复。</translation>
    </message>
    <message>
        <source>By configuration</source>
        <translation>按配置</translation>
    </message>
    <message>
        <source>By device</source>
        <translation>按设备</translation>
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
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Ended %1</source>
        <translation>结束于 %1</translation>
    </message>
    <message>
        <source>Entries of the history</source>
        <translation>历史记录的条目数</translation>
    </message>
    <message>
        <source>Entries removed: %1, with snapshots of %2; Undo (Ctrl+Z) brings them back</source>
        <translation>已移除 %1 条，其快照共 %2；可用“撤销”（Ctrl+Z）恢复</translation>
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
        <source>Favourites, which are never removed to make room</source>
        <translation>收藏，不会为腾出空间而移除</translation>
    </message>
    <message>
        <source>Figure of the trend</source>
        <translation>趋势的指标</translation>
    </message>
    <message>
        <source>Filled: measured; hollow: predicted. The bar is the spread.</source>
        <translation>实心：实测；空心：预测。竖条为波动范围。</translation>
    </message>
    <message>
        <source>Gone from the history: snapshots %1, whole entries %2; %3 are free</source>
        <translation>已从历史记录中删除：快照 %1 份，整条记录 %2 条；释放了 %3</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史记录</translation>
    </message>
    <message>
        <source>How many entries are kept. Of more, the oldest go:</source>
        <translation>保留多少条。超出时移除最早的条目：</translation>
    </message>
    <message>
        <source>Import, export, and what it may take</source>
        <translation>导入、导出和占用上限</translation>
    </message>
    <message>
        <source>Its end was not seen</source>
        <translation>没有记录到它的结束</translation>
    </message>
    <message>
        <source>Its snapshot of %1 can be opened and compared</source>
        <translation>其 %1 的快照可以打开和对比</translation>
    </message>
    <message>
        <source>Its snapshot was removed to make room: the figures are left</source>
        <translation>其快照已为腾出空间而移除：只保留指标</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Lay two to eight selected runs side by side, the oldest as the baseline</source>
        <translation>将选中的两到八次运行并列，以最早的一次为基线</translation>
    </message>
    <message>
        <source>Limit of the history</source>
        <translation>历史记录的上限</translation>
    </message>
    <message>
        <source>Loss at the end</source>
        <translation>最终损失</translation>
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
        <source>Measured peak of a step; in italics the predicted one, where it was not measured</source>
        <translation>一步的实测峰值；未测量时以斜体显示预测值</translation>
    </message>
    <message>
        <source>Measured time of a step; in italics the predicted one, where it was not measured</source>
        <translation>一步的实测时间；未测量时以斜体显示预测值</translation>
    </message>
    <message>
        <source>Measured: %1</source>
        <translation>实测：%1</translation>
    </message>
    <message>
        <source>No field is called %1: there are %2; a text with a colon stands in quotes</source>
        <translation>没有名为 %1 的字段：有 %2；含冒号的文本请加引号</translation>
    </message>
    <message>
        <source>No figure is called %1; there are %2</source>
        <translation>没有名为 %1 的指标；可用的有 %2</translation>
    </message>
    <message>
        <source>No figure is compared in "%1", as it is in loss&lt;0.1; a text with such a sign stands in quotes</source>
        <translation>“%1”中没有像 loss&lt;0.1 那样比较指标；含此类符号的文本请加引号</translation>
    </message>
    <message>
        <source>No longer a &amp;favourite</source>
        <translation>取消收藏(&amp;F)</translation>
    </message>
    <message>
        <source>None of the runs in the table has this figure: choose another one</source>
        <translation>表中没有运行具有该指标：请选择其他指标</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Notes of the %1 entries differ. What is typed here takes the place of all of them; nothing typed leaves them as they are:</source>
        <translation>这 %1 条的备注不同。在此输入的内容将替换所有这些备注；不输入则保持不变：</translation>
    </message>
    <message>
        <source>Nothing can be written to %1</source>
        <translation>无法写入 %1</translation>
    </message>
    <message>
        <source>Nothing is found by the search "%1".</source>
        <translation>搜索“%1”没有结果。</translation>
    </message>
    <message>
        <source>Nothing is kept yet.

Run a training or profile a step: when it ends it stands here by itself, with its figures, device and version. Then search it, tag it, open it as it was, compare any two, and see how a figure went from run to run.

A history from elsewhere comes in by History &gt; Import.</source>
        <translation>尚未保存任何记录。

运行一次训练，或对一步进行性能分析：结束后它会连同指标、设备和版本自动出现在这里。之后可以搜索、添加标签、按原样打开、任选两次对比，并查看某项指标在各次运行间的变化。

别处的历史记录可通过“文件 &gt; 导入历史记录”加入。</translation>
    </message>
    <message>
        <source>On %1 (%2)</source>
        <translation>运行于 %1（%2）</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open the selected run as it was (Enter)</source>
        <translation>按原样打开选中的运行（Enter）</translation>
    </message>
    <message>
        <source>Outcome: %1</source>
        <translation>结果：%1</translation>
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
        <source>Predicted: %1</source>
        <translation>预测：%1</translation>
    </message>
    <message>
        <source>Qt's driver for SQLite is missing</source>
        <translation>缺少 Qt 的 SQLite 驱动</translation>
    </message>
    <message>
        <source>Remove them</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Room of the history</source>
        <translation>历史记录占用的空间</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run by %1</source>
        <translation>由 %1 运行</translation>
    </message>
    <message>
        <source>Runs and profiles</source>
        <translation>运行和性能分析</translation>
    </message>
    <message>
        <source>Runs and profiles that were kept</source>
        <translation>保存的运行和性能分析</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>每秒样本数</translation>
    </message>
    <message>
        <source>Saved in %1</source>
        <translation>保存于 %1</translation>
    </message>
    <message>
        <source>Search in the history</source>
        <translation>在历史记录中搜索</translation>
    </message>
    <message>
        <source>Search: h200 tag:best loss&lt;0.1 after:2026-11</source>
        <translation>搜索：h200 tag:best loss&lt;0.1 after:2026-11</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>步耗时</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Steps of a training, or behind the medians of a profile</source>
        <translation>训练的步数，或性能分析的中位数所依据的步数</translation>
    </message>
    <message>
        <source>Steps per second of the training</source>
        <translation>训练的每秒步数</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Tags and note</source>
        <translation>标签和备注</translation>
    </message>
    <message>
        <source>Tags, separated by commas:</source>
        <translation>标签，以逗号分隔：</translation>
    </message>
    <message>
        <source>The figure %1 is compared by a sign, such as %1&lt;5, and not by a colon</source>
        <translation>指标 %1 用符号比较，例如 %1&lt;5，而不用冒号</translation>
    </message>
    <message>
        <source>The file takes %1 of the %2 that it may, with %3 snapshots. At most %4 entries are kept. Of more, the oldest that are no favourites lose first their snapshots, then go.
%5</source>
        <translation>文件占用 %1，上限 %2，含 %3 份快照。最多保留 %4 条。超出时，先删除最早的非收藏条目的快照，再移除这些条目。
%5</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made</source>
        <translation>无法创建文件夹 %1</translation>
    </message>
    <message>
        <source>The history %1 could not be opened</source>
        <translation>无法打开历史记录 %1</translation>
    </message>
    <message>
        <source>The history %1 could not be used (%2)</source>
        <translation>无法使用历史记录 %1（%2）</translation>
    </message>
    <message>
        <source>The history %1 is damaged</source>
        <translation>历史记录 %1 已损坏</translation>
    </message>
    <message>
        <source>The history %1 is damaged (%2)</source>
        <translation>历史记录 %1 已损坏（%2）</translation>
    </message>
    <message>
        <source>The history %1 was written by a newer Plumbline (version %2 of its form, and this one knows %3)</source>
        <translation>历史记录 %1 由更新的 Plumbline 写出（格式版本 %2，而本程序支持 %3）</translation>
    </message>
    <message>
        <source>The history cannot have the limit "%1"</source>
        <translation>“%1”不能作为历史记录的上限</translation>
    </message>
    <message>
        <source>The history has its limit from before</source>
        <translation>历史记录已恢复原来的上限</translation>
    </message>
    <message>
        <source>The history is off, because PLUMBLINE_HISTORY says so</source>
        <translation>历史记录已关闭，因为 PLUMBLINE_HISTORY 如此设定</translation>
    </message>
    <message>
        <source>The history is off. %1</source>
        <translation>历史记录已关闭。%1</translation>
    </message>
    <message>
        <source>The history is off: there is no home folder to keep it in; let PLUMBLINE_HISTORY name a file</source>
        <translation>历史记录已关闭：没有可存放它的主目录；请用 PLUMBLINE_HISTORY 指定一个文件</translation>
    </message>
    <message>
        <source>The history was damaged, and a new one is begun. The damaged file is kept as %1</source>
        <translation>历史记录曾损坏，已新建一份。损坏的文件保留为 %1</translation>
    </message>
    <message>
        <source>The last loss of a training</source>
        <translation>训练的最终损失</translation>
    </message>
    <message>
        <source>The most that the history may take on the disk, such as 500 MB or 2 GB. Of more, the oldest goes:</source>
        <translation>历史记录最多可占用的磁盘空间，例如 500 MB 或 2 GB。超出时移除最早的内容：</translation>
    </message>
    <message>
        <source>The search leaves no run to show a trend of</source>
        <translation>搜索没有留下可显示趋势的运行</translation>
    </message>
    <message>
        <source>The snapshot of %1 in the history is damaged</source>
        <translation>历史记录中 %1 的快照已损坏</translation>
    </message>
    <message>
        <source>To stay within it, %1 are given back to the disk. Gone for good, of the oldest that are no favourites: snapshots %2, whole entries %3.</source>
        <translation>为不超出上限，将释放 %1 磁盘空间。最早的非收藏条目中将永久删除：快照 %2 份，整条记录 %3 条。</translation>
    </message>
    <message>
        <source>Trend</source>
        <translation>趋势</translation>
    </message>
    <message>
        <source>Trend of a figure over the runs</source>
        <translation>某项指标在各次运行间的趋势</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Version of Plumbline that it ran with</source>
        <translation>运行所用的 Plumbline 版本</translation>
    </message>
    <message>
        <source>What a line of the trend joins</source>
        <translation>趋势线所连接的内容</translation>
    </message>
    <message>
        <source>What is to be remembered of it:</source>
        <translation>备注内容：</translation>
    </message>
    <message>
        <source>What is to be remembered of the %1 entries:</source>
        <translation>这 %1 条的备注内容：</translation>
    </message>
    <message>
        <source>What it ran on</source>
        <translation>运行所在的设备</translation>
    </message>
    <message>
        <source>What was done</source>
        <translation>所做的事</translation>
    </message>
    <message>
        <source>What was removed is back</source>
        <translation>已恢复移除的条目</translation>
    </message>
    <message>
        <source>What you called it, and what you noted</source>
        <translation>自定义的名称和备注</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>When it began</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>Width, layers, batch, precision and optimizer</source>
        <translation>宽度、层数、批大小、精度和优化器</translation>
    </message>
    <message>
        <source>Words are found in configuration, device, tags, note, file and version.
tag: device: kind: program: engine: config: note: file: outcome: is:favourite is:saved is:running
on: after: before: a day (2026-11-26), a month, a year, today or 7d
time&lt;5ms peak&lt;2 GiB loss&lt;0.1 mfu&gt;40% samples&gt;1k: figures, measured where they were
A minus in front leaves out: -tag:old
In quotes stands a text with a blank, a colon or a sign: "cuda:0"
The key / leads to this field</source>
        <translation>在配置、设备、标签、备注、文件和版本中查找词语。
tag:… device:… kind:… program:… engine:… config:… note:… file:… outcome:… is:favourite is:saved is:running
on:… after:… before:…：某日（2026-11-26）、某月、某年、today 或 7d
time&lt;5ms peak&lt;2 GiB loss&lt;0.1 mfu&gt;40% samples&gt;1k：指标，有实测时取实测值
前面加减号表示排除：-tag:old
含空格、冒号或符号的文本请加引号："cuda:0"
按 / 键可转到此处</translation>
    </message>
    <message>
        <source>activations: %1</source>
        <translation>激活：%1</translation>
    </message>
    <message>
        <source>another window holds it: try again</source>
        <translation>另一个窗口正占用它：请重试</translation>
    </message>
    <message>
        <source>choose a file that was exported from a history</source>
        <translation>请选择由历史记录导出的文件</translation>
    </message>
    <message>
        <source>choose another folder</source>
        <translation>请选择其他文件夹</translation>
    </message>
    <message>
        <source>choose another name or folder</source>
        <translation>请选择其他名称或文件夹</translation>
    </message>
    <message>
        <source>device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>favourite</source>
        <translation>收藏</translation>
    </message>
    <message>
        <source>favourites of the history</source>
        <translation>历史记录的收藏</translation>
    </message>
    <message>
        <source>give a whole number from 1 on, such as 10000</source>
        <translation>请给出不小于 1 的整数，例如 10000</translation>
    </message>
    <message>
        <source>give at least 1 MB, such as 500 MB</source>
        <translation>请给出不小于 1 MB 的大小，例如 500 MB</translation>
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
        <translation>可写 is:favourite、is:tagged、is:saved 或 is:running</translation>
    </message>
    <message>
        <source>its next use puts it aside and begins a new one; move the file away where that fails</source>
        <translation>下次使用时会将其移开并新建一个；若未能移开，请手动移走该文件</translation>
    </message>
    <message>
        <source>kind: takes training, profile or curve</source>
        <translation>可写 kind:training、kind:profile 或 kind:curve</translation>
    </message>
    <message>
        <source>let PLUMBLINE_HISTORY name another file</source>
        <translation>请用 PLUMBLINE_HISTORY 指定其他文件</translation>
    </message>
    <message>
        <source>limit of the history</source>
        <translation>历史记录的上限</translation>
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
        <source>micro-batch %1</source>
        <translation>微批 %1</translation>
    </message>
    <message>
        <source>no favourite</source>
        <translation>未收藏</translation>
    </message>
    <message>
        <source>note of the history</source>
        <translation>历史记录的备注</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>removal from the history</source>
        <translation>从历史记录中移除</translation>
    </message>
    <message>
        <source>run it again</source>
        <translation>请重新运行</translation>
    </message>
    <message>
        <source>runs, the oldest at the left</source>
        <translation>各次运行，最早的在左</translation>
    </message>
    <message>
        <source>see whether it is there and the disk for temporary files has room</source>
        <translation>请查看它是否存在，以及临时文件所在磁盘是否有空间</translation>
    </message>
    <message>
        <source>see whether the disk is full or fails</source>
        <translation>请查看磁盘是否已满或出现故障</translation>
    </message>
    <message>
        <source>tags of the history</source>
        <translation>历史记录的标签</translation>
    </message>
    <message>
        <source>version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>when</source>
        <translation>时间</translation>
    </message>
</context>
</TS>
