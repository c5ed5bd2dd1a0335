<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source> · its launch is not in the trace</source>
        <translation> · 其启动不在追踪中</translation>
    </message>
    <message>
        <source> · launched %1 before by %2</source>
        <translation> · 在 %1 之前由 %2 启动</translation>
    </message>
    <message>
        <source> · launched %1 before by %2 in %3</source>
        <translation> · 在 %1 之前由 %3 中的 %2 启动</translation>
    </message>
    <message>
        <source>%1
%2 · %3 · starts at %4 · takes %5</source>
        <translation>%1
%2 · %3 · 开始于 %4 · 用时 %5</translation>
    </message>
    <message>
        <source>%1 (median)</source>
        <translation>%1（中位数）</translation>
    </message>
    <message>
        <source>%1 calls, %2 in the op itself</source>
        <translation>%1 次调用，算子自身 %2</translation>
    </message>
    <message>
        <source>%1 has too many slices, or none.</source>
        <translation>%1 的切片过多，或没有切片。</translation>
    </message>
    <message>
        <source>%1 hits</source>
        <translation>%1 处匹配</translation>
    </message>
    <message>
        <source>%1 idle of %2</source>
        <translation>空闲 %1，共 %2</translation>
    </message>
    <message>
        <source>%1 of %2 pieces say how many.</source>
        <translation>%2 个片段中有 %1 个给出了字节数。</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>%1 streams</source>
        <translation>%1 个流</translation>
    </message>
    <message>
        <source>%1 to %2 of %3</source>
        <translation>%1 至 %2，共 %3</translation>
    </message>
    <message>
        <source>%1 trace · %2 · %3 events, %4 lost · read in %5</source>
        <translation>%1 追踪 · %2 · %3 个事件，丢失 %4 · 读取用时 %5</translation>
    </message>
    <message>
        <source>%1 · computes %2 · traffic alone %3 · idle %4</source>
        <translation>%1 · 计算 %2 · 仅通信 %3 · 空闲 %4</translation>
    </message>
    <message>
        <source>%1 · median %2</source>
        <translation>%1 · 中位数 %2</translation>
    </message>
    <message>
        <source>%1 · median step</source>
        <translation>%1 · 中位步</translation>
    </message>
    <message>
        <source>%1, peak %2</source>
        <translation>%1，峰值 %2</translation>
    </message>
    <message>
        <source>%1. The lanes show %2</source>
        <translation>%1。轨道显示 %2</translation>
    </message>
    <message>
        <source>%1: %2 in %3 pieces</source>
        <translation>%1：%2，共 %3 个片段</translation>
    </message>
    <message>
        <source>%1: at least one kernel, copy or memset of %2 runs.</source>
        <translation>%1：%2 上至少有一个内核、拷贝或 memset 在运行。</translation>
    </message>
    <message>
        <source>+%1 %2</source>
        <translation>+%1 %2</translation>
    </message>
    <message>
        <source>, annotations</source>
        <translation>，标注</translation>
    </message>
    <message>
        <source>, folded</source>
        <translation>，已折叠</translation>
    </message>
    <message>
        <source>, unfolded</source>
        <translation>，已展开</translation>
    </message>
    <message>
        <source>, waits</source>
        <translation>，等待</translation>
    </message>
    <message>
        <source>1 hit</source>
        <translation>1 处匹配</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 步</translation>
    </message>
    <message>
        <source>90 % of the ends of collectives agree with those of the other ranks within this, once its clock is joined with theirs.</source>
        <translation>与其他 rank 的时钟对齐后，90 % 的集合通信结束时刻与它们的相差不超过此值。</translation>
    </message>
    <message>
        <source>A click or the arrow keys go to a slice, and to a group, which ← → fold; Shift+drag or M sums a range; / filters. Wheel, W and S zoom; drag, A and D move; F fits; Esc gives up what is chosen, then shows all.</source>
        <translation>单击或用方向键选择切片和分组，← → 折叠或展开分组；Shift+拖动或 M 对区间求和；/ 筛选。滚轮、W、S 缩放；拖动、A、D 移动；F 适配；Esc 取消选择，再按则显示全部。</translation>
    </message>
    <message>
        <source>A kind of work of what the figures are of: all of the trace, or one step.</source>
        <translation>指标所涉范围（整个追踪或一步）中的一类任务。</translation>
    </message>
    <message>
        <source>A step as the profiler marked it; a click shows it.</source>
        <translation>性能分析器标出的一步；单击可显示。</translation>
    </message>
    <message>
        <source>Approximate: waits are inferred from the names of calls.</source>
        <translation>近似值：等待关系由调用的名称推断。</translation>
    </message>
    <message>
        <source>Behind the last work of the trace.</source>
        <translation>在追踪中最后一项任务之后。</translation>
    </message>
    <message>
        <source>Between the device's first and last work.</source>
        <translation>设备的第一项与最后一项任务之间。</translation>
    </message>
    <message>
        <source>By all ranks together.</source>
        <translation>所有 rank 合计。</translation>
    </message>
    <message>
        <source>Choose the step of median length</source>
        <translation>选择中位长度的步</translation>
    </message>
    <message>
        <source>Chooses the step of median length, which stands for all, and shows it.</source>
        <translation>选择并显示中位长度的步，它代表所有步。</translation>
    </message>
    <message>
        <source>Click one to see it.</source>
        <translation>单击其中一个即可查看。</translation>
    </message>
    <message>
        <source>Close the trace</source>
        <translation>关闭追踪</translation>
    </message>
    <message>
        <source>Collectives of greatest skew</source>
        <translation>偏斜最大的集合通信</translation>
    </message>
    <message>
        <source>Communication in which no other kernel runs.</source>
        <translation>没有其他内核运行时的通信。</translation>
    </message>
    <message>
        <source>Communication in which no other kernel runs: %1 of all communication.</source>
        <translation>没有其他内核运行时的通信：占全部通信的 %1。</translation>
    </message>
    <message>
        <source>Computes: a kernel that does not communicate runs on any device. Traffic alone: only communication, copies or memsets do. Idle: nothing does.</source>
        <translation>计算：任一设备上有非通信内核在运行。仅通信：只有通信、拷贝或 memset。空闲：什么都没有。</translation>
    </message>
    <message>
        <source>Copy the sums of the range</source>
        <translation>复制该区间的合计</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Critical path of %1</source>
        <translation>%1 的关键路径</translation>
    </message>
    <message>
        <source>Device of the figures</source>
        <translation>数字所属的设备</translation>
    </message>
    <message>
        <source>Each ends with an Optimizer.step: the trace has no ProfilerStep.</source>
        <translation>每一步以 Optimizer.step 结束：追踪中没有 ProfilerStep。</translation>
    </message>
    <message>
        <source>Figures of the trace</source>
        <translation>追踪的各项数字</translation>
    </message>
    <message>
        <source>Filter of slices</source>
        <translation>筛选切片</translation>
    </message>
    <message>
        <source>Filter: name, cat:gemm, &gt;1ms</source>
        <translation>筛选：名称，cat:gemm，&gt;1ms</translation>
    </message>
    <message>
        <source>From its beginning to its end.</source>
        <translation>从开始到结束的时间。</translation>
    </message>
    <message>
        <source>From its first slice to the end of the last one.</source>
        <translation>从其第一个切片到最后一个切片结束。</translation>
    </message>
    <message>
        <source>From the first rank's beginning to the last one's, on the common clock.</source>
        <translation>按公共时钟，从第一个 rank 开始到最后一个 rank 开始。</translation>
    </message>
    <message>
        <source>GPU %1 · %2</source>
        <translation>GPU %1 · %2</translation>
    </message>
    <message>
        <source>GPU busy</source>
        <translation>GPU 忙</translation>
    </message>
    <message>
        <source>GPU idle</source>
        <translation>GPU 空闲</translation>
    </message>
    <message>
        <source>GPU idle by cause</source>
        <translation>GPU 空闲，按原因</translation>
    </message>
    <message>
        <source>GPU work by category</source>
        <translation>GPU 任务，按类别</translation>
    </message>
    <message>
        <source>GPU work in the range</source>
        <translation>区间内的 GPU 任务</translation>
    </message>
    <message>
        <source>Give up the range</source>
        <translation>放弃该区间</translation>
    </message>
    <message>
        <source>How long it takes in all; counts stand here too.</source>
        <translation>总耗时；计数也列在此处。</translation>
    </message>
    <message>
        <source>How often it came last at a collective, by more than the clocks' uncertainty.</source>
        <translation>它在集合通信中最后到达的次数，只计超出时钟不确定度的。</translation>
    </message>
    <message>
        <source>Its number in the job.</source>
        <translation>它在作业中的编号。</translation>
    </message>
    <message>
        <source>Its time beside that of the step of median length; marked from 10 % longer on.</source>
        <translation>它的时间与中位长度的步并列；长出 10 % 及以上的会标出。</translation>
    </message>
    <message>
        <source>Kernel categories</source>
        <translation>内核类别</translation>
    </message>
    <message>
        <source>Kernels, copies and memsets of one name, of all devices; each piece is cut to the range.</source>
        <translation>所有设备上同名的内核、拷贝和 memset；每个片段都截取到区间内。</translation>
    </message>
    <message>
        <source>Lanes of the trace</source>
        <translation>追踪的各轨道</translation>
    </message>
    <message>
        <source>Launched in time and waited longer:
