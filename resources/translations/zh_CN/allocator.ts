<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source> · in no known segment %1</source>
        <translation> · 不在已知段中 %1</translation>
    </message>
    <message>
        <source> · waiting for a stream %1</source>
        <translation> · 等待其他流 %1</translation>
    </message>
    <message>
        <source>%1 %2 in %3</source>
        <translation>%1 %2，共 %3 处</translation>
    </message>
    <message>
        <source>%1 allocations · %2</source>
        <translation>%1 次分配 · %2</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1 个设备</translation>
    </message>
    <message>
        <source>%1 entries · %2</source>
        <translation>%1 条记录 · %2</translation>
    </message>
    <message>
        <source>%1 of %2 levels</source>
        <translation>%2 层中的 %1 层</translation>
    </message>
    <message>
        <source>%1 says nothing of device %2, which is shown. Choose another device, or a snapshot of this one.</source>
        <translation>%1 不含当前显示的设备 %2 的信息。请选择其他设备，或该设备的快照。</translation>
    </message>
    <message>
        <source>%1 segments · reserved %2 · allocated %3 · free %4, largest %5</source>
        <translation>%1 个段 · 保留 %2 · 已分配 %3 · 空闲 %4，最大 %5</translation>
    </message>
    <message>
        <source>%1 stretches</source>
        <translation>%1 个区间</translation>
    </message>
    <message>
        <source>%1 were asked for (%2 in a block); the device had %3 free. </source>
        <translation>请求了 %1（取整后的块为 %2）；设备空闲 %3。 </translation>
    </message>
    <message>
        <source>%1 · %2 of %3</source>
        <translation>%1 · %3 中的 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2 live</source>
        <translation>%1：存活 %2</translation>
    </message>
    <message>
        <source>1 device</source>
        <translation>1 个设备</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Alive at the cursor</source>
        <translation>光标处存活</translation>
    </message>
    <message>
        <source>Allocated block</source>
        <translation>已分配的块</translation>
    </message>
    <message>
        <source>Allocated by</source>
        <translation>分配来源</translation>
    </message>
    <message>
        <source>Allocator: %1</source>
        <translation>分配器：%1</translation>
    </message>
    <message>
        <source>Annotated stretches</source>
        <translation>标注的区间</translation>
    </message>
    <message>
        <source>At the OOM</source>
        <translation>在显存不足时</translation>
    </message>
    <message>
        <source>At the cursor %1. %2</source>
        <translation>光标处：%1。%2</translation>
    </message>
    <message>
        <source>At the cursor %1. The peak is %2, at %3</source>
        <translation>光标处：%1。峰值为 %2，位于 %3</translation>
    </message>
    <message>
        <source>At the ends</source>
        <translation>在末尾</translation>
    </message>
    <message>
        <source>At the peak</source>
        <translation>在峰值处</translation>
    </message>
    <message>
        <source>At the peaks</source>
        <translation>在各自峰值处</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Compare with a snapshot</source>
        <translation>与快照对比</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>对比…</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>已对比</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在对比…</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Device %1</source>
        <translation>设备 %1</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>End the comparison</source>
        <translation>结束对比</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter of what is alive</source>
        <translation>筛选存活的分配</translation>
    </message>
    <message>
        <source>Free block</source>
        <translation>空闲块</translation>
    </message>
    <message>
        <source>Freed, in use by another stream</source>
        <translation>已释放，仍被其他流使用</translation>
    </message>
    <message>
        <source>From %1 to %2: %3 → %4, %5</source>
        <translation>从 %1 到 %2：%3 → %4，%5</translation>
    </message>
    <message>
        <source>Live memory over the trace</source>
        <translation>追踪期间的存活显存</translation>
    </message>
    <message>
        <source>Made at</source>
        <translation>创建时刻</translation>
    </message>
    <message>
        <source>Memory snapshots (*.pickle *.pkl);;All files (*)</source>
        <translation>显存快照 (*.pickle *.pkl);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Module or frame</source>
        <translation>模块或栈帧</translation>
    </message>
    <message>
        <source>No memory snapshot is open.</source>
        <translation>没有打开显存快照。</translation>
    </message>
    <message>
        <source>No request failed in this history</source>
        <translation>这段历史中没有请求失败</translation>
    </message>
    <message>
        <source>No segments are known at this moment.</source>
        <translation>此刻没有已知的段。</translation>
    </message>
    <message>
        <source>No stack was recorded for it.</source>
        <translation>没有记录它的调用栈。</translation>
    </message>
    <message>
        <source>No stack: it was made before the recording.</source>
        <translation>没有调用栈：它在录制之前创建。</translation>
    </message>
    <message>
        <source>Nothing differs: the same bytes live in both. “Everything” shows them.</source>
        <translation>没有差异：两者中存活的字节相同。“全部”可显示它们。</translation>
    </message>
    <message>
        <source>Nothing lives in either of them then.</source>
        <translation>此时两者中都没有存活的分配。</translation>
    </message>
    <message>
        <source>OOM: %1 asked for</source>
        <translation>显存不足：请求了 %1</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Rounded bytes. Before the end of the history a block has the size that it has at least, so that what is free is an upper bound.</source>
        <translation>字节数已取整。在历史结束之前，块的大小只是其下界，因此空闲量是上界。</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>段</translation>
    </message>
    <message>
        <source>Segments at the cursor</source>
        <translation>光标处的段</translation>
    </message>
    <message>
        <source>Select a row to see the stack that made it.</source>
        <translation>选择一行可查看创建它的调用栈。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Stack of the selected allocation</source>
        <translation>所选分配的调用栈</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Stretches: %1, levels: %2</source>
        <translation>%1 个区间，分 %2 层</translation>
    </message>
    <message>
        <source>Swap before and after</source>
        <translation>交换前后</translation>
    </message>
    <message>
        <source>The file says nothing of the allocator's settings</source>
        <translation>文件没有说明分配器的设置</translation>
    </message>
    <message>
        <source>The largest free block has %1, %2 too few.</source>
        <translation>最大的空闲块为 %1，差 %2。</translation>
    </message>
    <message>
        <source>The largest free block known has %1, enough: it may be of another stream or pool.</source>
        <translation>已知最大的空闲块为 %1，足够：它可能属于其他流或内存池。</translation>
    </message>
    <message>
        <source>The next request that failed</source>
        <translation>下一个失败的请求</translation>
    </message>
    <message>
        <source>This file has no history: only what lived when it was taken is known. Call torch.cuda.memory._record_memory_history() before the step.</source>
        <translation>该文件没有历史：只知道生成快照时存活的内容。请在该步之前调用 torch.cuda.memory._record_memory_history()。</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>有差异的项</translation>
    </message>
    <message>
        <source>What grew since another snapshot, and what is new</source>
        <translation>自另一份快照以来增长的和新增的分配</translation>
    </message>
    <message>
        <source>What is alive at the cursor</source>
        <translation>光标处存活的分配</translation>
    </message>
    <message>
        <source>What lives in both snapshots</source>
        <translation>两份快照中都存活的</translation>
    </message>
    <message>
        <source>What still lives at the end: what leaks grows here</source>
        <translation>末尾仍存活的分配：若有泄漏，会在此增长</translation>
    </message>
    <message>
        <source>allocated</source>
        <translation>已分配</translation>
    </message>
    <message>
        <source>annotated</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>at most in it</source>
        <translation>期间最高</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>before the first entry</source>
        <translation>在第一条记录之前</translation>
    </message>
    <message>
        <source>before the recording</source>
        <translation>在录制之前</translation>
    </message>
    <message>
        <source>block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>entries</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>entry %1</source>
        <translation>记录 %1</translation>
    </message>
    <message>
        <source>entry %1 of %2</source>
        <translation>记录 %1 / %2</translation>
    </message>
    <message>
        <source>from</source>
        <translation>从</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>消失</translation>
    </message>
    <message>
        <source>grown</source>
        <translation>增长</translation>
    </message>
    <message>
        <source>less</source>
        <translation>减少</translation>
    </message>
    <message>
        <source>live</source>
        <translation>存活</translation>
    </message>
    <message>
        <source>live after it</source>
        <translation>其后存活</translation>
    </message>
    <message>
        <source>live before it</source>
        <translation>其前存活</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>pool</source>
        <translation>内存池</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>segment</source>
        <translation>段</translation>
    </message>
    <message>
        <source>stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>the end of the trace</source>
        <translation>追踪的末尾</translation>
    </message>
    <message>
        <source>the first</source>
        <translation>最早的</translation>
    </message>
    <message>
        <source>to</source>
        <translation>至</translation>
    </message>
    <message>
        <source>when the snapshot was taken</source>
        <translation>生成快照时</translation>
    </message>
</context>
</TS>
