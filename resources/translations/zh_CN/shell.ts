<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source> · %1 steps/s</source>
        <translation> · %1 步/秒</translation>
    </message>
    <message>
        <source>%1
Ceilings: %2</source>
        <translation>%1
上限：%2</translation>
    </message>
    <message>
        <source>%1
Not saved</source>
        <translation>%1
未保存</translation>
    </message>
    <message>
        <source>%1 and %2 others</source>
        <translation>%1 及另外 %2 个</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and 1 other</source>
        <translation>%1 及另外 1 个</translation>
    </message>
    <message>
        <source>%1 bookmarks</source>
        <translation>%1 个书签</translation>
    </message>
    <message>
        <source>%1 checkpoint curves</source>
        <translation>%1 条检查点曲线</translation>
    </message>
    <message>
        <source>%1 columns without any value are left out</source>
        <translation>省略了 %1 个没有任何数值的列</translation>
    </message>
    <message>
        <source>%1 files were opened together, and the last is shown.</source>
        <translation>同时打开了 %1 个文件，当前显示最后一个。</translation>
    </message>
    <message>
        <source>%1 findings, %2 of them serious.</source>
        <translation>%1 项发现，其中 %2 项严重。</translation>
    </message>
    <message>
        <source>%1 has files that are named as the pictures are: %2. What they hold would be lost.</source>
        <translation>%1 中已有与图片同名的文件：%2。其内容将会丢失。</translation>
    </message>
    <message>
        <source>%1 is calibrated</source>
        <translation>%1 已校准</translation>
    </message>
    <message>
        <source>%1 is calibrated: predicted times now use its own ceilings.</source>
        <translation>%1 已校准：预测时间现在使用它自身的上限。</translation>
    </message>
    <message>
        <source>%1 is not calibrated</source>
        <translation>%1 未校准</translation>
    </message>
    <message>
        <source>%1 is not calibrated: no predicted times</source>
        <translation>%1 未校准：没有预测时间</translation>
    </message>
    <message>
        <source>%1 measurements</source>
        <translation>%1 次测量</translation>
    </message>
    <message>
        <source>%1 measurements kept</source>
        <translation>保留了 %1 次测量</translation>
    </message>
    <message>
        <source>%1 more rows are left out: File &gt; Export writes all of them as CSV</source>
        <translation>另有 %1 行未列出：可用“文件 &gt; 导出”将全部内容导出为 CSV</translation>
    </message>
    <message>
        <source>%1 pages in %2</source>
        <translation>%1 页，位于 %2</translation>
    </message>
    <message>
        <source>%1 pictures in %2</source>
        <translation>%1 张图片，位于 %2</translation>
    </message>
    <message>
        <source>%1 runs “%2” now, which would have no shortcut then.</source>
        <translation>%1 现在用于“%2”，它将因此没有快捷键。</translation>
    </message>
    <message>
        <source>%1 trainings</source>
        <translation>%1 次训练</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>value or keys · kind</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 steps</source>
        <translation>%1 · %2 · %3 步</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 steps of %4</source>
        <translation>%1 · %2 · %3 步，每步 %4</translation>
    </message>
    <message>
        <source>%1 · page %2</source>
        <translation>%1 · 第 %2 页</translation>
    </message>
    <message>
        <source>%1 – Plumbline</source>
        <translation>%1 – Plumbline</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>title, kind</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, not saved</source>
        <translation>%1，未保存</translation>
    </message>
    <message>
        <source>%1; Run (F5) starts another and trains</source>
        <translation>%1；“运行”（F5）将启动另一个引擎并开始训练</translation>
    </message>
    <message>
        <source>%1[*] – Plumbline</source>
        <translation>%1[*] – Plumbline</translation>
    </message>
    <message>
        <source>&amp;About Plumbline</source>
        <translation>关于 Plumbline(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Allocator</source>
        <translation>分配器(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Another folder…</source>
        <translation>另选文件夹(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Apply and restart</source>
        <translation>应用并重新开始(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Assign</source>
        <translation>指定(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Bookmark this place…</source>
        <translation>将此处加入书签(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Calibrate</source>
        <translation>校准(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Calibrate this machine</source>
        <translation>校准本机(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Checkpoint</source>
        <translation>检查点(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Compare the measurements</source>
        <translation>对比各次测量(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Copy from the Lab</source>
        <translation>从实验室复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation>深色主题(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Devices…</source>
        <translation>设备(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;End the training</source>
        <translation>结束训练(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Evidence</source>
        <translation>实证(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Fetch the newest checkpoint…</source>
        <translation>取回最新的检查点(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Find anything…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Find in this view</source>
        <translation>在此视图中查找(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Findings</source>
        <translation>发现(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Hosts…</source>
        <translation>主机(&amp;H)…</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Lab</source>
        <translation>实验室(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Light theme</source>
        <translation>浅色主题(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>手册(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Measure the checkpoint curve</source>
        <translation>测量检查点曲线(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>显存(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Move the tab to a new window</source>
        <translation>将标签页移到新窗口(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Move to a new window</source>
        <translation>移到新窗口(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;New shortcut:</source>
        <translation>新快捷键(&amp;N)：</translation>
    </message>
    <message>
        <source>&amp;Next bookmark</source>
        <translation>下一个书签(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Next question</source>
        <translation>下一个问题(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Notes</source>
        <translation>备注(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open a file…</source>
        <translation>打开文件(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Open plan…</source>
        <translation>打开规划(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation>概览(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Panel at the left</source>
        <translation>左侧面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Planner</source>
        <translation>规划(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Previous question</source>
        <translation>上一个问题(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>重做%1(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>重新加载(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>重置(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Return to the run's settings</source>
        <translation>恢复运行的设置(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Roofline</source>
        <translation>屋顶线(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Run the example</source>
        <translation>运行示例(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Solve for an input</source>
        <translation>求解某个输入(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Take it over</source>
        <translation>改为此操作(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Training</source>
        <translation>训练(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation>撤销%1(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Use measurement…</source>
        <translation>使用实测结果(&amp;U)…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Welcome</source>
        <translation>欢迎(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;What the numbers mean</source>
        <translation>数字的含义(&amp;W)</translation>
    </message>
    <message>
        <source>1 bookmark</source>
        <translation>1 个书签</translation>
    </message>
    <message>
        <source>1 column without any value is left out</source>
        <translation>省略了 1 个没有任何数值的列</translation>
    </message>
    <message>
        <source>1 finding.</source>
        <translation>1 项发现。</translation>
    </message>
    <message>
        <source>1 measurement</source>
        <translation>1 次测量</translation>
    </message>
    <message>
        <source>1 measurement kept</source>
        <translation>保留了 1 次测量</translation>
    </message>
    <message>
        <source>1 training</source>
        <translation>1 次训练</translation>
    </message>
    <message>
        <source>; as PDF every view on a page</source>
        <translation>；PDF 中每个视图占一页</translation>
    </message>
    <message>
        <source>; the what-if of the sliders is not part of it</source>
        <translation>；不包含滑块所设的假设</translation>
    </message>
    <message>
        <source>; too much for one file, so left out: %1</source>
        <translation>；一个文件容纳不下，因此省略：%1</translation>
    </message>
    <message>
        <source>&lt;h2&gt;Plumbline&lt;/h2&gt;&lt;p&gt;%1&lt;/p&gt;&lt;p&gt;Shows what a training step costs before it runs, runs it, and shows what it really cost.&lt;/p&gt;&lt;p&gt;This window is free software under the GNU General Public License, version 3 or later; the parts below it are under the Apache License 2.0.&lt;/p&gt;&lt;p&gt;Built with Qt %2.&lt;/p&gt;</source>
        <translation>&lt;h2&gt;Plumbline&lt;/h2&gt;&lt;p&gt;%1&lt;/p&gt;&lt;p&gt;在训练步运行之前给出它的开销，然后运行它，再给出它的实际开销。&lt;/p&gt;&lt;p&gt;本窗口是自由软件，采用 GNU 通用公共许可证第 3 版或更新版本；其下层各部分采用 Apache 许可证 2.0。&lt;/p&gt;&lt;p&gt;使用 Qt %2 构建。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>A file takes no more than %1 bookmarks: delete one first</source>
        <translation>一个文件最多容纳 %1 个书签：请先删除一个</translation>
    </message>
    <message>
        <source>A picture could not be written to %1: check permission and space</source>
        <translation>无法将图片写入 %1：请检查权限和剩余空间</translation>
    </message>
    <message>
        <source>About Plumbline</source>
        <translation>关于 Plumbline</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Actions and their shortcuts</source>
        <translation>操作及其快捷键</translation>
    </message>
    <message>
        <source>Add the runs of a history that was exported, each once</source>
        <translation>添加所导出历史记录中的运行，每次运行只添加一次</translation>
    </message>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>All of this can be had later too: Help &gt; Welcome.</source>
        <translation>这些以后都可以从“帮助 &gt; 欢迎”打开。</translation>
    </message>
    <message>
        <source>Always dark</source>
        <translation>始终使用深色</translation>
    </message>
    <message>
        <source>Always light</source>
        <translation>始终使用浅色</translation>
    </message>
    <message>
        <source>Arrays and tables (*.npy *.npz *.csv);;Token ids (*.u16 *.i32 *.npy);;All files (*)</source>
        <translation>数组和表格 (*.npy *.npz *.csv);;Token ID (*.u16 *.i32 *.npy);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Ask the planner the next question</source>
        <translation>向规划器提出下一个问题</translation>
    </message>
    <message>
        <source>Ask the planner the question before</source>
        <translation>向规划器提出上一个问题</translation>
    </message>
    <message>
        <source>Begin another document in a tab beside this one</source>
        <translation>在旁边的标签页中新建一个文档</translation>
    </message>
    <message>
        <source>Begin with the files that were open when the window was closed last</source>
        <translation>启动时打开上次关闭窗口时打开着的文件</translation>
    </message>
    <message>
        <source>Begin with the settings that the program comes with, and with nothing measured</source>
        <translation>从程序自带的设置开始，没有任何测量结果</translation>
    </message>
    <message>
        <source>Bookmark this place</source>
        <translation>将此处加入书签</translation>
    </message>
    <message>
        <source>Budgets (*.json);;All files (*)</source>
        <translation>预算 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Ca&amp;ncel</source>
        <translation>取消(&amp;N)</translation>
    </message>
    <message>
        <source>Calibrate again</source>
        <translation>重新校准</translation>
    </message>
    <message>
        <source>Calibrating</source>
        <translation>正在校准</translation>
    </message>
    <message>
        <source>Change one input of the planner until the answer is what you want</source>
        <translation>改变规划器的一个输入，直到答案符合要求</translation>
    </message>
    <message>
        <source>Charts and fields need %1 themselves: add Ctrl or Alt, or choose a key from F1 on.</source>
        <translation>图表和输入框自身需要 %1：请加上 Ctrl 或 Alt，或从 F1 起选择一个键。</translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>选择%1</translation>
    </message>
    <message>
        <source>Choose a %1</source>
        <translation>选择%1</translation>
    </message>
    <message>
        <source>Choose a budget</source>
        <translation>选择预算文件</translation>
    </message>
    <message>
        <source>Choose the Python whose PyTorch is offered as a device beside the built-in trainer</source>
        <translation>选择一个 Python，其中的 PyTorch 将作为设备与内置训练器并列提供</translation>
    </message>
    <message>
        <source>Choose theme, contrast, size of the letters, language, and how numbers are written</source>
        <translation>选择主题、对比度、文字大小、语言以及数字的写法</translation>
    </message>
    <message>
        <source>Choose, name and exchange configurations, your own and examples</source>
        <translation>选择、命名和交换配置，包括自己的配置和示例</translation>
    </message>
    <message>
        <source>Clear the list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Close the tab</source>
        <translation>关闭标签页</translation>
    </message>
    <message>
        <source>Close the trace or other file that the view shows, else the tab of the document</source>
        <translation>关闭视图所显示的追踪等文件，没有时关闭文档的标签页</translation>
    </message>
    <message>
        <source>Close the window and end the engine</source>
        <translation>关闭窗口并结束引擎</translation>
    </message>
    <message>
        <source>Close without it</source>
        <translation>不保存直接关闭</translation>
    </message>
    <message>
        <source>Co&amp;mpare plans…</source>
        <translation>对比规划(&amp;M)…</translation>
    </message>
    <message>
        <source>Compar&amp;e</source>
        <translation>对比(&amp;E)</translation>
    </message>
    <message>
        <source>Compare &amp;with…</source>
        <translation>对比(&amp;W)…</translation>
    </message>
    <message>
        <source>Compare them</source>
        <translation>进行对比</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>与之对比</translation>
    </message>
    <message>
        <source>Compare with one or two plans</source>
        <translation>与一个或两个规划对比</translation>
    </message>
    <message>
        <source>Copy the &amp;answer</source>
        <translation>复制答案(&amp;A)</translation>
    </message>
    <message>
        <source>Copy the answer as &amp;JSON</source>
        <translation>将答案复制为 JSON(&amp;J)</translation>
    </message>
    <message>
        <source>Copy the newest checkpoint of the training from the host to this computer</source>
        <translation>将训练的最新检查点从主机复制到本机</translation>
    </message>
    <message>
        <source>Copy the planner's answer and every number behind it as JSON</source>
        <translation>将规划器的答案及其背后的所有数字复制为 JSON</translation>
    </message>
    <message>
        <source>Copy the planner's answer, its formula and its numbers as text</source>
        <translation>将规划器的答案、公式和数字复制为文本</translation>
    </message>
    <message>
        <source>Copy what the page of the Lab shows as text</source>
        <translation>将实验室当前页的内容复制为文本</translation>
    </message>
    <message>
        <source>De&amp;vices</source>
        <translation>设备(&amp;V)</translation>
    </message>
    <message>
        <source>Definition, formula, unit and source of every figure</source>
        <translation>每项指标的定义、公式、单位和来源</translation>
    </message>
    <message>
        <source>Device and run</source>
        <translation>设备与运行</translation>
    </message>
    <message>
        <source>E&amp;nd the comparison</source>
        <translation>结束对比(&amp;N)</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>导出(&amp;X)…</translation>
    </message>
    <message>
        <source>End the calibration; it can be begun again at any time</source>
        <translation>结束校准；以后可随时重新开始</translation>
    </message>
    <message>
        <source>End the engine process and start a new one</source>
        <translation>结束引擎进程并启动一个新的进程</translation>
    </message>
    <message>
        <source>End the run; what it measured is kept</source>
        <translation>结束运行；已测得的结果会保留</translation>
    </message>
    <message>
        <source>Engine co&amp;mmand…</source>
        <translation>引擎命令(&amp;M)…</translation>
    </message>
    <message>
        <source>Engine command</source>
        <translation>引擎命令</translation>
    </message>
    <message>
        <source>Engine ready</source>
        <translation>引擎就绪</translation>
    </message>
    <message>
        <source>Esc folds it</source>
        <translation>按 Esc 收起</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>导出%1</translation>
    </message>
    <message>
        <source>Export &amp;CSV…</source>
        <translation>导出 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>Export &amp;pictures…</source>
        <translation>导出图片(&amp;P)…</translation>
    </message>
    <message>
        <source>Export &amp;training CSV…</source>
        <translation>导出训练 CSV(&amp;T)…</translation>
    </message>
    <message>
        <source>Export a &amp;report…</source>
        <translation>导出报告(&amp;R)…</translation>
    </message>
    <message>
        <source>Export all learned &amp;weights…</source>
        <translation>导出学到的全部权重(&amp;W)…</translation>
    </message>
    <message>
        <source>Export t&amp;imeline…</source>
        <translation>导出时间线(&amp;I)…</translation>
    </message>
    <message>
        <source>Export the &amp;history…</source>
        <translation>导出历史记录(&amp;H)…</translation>
    </message>
    <message>
        <source>Export the differences</source>
        <translation>导出差异</translation>
    </message>
    <message>
        <source>Export the history</source>
        <translation>导出历史记录</translation>
    </message>
    <message>
        <source>Export the live &amp;tensor…</source>
        <translation>导出实时张量(&amp;T)…</translation>
    </message>
    <message>
        <source>Export the report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Exported to %1, entries: %2</source>
        <translation>已导出到 %1，条目数：%2</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Fetch the newest checkpoint</source>
        <translation>取回最新的检查点</translation>
    </message>
    <message>
        <source>Fetched %1</source>
        <translation>已取回 %1</translation>
    </message>
    <message>
        <source>Fields and tables need %1 themselves: choose other keys.</source>
        <translation>输入框和表格本身要用到 %1：请选择其他按键。</translation>
    </message>
    <message>
        <source>Files that can be opened (*.plumb *.json *.json.gz *.gz *.sqlite *.pickle *.pkl *.csv);;Snapshots and recorded steps (*.plumb);;Traces (*.json *.json.gz *.gz *.sqlite);;Memory snapshots (*.pickle *.pkl);;Kernels of Nsight Compute (*.csv);;Plans (*.plan.json);;All files (*)</source>
        <translation>可以打开的文件 (*.plumb *.json *.json.gz *.gz *.sqlite *.pickle *.pkl *.csv);;快照和录制的步 (*.plumb);;追踪 (*.json *.json.gz *.gz *.sqlite);;显存快照 (*.pickle *.pkl);;Nsight Compute 的内核 (*.csv);;规划 (*.plan.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Filter by action or keys</source>
        <translation>按操作或按键筛选</translation>
    </message>
    <message>
        <source>Filter the shortcuts</source>
        <translation>筛选快捷键</translation>
    </message>
    <message>
        <source>Find actions, views, settings, operations, findings, runs, files and pages of the manual by name</source>
        <translation>按名称查找操作、视图、设置、算子、发现、运行、文件和手册页面</translation>
    </message>
    <message>
        <source>Find and run any action</source>
        <translation>查找并执行任意操作</translation>
    </message>
    <message>
        <source>Find and run any action (Ctrl+K)</source>
        <translation>查找并执行任意操作（Ctrl+K）</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Fold the panel (F4; over the views also Esc or a click beside it)</source>
        <translation>收起面板（F4；面板浮在视图上方时，也可按 Esc 或单击面板之外）</translation>
    </message>
    <message>
        <source>Folder for the pictures</source>
        <translation>图片文件夹</translation>
    </message>
    <message>
        <source>Form of %1</source>
        <translation>%1的格式</translation>
    </message>
    <message>
        <source>Give the panel the settings of the run that goes on, or that was measured last</source>
        <translation>将面板设为正在进行的运行或最近一次测量的设置</translation>
    </message>
    <message>
        <source>Give the panel the settings of this preset</source>
        <translation>在面板中采用此预设的设置</translation>
    </message>
    <message>
        <source>Give the window the whole screen, or take it back</source>
        <translation>窗口占满整个屏幕，或恢复</translation>
    </message>
    <message>
        <source>Give this document a window of its own, with all that runs in it</source>
        <translation>让此文档连同其中运行的一切独占一个窗口</translation>
    </message>
    <message>
        <source>Go to the bookmark before it</source>
        <translation>转到前一个书签</translation>
    </message>
    <message>
        <source>Go to the next bookmark of the document</source>
        <translation>转到文档的下一个书签</translation>
    </message>
    <message>
        <source>Go to the search or the filter of the view that is shown, as / does in it; of a view without one, find anything</source>
        <translation>转到当前视图的搜索或筛选框（在视图中按 / 亦可）；没有时打开“查找”</translation>
    </message>
    <message>
        <source>Have the engine write the weight, gradient or activation that the Lab shows as .npy</source>
        <translation>让引擎将实验室显示的权重、梯度或激活写入 .npy</translation>
    </message>
    <message>
        <source>Have the engine write the weights of the training as .safetensors</source>
        <translation>让引擎将训练的权重写入 .safetensors</translation>
    </message>
    <message>
        <source>Histor&amp;y</source>
        <translation>历史记录(&amp;Y)</translation>
    </message>
    <message>
        <source>Histories (*.plumbhistory *.sqlite);;All files (*)</source>
        <translation>历史记录 (*.plumbhistory *.sqlite);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Histories (*.plumbhistory)</source>
        <translation>历史记录 (*.plumbhistory)</translation>
    </message>
    <message>
        <source>I&amp;mport a history…</source>
        <translation>导入历史记录(&amp;M)…</translation>
    </message>
    <message>
        <source>Import a history</source>
        <translation>导入历史记录</translation>
    </message>
    <message>
        <source>Imported from %1: %2 new, %3 known already</source>
        <translation>已从 %1 导入：新增 %2，已有 %3</translation>
    </message>
    <message>
        <source>In no file yet</source>
        <translation>尚未存入文件</translation>
    </message>
    <message>
        <source>It begins as soon as the engine is ready.</source>
        <translation>引擎就绪后立即开始。</translation>
    </message>
    <message>
        <source>Keep the current view in sight at the right, beside the others</source>
        <translation>将当前视图固定显示在其他视图的右侧</translation>
    </message>
    <message>
        <source>Keep the current view in sight below the others</source>
        <translation>将当前视图固定显示在其他视图的下方</translation>
    </message>
    <message>
        <source>Keep the view with the chosen operations in the document, under a title; where a bookmark is already, take it away</source>
        <translation>以一个标题将视图和选中的算子记在文档中；该处已有书签时将其删除</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>La&amp;yout</source>
        <translation>布局(&amp;Y)</translation>
    </message>
    <message>
        <source>Lab: &amp;expressions</source>
        <translation>实验室：表达式(&amp;E)</translation>
    </message>
    <message>
        <source>Lab: &amp;number formats</source>
        <translation>实验室：数值格式(&amp;N)</translation>
    </message>
    <message>
        <source>Lab: &amp;tensors in memory</source>
        <translation>实验室：内存中的张量(&amp;T)</translation>
    </message>
    <message>
        <source>Lab: colle&amp;ctives</source>
        <translation>实验室：集合通信(&amp;C)</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>语言(&amp;G)</translation>
    </message>
    <message>
        <source>Language of the s&amp;ystem</source>
        <translation>跟随系统语言(&amp;Y)</translation>
    </message>
    <message>
        <source>Lay snapshots or recorded steps beside what is open</source>
        <translation>将快照或录制的步与当前打开的内容并列</translation>
    </message>
    <message>
        <source>Lay the measurements of this session side by side, the earliest as the baseline</source>
        <translation>将本次会话的各次测量并列，以最早的一次为基线</translation>
    </message>
    <message>
        <source>Lay this version's prediction beside the one that was read from the file</source>
        <translation>将本版本的预测与从文件读取的预测并列</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Light or dark as the desktop is</source>
        <translation>随桌面选择浅色或深色</translation>
    </message>
    <message>
        <source>List every shortcut, and choose others</source>
        <translation>列出所有快捷键，并可更改</translation>
    </message>
    <message>
        <source>Load &amp;config.json…</source>
        <translation>加载 config.json(&amp;C)…</translation>
    </message>
    <message>
        <source>Load a model's config.json</source>
        <translation>加载模型的 config.json</translation>
    </message>
    <message>
        <source>Look at the device records; add, edit, import and export your own</source>
        <translation>查看设备记录；添加、编辑、导入和导出自定义设备</translation>
    </message>
    <message>
        <source>Look for &amp;devices again</source>
        <translation>重新查找设备(&amp;D)</translation>
    </message>
    <message>
        <source>Made again: %1</source>
        <translation>已重做：%1</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>Meas&amp;urements</source>
        <translation>测量结果(&amp;U)</translation>
    </message>
    <message>
        <source>Measure how long %1 takes for what a step does (about three minutes)</source>
        <translation>测量 %1 执行一步中各项工作所需的时间（约三分钟）</translation>
    </message>
    <message>
        <source>Measure how long this machine takes for what a step does (about three minutes)</source>
        <translation>测量本机完成一步中各项工作所需的时间（约三分钟）</translation>
    </message>
    <message>
        <source>Measure peak and bandwidth, so that times can be predicted</source>
        <translation>测量峰值和带宽，以便预测时间</translation>
    </message>
    <message>
        <source>Measured by %1.</source>
        <translation>由 %1 测得。</translation>
    </message>
    <message>
        <source>Measurement %1 of %2</source>
        <translation>第 %1 次测量，共 %2 次</translation>
    </message>
    <message>
        <source>Measures the ceilings of this machine once, in about three minutes, so that times can be predicted.</source>
        <translation>对本机的性能上限测量一次，约需三分钟，之后即可预测时间。</translation>
    </message>
    <message>
        <source>Menus (F10)</source>
        <translation>菜单（F10）</translation>
    </message>
    <message>
        <source>Mo&amp;dules</source>
        <translation>模块(&amp;D)</translation>
    </message>
    <message>
        <source>Model configurations (*.json);;All files (*)</source>
        <translation>模型配置 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Ne&amp;xt tab</source>
        <translation>下一个标签页(&amp;X)</translation>
    </message>
    <message>
        <source>New &amp;tab</source>
        <translation>新建标签页(&amp;T)</translation>
    </message>
    <message>
        <source>New &amp;window</source>
        <translation>新窗口(&amp;W)</translation>
    </message>
    <message>
        <source>New document</source>
        <translation>新文档</translation>
    </message>
    <message>
        <source>New shortcut of the chosen action</source>
        <translation>所选操作的新快捷键</translation>
    </message>
    <message>
        <source>No key was pressed.</source>
        <translation>没有按下任何键。</translation>
    </message>
    <message>
        <source>Not saved[*] – Plumbline</source>
        <translation>未保存[*] – Plumbline</translation>
    </message>
    <message>
        <source>Not there any more, and so not opened: %1</source>
        <translation>以下文件已不存在，未能打开：%1</translation>
    </message>
    <message>
        <source>Nothing answers “%1”</source>
        <translation>没有与“%1”匹配的项</translation>
    </message>
    <message>
        <source>Nothing was measured yet</source>
        <translation>尚未进行任何测量</translation>
    </message>
    <message>
        <source>O&amp;perations</source>
        <translation>算子(&amp;P)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开的文件(&amp;R)</translation>
    </message>
    <message>
        <source>Open a plan</source>
        <translation>打开规划</translation>
    </message>
    <message>
        <source>Open a snapshot that was recorded on real hardware: %1</source>
        <translation>打开一份在真实硬件上录制的快照：%1</translation>
    </message>
    <message>
        <source>Open a snapshot, a step that was recorded, or a file of another profiler</source>
        <translation>打开快照、录制的步或其他性能分析器的文件</translation>
    </message>
    <message>
        <source>Open another window, with an engine of its own</source>
        <translation>打开另一个窗口，使用独立的引擎</translation>
    </message>
    <message>
        <source>Open document</source>
        <translation>打开的文档</translation>
    </message>
    <message>
        <source>Open documents</source>
        <translation>打开的文档</translation>
    </message>
    <message>
        <source>Open files</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Open files in a new tab</source>
        <translation>在新标签页中打开文件</translation>
    </message>
    <message>
        <source>Open files in a tab beside this document</source>
        <translation>在此文档旁边的标签页中打开文件</translation>
    </message>
    <message>
        <source>Open in a new ta&amp;b…</source>
        <translation>在新标签页中打开(&amp;B)…</translation>
    </message>
    <message>
        <source>Open these documents at the next start</source>
        <translation>下次启动时打开这些文档</translation>
    </message>
    <message>
        <source>Opened from the history: %1</source>
        <translation>从历史记录打开：%1</translation>
    </message>
    <message>
        <source>Opening a file…</source>
        <translation>正在打开文件…</translation>
    </message>
    <message>
        <source>P&amp;lanner</source>
        <translation>规划器(&amp;L)</translation>
    </message>
    <message>
        <source>Pause the run, or go on with it</source>
        <translation>暂停运行，或继续运行</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Pictures of every view</source>
        <translation>所有视图的图片</translation>
    </message>
    <message>
        <source>Plan for the model of a Hugging Face config.json</source>
        <translation>按 Hugging Face 的 config.json 中的模型进行规划</translation>
    </message>
    <message>
        <source>Plan from a measured step</source>
        <translation>从实测的步开始规划</translation>
    </message>
    <message>
        <source>Plan from a step that was measured: a snapshot, or a recorded step of the model that is planned</source>
        <translation>从实测的步开始规划：快照，或所规划模型的录制步</translation>
    </message>
    <message>
        <source>Plan with everything that a plan file says</source>
        <translation>按规划文件的全部内容进行规划</translation>
    </message>
    <message>
        <source>Plans (*.plan.json);;All files (*)</source>
        <translation>规划 (*.plan.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Plumbline</source>
        <translation>Plumbline</translation>
    </message>
    <message>
        <source>Pre&amp;ferences…</source>
        <translation>首选项(&amp;F)…</translation>
    </message>
    <message>
        <source>Pre&amp;vious bookmark</source>
        <translation>上一个书签(&amp;V)</translation>
    </message>
    <message>
        <source>Pre&amp;vious tab</source>
        <translation>上一个标签页(&amp;V)</translation>
    </message>
    <message>
        <source>Predict again with &amp;this version</source>
        <translation>用本版本重新预测(&amp;T)</translation>
    </message>
    <message>
        <source>Predict for it</source>
        <translation>为其预测</translation>
    </message>
    <message>
        <source>Prese&amp;ts…</source>
        <translation>预设(&amp;T)…</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Presets…</source>
        <translation>预设…</translation>
    </message>
    <message>
        <source>Press the keys here</source>
        <translation>在此按键</translation>
    </message>
    <message>
        <source>Pro&amp;file</source>
        <translation>性能分析(&amp;F)</translation>
    </message>
    <message>
        <source>Pro&amp;ve the largest batch…</source>
        <translation>证明最大批大小(&amp;V)…</translation>
    </message>
    <message>
        <source>Profile several checkpoint policies one after another, or cancel that</source>
        <translation>依次分析多种检查点策略，或取消该过程</translation>
    </message>
    <message>
        <source>Profiled: a step takes %1.</source>
        <translation>性能分析完成：每步耗时 %1。</translation>
    </message>
    <message>
        <source>Profiled: a step takes %1. %2 findings, %3 of them serious.</source>
        <translation>性能分析完成：每步耗时 %1。有 %2 项发现，其中 %3 项严重。</translation>
    </message>
    <message>
        <source>Profiled: a step takes %1. 1 finding.</source>
        <translation>性能分析完成：每步耗时 %1。有 1 项发现。</translation>
    </message>
    <message>
        <source>Profiling</source>
        <translation>正在进行性能分析</translation>
    </message>
    <message>
        <source>Program and arguments, for example: ssh host plumbline-cli engine
Empty: the engine of this computer</source>
        <translation>程序及其参数，例如：ssh host plumbline-cli engine
留空：使用本机的引擎</translation>
    </message>
    <message>
        <source>Progress of the calibration</source>
        <translation>校准进度</translation>
    </message>
    <message>
        <source>Progress of the engine</source>
        <translation>引擎进度</translation>
    </message>
    <message>
        <source>Proving the largest batch</source>
        <translation>正在证明最大批大小</translation>
    </message>
    <message>
        <source>Put all views back among the tabs, and give panels and parts the sizes that they have at first</source>
        <translation>将所有视图放回标签页，并将面板和各部分恢复为最初的大小</translation>
    </message>
    <message>
        <source>Put the current view back among the tabs</source>
        <translation>将当前视图放回标签页</translation>
    </message>
    <message>
        <source>Put the view bac&amp;k</source>
        <translation>放回视图(&amp;K)</translation>
    </message>
    <message>
        <source>PyTorch &amp;interpreter…</source>
        <translation>PyTorch 解释器(&amp;I)…</translation>
    </message>
    <message>
        <source>PyTorch interpreter</source>
        <translation>PyTorch 解释器</translation>
    </message>
    <message>
        <source>Python with torch and plumbline (pip install ./python), on the machine of the engine
Empty: what PLUMBLINE_PYTHON says, else python3</source>
        <translation>引擎所在机器上装有 torch 和 plumbline 的 Python（pip install ./python）
留空：使用 PLUMBLINE_PYTHON，否则使用 python3</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>移除(&amp;M)</translation>
    </message>
    <message>
        <source>Read in the manual about what is pointed at or has the focus</source>
        <translation>在手册中查看指针所指或焦点所在对象的说明</translation>
    </message>
    <message>
        <source>Read the file of the document again, as it is on the disk now</source>
        <translation>按磁盘上的现状重新读取该文档的文件</translation>
    </message>
    <message>
        <source>Reading %1: %2 of %3</source>
        <translation>正在读取 %1：%2 / %3</translation>
    </message>
    <message>
        <source>Recent file</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Replace pictures</source>
        <translation>替换图片</translation>
    </message>
    <message>
        <source>Reset a&amp;ll</source>
        <translation>全部重置(&amp;L)</translation>
    </message>
    <message>
        <source>Reset the la&amp;yout</source>
        <translation>重置布局(&amp;Y)</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Restart the &amp;engine</source>
        <translation>重新启动引擎(&amp;E)</translation>
    </message>
    <message>
        <source>Restart the run with the settings of the panel</source>
        <translation>用面板的设置重新开始运行</translation>
    </message>
    <message>
        <source>Resu&amp;me</source>
        <translation>继续(&amp;M)</translation>
    </message>
    <message>
        <source>Run on another computer by ssh: add, test and choose hosts</source>
        <translation>通过 ssh 在另一台计算机上运行：添加、测试和选择主机</translation>
    </message>
    <message>
        <source>Run on it</source>
        <translation>在其上运行</translation>
    </message>
    <message>
        <source>Run the example, calibrate, learn, or open a sample</source>
        <translation>运行示例、校准、学习或打开示例文件</translation>
    </message>
    <message>
        <source>Run, Measurements shows the others; Save keeps all of them.</source>
        <translation>“运行 &gt; 测量结果”可显示其余测量；“保存”会保留全部测量。</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在运行</translation>
    </message>
    <message>
        <source>Sa&amp;mples</source>
        <translation>示例(&amp;M)</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Sample files</source>
        <translation>示例文件</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Save as a prese&amp;t…</source>
        <translation>另存为预设(&amp;T)…</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save everything that the planner's answers go by, for the command line and for others</source>
        <translation>保存规划器答案所依据的全部内容，供命令行和他人使用</translation>
    </message>
    <message>
        <source>Save p&amp;lan…</source>
        <translation>保存规划(&amp;L)…</translation>
    </message>
    <message>
        <source>Save the plan</source>
        <translation>保存规划</translation>
    </message>
    <message>
        <source>Save the snapshot</source>
        <translation>保存快照</translation>
    </message>
    <message>
        <source>Save under another name</source>
        <translation>以其他名称保存</translation>
    </message>
    <message>
        <source>Save what was predicted, measured and trained</source>
        <translation>保存预测、实测和训练的结果</translation>
    </message>
    <message>
        <source>Saved %1: %2 (%3)</source>
        <translation>已保存 %1：%2（%3）</translation>
    </message>
    <message>
        <source>Search actions, views, settings, operations, tensors, findings, runs, files and the manual</source>
        <translation>搜索操作、视图、设置、算子、张量、发现、运行、文件和手册</translation>
    </message>
    <message>
        <source>Search…  Ctrl+K</source>
        <translation>搜索…  Ctrl+K</translation>
    </message>
    <message>
        <source>See how far predictions are from what others measured and published</source>
        <translation>查看预测与他人测得并发表的结果相差多少</translation>
    </message>
    <message>
        <source>See what a training step costs before it runs, run it, and see what it really cost.</source>
        <translation>先看一个训练步的预计开销，再运行它，然后看它的实际开销。</translation>
    </message>
    <message>
        <source>See what an expression over named dimensions costs, and its gradients</source>
        <translation>查看一个带命名维度的表达式及其梯度的开销</translation>
    </message>
    <message>
        <source>See what each rank sends in every step of a collective, and what that takes</source>
        <translation>查看集合通信的每一步中各 rank 发送什么、用时多少</translation>
    </message>
    <message>
        <source>See what every number format makes of a value</source>
        <translation>查看每种数值格式如何表示一个值</translation>
    </message>
    <message>
        <source>See what slices, views and copies do to a tensor's memory</source>
        <translation>查看切片、视图和拷贝对张量内存的影响</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>将“%1”设为 %2</translation>
    </message>
    <message>
        <source>Set what is planned beside one or two plan files</source>
        <translation>将当前规划与一个或两个规划文件并列</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Short lessons that use the live program</source>
        <translation>在本程序中实际操作的简短课程</translation>
    </message>
    <message>
        <source>Short lessons that use the live program, one idea each.</source>
        <translation>在程序中边用边学的短课程，每课讲一个要点。</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Show findings</source>
        <translation>显示发现</translation>
    </message>
    <message>
        <source>Show operations</source>
        <translation>显示算子</translation>
    </message>
    <message>
        <source>Show the &amp;later measurement</source>
        <translation>显示后一次测量(&amp;L)</translation>
    </message>
    <message>
        <source>Show the ceilings</source>
        <translation>显示上限</translation>
    </message>
    <message>
        <source>Show the document before it</source>
        <translation>显示前一个文档</translation>
    </message>
    <message>
        <source>Show the earlier m&amp;easurement</source>
        <translation>显示前一次测量(&amp;E)</translation>
    </message>
    <message>
        <source>Show the next document</source>
        <translation>显示下一个文档</translation>
    </message>
    <message>
        <source>Show the panel (F4)</source>
        <translation>显示面板（F4）</translation>
    </message>
    <message>
        <source>Show the panel beside the views, or fold it to a rail</source>
        <translation>在视图旁显示面板，或将其折叠为窄条</translation>
    </message>
    <message>
        <source>Show the predic&amp;tion of the file</source>
        <translation>显示文件中的预测(&amp;T)</translation>
    </message>
    <message>
        <source>Show the view %1</source>
        <translation>显示“%1”视图</translation>
    </message>
    <message>
        <source>Show what was measured after it</source>
        <translation>显示在它之后的测量</translation>
    </message>
    <message>
        <source>Show what was measured before; nothing is lost by a new measurement</source>
        <translation>显示之前的测量；新的测量不会丢失任何内容</translation>
    </message>
    <message>
        <source>Snapshots (*.plumb)</source>
        <translation>快照 (*.plumb)</translation>
    </message>
    <message>
        <source>Snapshots and recorded steps (*.plumb);;All files (*)</source>
        <translation>快照和录制的步 (*.plumb);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Snapshots, recorded steps, traces of profilers, memory snapshots and plans.</source>
        <translation>快照、录制的步、性能分析器的追踪、显存快照和规划。</translation>
    </message>
    <message>
        <source>Steps (*.plumb);;All files (*)</source>
        <translation>步 (*.plumb);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>T&amp;imeline</source>
        <translation>时间线(&amp;I)</translation>
    </message>
    <message>
        <source>Take all steps out of the comparison</source>
        <translation>将所有步移出对比</translation>
    </message>
    <message>
        <source>Take back the last change of a setting</source>
        <translation>撤销上一次设置更改</translation>
    </message>
    <message>
        <source>Take it off the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Take the current view out of the tabs, into a window that can stand on another screen, or put it back</source>
        <translation>将当前视图移出标签页，放入可移到另一块屏幕上的独立窗口，或将其放回</translation>
    </message>
    <message>
        <source>Taken back: %1</source>
        <translation>已撤销：%1</translation>
    </message>
    <message>
        <source>The bookmark “%1” is taken away. Undo brings it back.</source>
        <translation>已删除书签“%1”。可用“撤销”恢复。</translation>
    </message>
    <message>
        <source>The calibration was stopped: what was known before stays.</source>
        <translation>校准已停止：此前的结果保持不变。</translation>
    </message>
    <message>
        <source>The connection to the engine is lost (%1). What it works on goes on there; the connection is tried again in %2.</source>
        <translation>与引擎的连接已断开（%1）。它的工作在那里继续进行；%2 后重试连接。</translation>
    </message>
    <message>
        <source>The engine is at work; the example can run after it.</source>
        <translation>引擎正在工作；完成后即可运行示例。</translation>
    </message>
    <message>
        <source>The engine saves the last state of the training; the window closes when it is done.</source>
        <translation>引擎正在保存训练的最终状态；完成后窗口将关闭。</translation>
    </message>
    <message>
        <source>The file holds a prediction by %1, which is shown as it was made. Run, Predict again with this version shows the difference.</source>
        <translation>该文件含有由 %1 作出的预测，按原样显示。“运行 &gt; 用本版本重新预测”可显示差异。</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made: choose another</source>
        <translation>无法创建文件夹 %1：请选择其他文件夹</translation>
    </message>
    <message>
        <source>The language of the desktop, where there is one of these</source>
        <translation>桌面所用的语言，前提是本程序支持它</translation>
    </message>
    <message>
        <source>The note and the bookmarks are in no file yet.</source>
        <translation>备注和书签尚未存入任何文件。</translation>
    </message>
    <message>
        <source>The operations of this bookmark are not in the step that is shown</source>
        <translation>此书签的算子不在当前显示的步中</translation>
    </message>
    <message>
        <source>The picture is in %1</source>
        <translation>图片已保存到 %1</translation>
    </message>
    <message>
        <source>The plan is saved as %1.</source>
        <translation>规划已保存为 %1。</translation>
    </message>
    <message>
        <source>The prediction in %1 (by %2) is of other operations than this version's: shown is the prediction of this version</source>
        <translation>%1 中的预测（由 %2 作出）与本版本的算子不同：当前显示本版本的预测</translation>
    </message>
    <message>
        <source>The prediction of the file and that of this version</source>
        <translation>文件中的预测与本版本的预测</translation>
    </message>
    <message>
        <source>The training %1 goes on (step %2 of %3); it would end here.</source>
        <translation>训练 %1 正在进行（第 %2 步，共 %3 步）；它将就此结束。</translation>
    </message>
    <message>
        <source>The training %1 goes on (step %2); it would end here.</source>
        <translation>训练 %1 正在进行（第 %2 步）；它将就此结束。</translation>
    </message>
    <message>
        <source>The view %1 of this bookmark is not there</source>
        <translation>此书签所在的视图“%1”当前不可用</translation>
    </message>
    <message>
        <source>The window's views in its theme; a chart alone: its context menu</source>
        <translation>窗口的各视图，采用窗口的主题；单个图表请使用其右键菜单</translation>
    </message>
    <message>
        <source>Theme of the &amp;system</source>
        <translation>跟随系统主题(&amp;S)</translation>
    </message>
    <message>
        <source>This machine is calibrated</source>
        <translation>本机已校准</translation>
    </message>
    <message>
        <source>This machine is calibrated: times are predicted from its own ceilings.</source>
        <translation>本机已校准：时间按其自身的上限预测。</translation>
    </message>
    <message>
        <source>This machine is not calibrated</source>
        <translation>本机未校准</translation>
    </message>
    <message>
        <source>This machine is not calibrated: no predicted times</source>
        <translation>本机未校准：没有预测时间</translation>
    </message>
    <message>
        <source>Timing an expression</source>
        <translation>正在测量表达式的时间</translation>
    </message>
    <message>
        <source>Title of the bookmark</source>
        <translation>书签标题</translation>
    </message>
    <message>
        <source>Tra&amp;ce</source>
        <translation>追踪(&amp;C)</translation>
    </message>
    <message>
        <source>Train with the settings of the panel</source>
        <translation>用面板的设置进行训练</translation>
    </message>
    <message>
        <source>Training checkpoints (*.safetensors)</source>
        <translation>训练检查点 (*.safetensors)</translation>
    </message>
    <message>
        <source>Trains a small model on this computer: loss, throughput and memory come in live.</source>
        <translation>在本机上训练一个小模型，实时显示损失、吞吐量和内存。</translation>
    </message>
    <message>
        <source>Try now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Type what to do, set or go to: export, batch 512, layer 3, lesson</source>
        <translation>输入要执行、设置或前往的内容：导出、batch 512、layer 3、课程</translation>
    </message>
    <message>
        <source>Use another engine, for example one on a server through ssh</source>
        <translation>使用其他引擎，例如通过 ssh 使用服务器上的引擎</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>版本和许可证</translation>
    </message>
    <message>
        <source>View &amp;below</source>
        <translation>显示在下方(&amp;B)</translation>
    </message>
    <message>
        <source>View at the &amp;right</source>
        <translation>显示在右侧(&amp;R)</translation>
    </message>
    <message>
        <source>View in a &amp;window of its own</source>
        <translation>在独立窗口中显示(&amp;W)</translation>
    </message>
    <message>
        <source>Views that have no room beside the others</source>
        <translation>放不下的其他视图</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
    <message>
        <source>Welcome to Plumbline</source>
        <translation>欢迎使用 Plumbline</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>What was changed of the note and the bookmarks is not in %1.</source>
        <translation>备注和书签的改动尚未存入 %1。</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>查找结果</translation>
    </message>
    <message>
        <source>What was measured and trained is in no file yet.</source>
        <translation>测量和训练的结果尚未保存到任何文件。</translation>
    </message>
    <message>
        <source>What was measured and trained since is not in %1.</source>
        <translation>此后测量和训练的结果不在 %1 中。</translation>
    </message>
    <message>
        <source>Working out the figures of %1…</source>
        <translation>正在计算 %1 的各项数值…</translation>
    </message>
    <message>
        <source>Write a report, tables, traces or pictures of what is shown</source>
        <translation>将所显示内容写为报告、表格、追踪或图片</translation>
    </message>
    <message>
        <source>Write all runs that were kept to one file</source>
        <translation>将保存的全部运行写入一个文件</translation>
    </message>
    <message>
        <source>Write every view as a PNG</source>
        <translation>将每个视图写为 PNG</translation>
    </message>
    <message>
        <source>Write figures, charts and operations as one HTML page</source>
        <translation>将指标、图表和算子写成一个 HTML 页面</translation>
    </message>
    <message>
        <source>Write one row per operation as CSV</source>
        <translation>写为 CSV，每个算子一行</translation>
    </message>
    <message>
        <source>Write one row per step of the newest run as CSV</source>
        <translation>写为 CSV，最新一次运行的每步一行</translation>
    </message>
    <message>
        <source>Write the timeline for Perfetto or chrome://tracing</source>
        <translation>将时间线写为 Perfetto 或 chrome://tracing 可用的格式</translation>
    </message>
    <message>
        <source>again, with this version</source>
        <translation>用本版本重新预测</translation>
    </message>
    <message>
        <source>as planned</source>
        <translation>当前规划</translation>
    </message>
    <message>
        <source>checkpoint curve</source>
        <translation>检查点曲线</translation>
    </message>
    <message>
        <source>columns %1 to %2 of %3</source>
        <translation>第 %1 至 %2 列，共 %3 列</translation>
    </message>
    <message>
        <source>full</source>
        <comment>the memory</comment>
        <translation>已满</translation>
    </message>
    <message>
        <source>measurement of %1 steps</source>
        <translation>%1 步的测量</translation>
    </message>
    <message>
        <source>new</source>
        <comment>configuration</comment>
        <translation>新建</translation>
    </message>
    <message>
        <source>of the file</source>
        <translation>来自文件</translation>
    </message>
    <message>
        <source>prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>proof of the largest batch</source>
        <translation>最大批大小的证明</translation>
    </message>
    <message>
        <source>rows %1 to %2 of %3</source>
        <translation>第 %1 至 %2 行，共 %3 行</translation>
    </message>
    <message>
        <source>the oldest %1 of the checkpoint curves</source>
        <translation>最早的 %1 条检查点曲线</translation>
    </message>
    <message>
        <source>the oldest %1 of the measurements</source>
        <translation>最早的 %1 次测量</translation>
    </message>
    <message>
        <source>the oldest %1 of the trainings</source>
        <translation>最早的 %1 次训练</translation>
    </message>
    <message>
        <source>the run's settings</source>
        <translation>运行的设置</translation>
    </message>
    <message>
        <source>the timelines of %1 older measurements</source>
        <translation>%1 次较早测量的时间线</translation>
    </message>
    <message>
        <source>“%1” is kept among the presets.</source>
        <translation>“%1”已保存到预设中。</translation>
    </message>
    <message>
        <source>• %1</source>
        <translation>• %1</translation>
    </message>
</context>
</TS>