for another stream, say.</source>
        <translation>启动及时，但等待更久：
例如等待另一个流。</translation>
    </message>
    <message>
        <source>Launched in time, and the gap is below 5 µs:
what the device needs between two kernels.</source>
        <translation>启动及时，且间隙小于 5 µs：
设备在两个内核之间所需的时间。</translation>
    </message>
    <message>
        <source>Launches of device %1</source>
        <translation>设备 %1 的启动</translation>
    </message>
    <message>
        <source>Length of the queue from the first to the last work; of the stream whose queue is the longest then.</source>
        <translation>从第一项到最后一项任务的队列长度；取此刻队列最长的流。</translation>
    </message>
    <message>
        <source>Makes pale what is not on the critical path of the chosen step; of the whole trace, of the step of median length.</source>
        <translation>淡化所选步关键路径之外的内容；对整个追踪则取中位长度的步。</translation>
    </message>
    <message>
        <source>Median of the steps that all ranks have.</source>
        <translation>所有 rank 共有的步的中位数。</translation>
    </message>
    <message>
        <source>Memory of PyTorch's allocator</source>
        <translation>PyTorch 分配器的显存</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一处匹配</translation>
    </message>
    <message>
        <source>No GPU work runs then.</source>
        <translation>此时没有 GPU 任务在运行。</translation>
    </message>
    <message>
        <source>No GPU work: record with ProfilerActivity.CUDA where there is a GPU.</source>
        <translation>没有 GPU 任务：请在有 GPU 的机器上用 ProfilerActivity.CUDA 录制。</translation>
    </message>
    <message>
        <source>No kernel communicates.</source>
        <translation>没有通信内核。</translation>
    </message>
    <message>
        <source>No launch is in the trace.</source>
        <translation>追踪中没有启动记录。</translation>
    </message>
    <message>
        <source>No modules: record with with_stack=True.</source>
        <translation>没有模块：请用 with_stack=True 录制。</translation>
    </message>
    <message>
        <source>No ops of PyTorch: record with ProfilerActivity.CPU.</source>
        <translation>没有 PyTorch 算子：请用 ProfilerActivity.CPU 录制。</translation>
    </message>
    <message>
        <source>No steps, so that none has a critical path.</source>
        <translation>没有步，因此没有关键路径。</translation>
    </message>
    <message>
        <source>No steps, so that none has a critical path: call the profiler's step() after each.</source>
        <translation>没有步，因此没有关键路径：请在每步之后调用 profiler 的 step()。</translation>
    </message>
    <message>
        <source>Not worked out over ranks: open the trace of one by itself.</source>
        <translation>不跨 rank 计算：请单独打开某个 rank 的追踪。</translation>
    </message>
    <message>
        <source>Not worked out over ranks: open the trace of one.</source>
        <translation>不跨 rank 计算：请打开某个 rank 的追踪。</translation>
    </message>
    <message>
        <source>Of all of the trace from its first to its last work, of a step its window. Busy is the time in which at least one kernel, copy or memset runs. Idle time counts by the work that ends it: launched late by the host; a gap below 5 µs between kernels; launched in time and waited longer; its launch not in the trace. Exposed traffic is communication in which no other kernel runs.</source>
        <translation>对整个追踪，取第一项到最后一项任务；对某一步，取其窗口。忙是至少有一个内核、拷贝或 memset 在运行的时间。空闲时间按结束它的任务归类：主机启动过晚；内核之间小于 5 µs 的间隙；启动及时但等待更久；其启动不在追踪中。未被掩盖的通信是没有其他内核运行时的通信。</translation>
    </message>
    <message>
        <source>Of copies and memsets what the trace says; of a collective the larger of what the rank gives and gets. Of a piece that the range cuts the share of its time. –: the trace does not say.</source>
        <translation>拷贝和 memset 取追踪所给的值；集合通信取该 rank 发送和接收中较大者。被区间截断的片段按时间比例计。–：追踪没有给出。</translation>
    </message>
    <message>
        <source>Of its annotation; the shares are of its window, up to the next step.</source>
        <translation>取自其标注；占比相对于其窗口，直到下一步。</translation>
    </message>
    <message>
        <source>Of kernels that communicate and of copies: the part in which a kernel that computes runs on the same device.</source>
        <translation>通信内核和拷贝：同一设备上同时有计算内核运行的部分。</translation>
    </message>
    <message>
        <source>Of kernels that communicate and of copies: the part in which none computes.</source>
        <translation>通信内核和拷贝：没有计算内核运行的部分。</translation>
    </message>
    <message>
        <source>Of the rank that came last.</source>
        <translation>最后到达的 rank 的值。</translation>
    </message>
    <message>
        <source>Of the time of what the figures are of, or of the section that it stands in.</source>
        <translation>占指标所涉范围的时间，或占所在部分的时间的比例。</translation>
    </message>
    <message>
        <source>Of the whole trace. From the end of a launch to the beginning of its work, at least 0. The queue of a stream is what was launched less what has ended; short kernels take less time than their launch.</source>
        <translation>整个追踪。从启动结束到其任务开始，至少为 0。流的队列是已启动减去已结束的数量；短内核的用时少于启动它的时间。</translation>
    </message>
    <message>
        <source>Of the whole trace: time of a module's calls on the host, and GPU time of forward and backward, that of modules within it included.</source>
        <translation>整个追踪：模块的调用在主机上的时间，以及前向和反向的 GPU 时间，含其内部的模块。</translation>
    </message>
    <message>
        <source>Of the whole trace: time of all calls of one name on the host, with the ops within it, and the GPU time of the work that it launched itself; the %1 longest.</source>
        <translation>整个追踪：同名的全部调用在主机上的时间（含其内部的算子），以及其自身所启动任务的 GPU 时间；列出最长的 %1 个。</translation>
    </message>
    <message>
        <source>Of their durations.</source>
        <translation>占它们的时长。</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一处匹配</translation>
    </message>
    <message>
        <source>Queue of launches over time, at most %1</source>
        <translation>启动队列随时间的变化，最多 %1</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Range %1 to %2</source>
        <translation>区间 %1 至 %2</translation>
    </message>
    <message>
        <source>Rank %1 · </source>
        <translation>rank %1 · </translation>
    </message>
    <message>
        <source>Rank %1, GPU %2</source>
        <translation>rank %1，GPU %2</translation>
    </message>
    <message>
        <source>Rank %1, device %2</source>
        <translation>rank %1，设备 %2</translation>
    </message>
    <message>
        <source>Share of its window, up to the next step, in which the first device works.</source>
        <translation>第一个设备在其窗口（直到下一步）中工作的比例。</translation>
    </message>
    <message>
        <source>Steps</source>
        <comment>of a trace</comment>
        <translation>各步</translation>
    </message>
    <message>
        <source>Sum of how much later than the second last it came then.</source>
        <translation>此时它比倒数第二个晚到的时间之和。</translation>
    </message>
    <message>
        <source>Sum of the durations of all work of one name, and its share of all GPU work; the %1 longest.</source>
        <translation>同名的全部任务的时长之和，以及占全部 GPU 任务的比例；列出最长的 %1 个。</translation>
    </message>
    <message>
        <source>Sum of the durations of kernels, copies and memsets of all devices, cut to the step; the category is that of the op where it tells, else of the name.</source>
        <translation>所有设备的内核、拷贝和 memset 的时长之和，截取到该步；类别取自所属算子，无从得知时取自名称。</translation>
    </message>
    <message>
        <source>Sums of the durations of kernels, copies and memsets; the category is that of the op where it tells, else of the name.</source>
        <translation>内核、拷贝和 memset 的时长之和；类别取自所属算子，无从得知时取自名称。</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Tables of the trace</source>
        <translation>追踪的各表格</translation>
    </message>
    <message>
        <source>That run in the range, wholly or in part.</source>
        <translation>全部或部分在该区间内运行的。</translation>
    </message>
    <message>
        <source>That run on %1 then, wholly or in part.</source>
        <translation>此时在 %1 上全部或部分运行的。</translation>
    </message>
    <message>
        <source>The device that these figures and the causes of idleness are of</source>
        <translation>这些指标和空闲原因所属的设备</translation>
    </message>
    <message>
        <source>The device was never idle.</source>
        <translation>设备从未空闲。</translation>
    </message>
    <message>
        <source>The file was whole.</source>
        <translation>文件完整。</translation>
    </message>
    <message>
        <source>The host is too slow: idle time waits for launches.</source>
        <translation>主机过慢：空闲时间在等待启动。</translation>
    </message>
    <message>
        <source>The launch is not in the trace.</source>
        <translation>启动不在追踪中。</translation>
    </message>
    <message>
        <source>The launch of what ends the gap began only after the work before had ended:
the host is too slow.</source>
        <translation>结束该间隙的任务在前一项任务结束之后才启动：
主机过慢。</translation>
    </message>
    <message>
        <source>The longest chain of what waits for each other in the step. Waits are inferred from the names of calls, so that it is approximate. Below each class is what it is spent on; a click shows the longest piece.</source>
        <translation>该步中相互等待形成的最长链。等待关系由调用的名称推断，因此是近似的。每一类下方列出其构成；单击可显示最长的片段。</translation>
    </message>
    <message>
        <source>The profiler itself</source>
        <translation>性能分析器自身</translation>
    </message>
    <message>
        <source>The rank that came last; none where that is within what clocks tell, or where a rank is missing.</source>
        <translation>最后到达的 rank；若差距在时钟可分辨的范围之内，或缺少某个 rank，则为空。</translation>
    </message>
    <message>
        <source>The rest of the step's window.</source>
        <translation>该步窗口的其余部分。</translation>
    </message>
    <message>
        <source>The step has too many slices for it, or none.</source>
        <translation>该步的切片过多，无法计算，或没有切片。</translation>
    </message>
    <message>
        <source>The stream that they run on.</source>
        <translation>它们所在的流。</translation>
    </message>
    <message>
        <source>The sum may exceed the range: streams run beside each other.</source>
        <translation>合计可能超过区间：各流并行运行。</translation>
    </message>
    <message>
        <source>The whole trace</source>
        <translation>整个追踪</translation>
    </message>
    <message>
        <source>Threads of process %1</source>
        <translation>进程 %1 的线程</translation>
    </message>
    <message>
        <source>Time in which any work runs, over those steps.</source>
        <translation>这些步中有任何任务运行的时间。</translation>
    </message>
    <message>
        <source>Time of kernels whose name says that they use tensor cores, of the time of all kernels. Proof needs a hardware counter.</source>
        <translation>名称表明使用张量核心的内核时间占全部内核时间的比例。确证需要硬件计数器。</translation>
    </message>
    <message>
        <source>Time within collectives before the last rank had come.</source>
        <translation>在最后一个 rank 到达之前，处于集合通信中的时间。</translation>
    </message>
    <message>
        <source>To median</source>
        <translation>与中位数之比</translation>
    </message>
    <message>
        <source>Top kernels and copies</source>
        <translation>用时最多的内核和拷贝</translation>
    </message>
    <message>
        <source>Top ops</source>
        <translation>用时最多的算子</translation>
    </message>
    <message>
        <source>What the figures are of</source>
        <translation>数字的范围</translation>
    </message>
    <message>
        <source>What the figures are of: all of the trace, or one step.</source>
        <translation>数字的范围：整个追踪，或某一步。</translation>
    </message>
    <message>
        <source>Whole trace</source>
        <translation>整个追踪</translation>
    </message>
    <message>
        <source>Words of the name, cat: and a category, &gt;1ms and &lt;50us. Enter selects the next hit, Shift+Enter the one before it, Esc gives up.</source>
        <translation>名称中的词，cat: 加类别，&gt;1ms 和 &lt;50us。Enter 选择下一处匹配，Shift+Enter 选择上一处，Esc 放弃。</translation>
    </message>
    <message>
        <source>adding up…</source>
        <translation>正在求和…</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>及另外 %1 个</translation>
    </message>
    <message>
        <source>annotations, Python</source>
        <translation>标注、Python</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>忙</translation>
    </message>
    <message>
        <source>calls of the driver</source>
        <translation>驱动程序调用</translation>
    </message>
    <message>
        <source>clock ±</source>
        <translation>时钟 ±</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>data loading</source>
        <translation>数据加载</translation>
    </message>
    <message>
        <source>delay, 90 %</source>
        <translation>延迟，90 % 分位</translation>
    </message>
    <message>
        <source>delay, longest</source>
        <translation>延迟，最长</translation>
    </message>
    <message>
        <source>delay, median</source>
        <translation>延迟，中位数</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>设备 %1</translation>
    </message>
    <message>
        <source>device %1, stream %2</source>
        <translation>设备 %1，流 %2</translation>
    </message>
    <message>
        <source>elementwise</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>everything on the GPU</source>
        <translation>GPU 上的全部</translation>
    </message>
    <message>
        <source>exposed traffic</source>
        <translation>未被掩盖的通信</translation>
    </message>
    <message>
        <source>forward %1, backward %2</source>
        <translation>前向 %1，反向 %2</translation>
    </message>
    <message>
        <source>gap between kernels</source>
        <translation>内核之间的间隙</translation>
    </message>
    <message>
        <source>group %1</source>
        <translation>组 %1</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>被掩盖</translation>
    </message>
    <message>
        <source>host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>idle: %1</source>
        <translation>空闲：%1</translation>
    </message>
    <message>
        <source>idle: nothing followed</source>
        <translation>空闲：其后没有任务</translation>
    </message>
    <message>
        <source>in sum</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>index, reduce, sort</source>
        <translation>索引、归约、排序</translation>
    </message>
    <message>
        <source>kernel gaps</source>
        <translation>内核间隙</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>last</source>
        <translation>最后</translation>
    </message>
    <message>
        <source>last %1 times, %2 of them by a late launch</source>
        <translation>%1 次最后到达，其中 %2 次因启动过晚</translation>
    </message>
    <message>
        <source>late launches</source>
        <translation>启动过晚</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>launch unknown</source>
        <translation>启动未知</translation>
    </message>
    <message>
        <source>longest queue</source>
        <translation>最长队列</translation>
    </message>
    <message>
        <source>looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>no group is said</source>
        <translation>没有给出组</translation>
    </message>
    <message>
        <source>normalization</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>not joined</source>
        <translation>未对齐</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>无法识别</translation>
    </message>
    <message>
        <source>nothing followed</source>
        <translation>其后没有任务</translation>
    </message>
    <message>
        <source>of all devices</source>
        <translation>占所有设备</translation>
    </message>
    <message>
        <source>ops</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>other</source>
        <comment>work of the host</comment>
        <translation>其他</translation>
    </message>
    <message>
        <source>other waits</source>
        <translation>其他等待</translation>
    </message>
    <message>
        <source>other work</source>
        <translation>其他任务</translation>
    </message>
    <message>
        <source>others lost</source>
        <translation>令其他 rank 等待</translation>
    </message>
    <message>
        <source>pieces</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>进程 %1</translation>
    </message>
    <message>
        <source>processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>products</source>
        <translation>矩阵乘法</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>rank %1 waited %2</source>
        <translation>rank %1 等待了 %2</translation>
    </message>
    <message>
        <source>rank %1, </source>
        <translation>rank %1 · </translation>
    </message>
    <message>
        <source>reserved %1</source>
        <translation>保留 %1</translation>
    </message>
    <message>
        <source>short kernels</source>
        <translation>短内核</translation>
    </message>
    <message>
        <source>skew</source>
        <translation>偏斜</translation>
    </message>
    <message>
        <source>softmax, loss</source>
        <translation>softmax、损失</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>流 %1</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>tensor cores, by name</source>
        <translation>张量核心，按名称</translation>
    </message>
    <message>
        <source>thread %1</source>
        <translation>线程 %1</translation>
    </message>
    <message>
        <source>to median</source>
        <translation>与中位数之比</translation>
    </message>
    <message>
        <source>trace</source>
        <translation>追踪</translation>
    </message>
    <message>
        <source>traffic behind kernels</source>
        <translation>内核之后的通信</translation>
    </message>
    <message>
        <source>waited</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>what</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>working it out…</source>
        <translation>正在计算…</translation>
    </message>
</context>
</TS>
