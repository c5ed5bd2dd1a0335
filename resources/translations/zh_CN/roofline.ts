<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 by the bytes at %2</source>
        <translation>%1，按 %2 的字节数</translation>
    </message>
    <message>
        <source>%1 calibrated</source>
        <translation>%1 已校准</translation>
    </message>
    <message>
        <source>%1 ×%2</source>
        <translation>%1 ×%2</translation>
    </message>
    <message>
        <source>%1; %2 kernels of %3</source>
        <translation>%1；%3 的 %2 个内核</translation>
    </message>
    <message numerus="yes">
        <source>%n points here, the longest first</source>
        <translation>
            <numerusform>此处有 %n 个点，用时最长的在先</numerusform>
        </translation>
    </message>
    <message>
        <source>Arrow keys select an operation. W and S zoom, A and D move, 0 shows all. M makes the selected operation the range, Shift with an arrow takes the next one into it, Esc lets go.</source>
        <translation>方向键选择算子。W、S 缩放，A、D 移动，0 显示全部。M 将选中的算子设为区间，Shift 加方向键将下一个算子纳入区间，Esc 取消。</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>关闭 %1</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>Level of memory</source>
        <translation>存储层级</translation>
    </message>
    <message>
        <source>Measured points by the bytes asked of the L2 cache</source>
        <translation>实测点，按向 L2 缓存请求的字节数</translation>
    </message>
    <message>
        <source>Measured points by the bytes of the L1 cache and shared memory</source>
        <translation>实测点，按 L1 缓存和共享内存的字节数</translation>
    </message>
    <message>
        <source>Measured points by the bytes of the device's memory</source>
        <translation>实测点，按设备显存的字节数</translation>
    </message>
    <message>
        <source>No ceilings for this machine yet. Calibrate (takes about three minutes)</source>
        <translation>本机还没有性能上限。请校准（约需三分钟）</translation>
    </message>
    <message>
        <source>Nothing is measured yet: only counters tell the bytes of each level of memory apart</source>
        <translation>尚无实测：只有计数器才能区分各存储层级的字节数</translation>
    </message>
    <message>
        <source>Nsight Compute, %1</source>
        <translation>Nsight Compute，%1</translation>
    </message>
    <message>
        <source>Only hardware counters tell the bytes of each level of memory apart: this reading has none</source>
        <translation>只有硬件计数器才能区分各存储层级的字节数：本次读数没有计数</translation>
    </message>
    <message>
        <source>Roofline with %1 points: %2</source>
        <translation>屋顶线，%1 个点：%2</translation>
    </message>
    <message>
        <source>Shows the whole chart again (0, or a double click in it)</source>
        <translation>重新显示整个图表（0，或在其中双击）</translation>
    </message>
    <message>
        <source>Size by time</source>
        <translation>大小按时间</translation>
    </message>
    <message>
        <source>The area of a dot is the time of its operations</source>
        <translation>圆点的面积为其算子的时间</translation>
    </message>
    <message>
        <source>The file has no ceilings. Choose the device again, or calibrate (takes about three minutes)</source>
        <translation>文件中没有性能上限。请重新选择设备，或进行校准（约需三分钟）</translation>
    </message>
    <message>
        <source>The step of the sliders has no such operation: a click chooses none</source>
        <translation>滑块所设的步没有该算子：单击不会选中任何算子</translation>
    </message>
    <message>
        <source>Trail</source>
        <translation>轨迹</translation>
    </message>
    <message>
        <source>What the dots show</source>
        <translation>圆点显示的内容</translation>
    </message>
    <message>
        <source>Where the predicted dots stood before a slider moved, for a while</source>
        <translation>滑块移动之前预测圆点的位置，显示片刻</translation>
    </message>
    <message numerus="yes">
        <source>and %n more; zoom in to tell them apart</source>
        <translation>
            <numerusform>及另外 %n 个；放大可将其区分</numerusform>
        </translation>
    </message>
    <message>
        <source>at least </source>
        <translation>至少 </translation>
    </message>
    <message>
        <source>between</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>bytes at %1</source>
        <translation>%1 的字节数</translation>
    </message>
    <message>
        <source>bytes, %1</source>
        <translation>字节，%1</translation>
    </message>
    <message>
        <source>cache, up to %1</source>
        <translation>缓存，最大 %1</translation>
    </message>
    <message>
        <source>counted on a GPU that it does not name, ceilings of %1</source>
        <translation>在文件未写明的 GPU 上计数，采用 %1 的上限</translation>
    </message>
    <message>
        <source>filled: %1</source>
        <translation>实心：%1</translation>
    </message>
    <message>
        <source>filled: measured, by the bytes at %1</source>
        <translation>实心：实测，按 %1 的字节数</translation>
    </message>
    <message>
        <source>hollow: predicted; nothing measured yet</source>
        <translation>空心：预测；尚无实测</translation>
    </message>
    <message>
        <source>hollow: what-if</source>
        <translation>空心：假设</translation>
    </message>
    <message>
        <source>kernels of %1</source>
        <translation>%1 的内核</translation>
    </message>
    <message>
        <source>limited by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>memory</source>
        <comment>a level, with its bandwidth</comment>
        <translation>内存</translation>
    </message>
    <message>
        <source>memory bandwidth</source>
        <translation>内存带宽</translation>
    </message>
    <message>
        <source>no ceilings for this machine yet</source>
        <translation>本机还没有性能上限</translation>
    </message>
    <message>
        <source>no kernel of %1 has time, FLOPs and bytes at %2</source>
        <translation>%1 中没有同时具有时间、FLOP 和 %2 字节数的内核</translation>
    </message>
    <message>
        <source>not counted: %1</source>
        <translation>未计数：%1</translation>
    </message>
    <message>
        <source>not shown: %1 launches without time, FLOPs or bytes</source>
        <translation>未显示：%1 次没有时间、FLOP 或字节数的启动</translation>
    </message>
    <message>
        <source>not shown: %1 ops without FLOPs</source>
        <translation>未显示：%1 个无 FLOP 的算子</translation>
    </message>
    <message>
        <source>not shown: 1 op without FLOPs</source>
        <translation>未显示：1 个无 FLOP 的算子</translation>
    </message>
    <message>
        <source>of the run %1</source>
        <translation>属于运行 %1</translation>
    </message>
    <message>
        <source>overhead per op</source>
        <translation>每个算子的开销</translation>
    </message>
    <message>
        <source>roof here</source>
        <translation>此处的屋顶</translation>
    </message>
    <message>
        <source>roofs, data sheet</source>
        <translation>屋顶，规格表</translation>
    </message>
    <message>
        <source>roofs, measured</source>
        <translation>屋顶，实测</translation>
    </message>
    <message>
        <source>share of %1</source>
        <translation>占 %1 的比例</translation>
    </message>
    <message>
        <source>share of roof</source>
        <translation>占屋顶线的比例</translation>
    </message>
    <message>
        <source>source of the time</source>
        <translation>时间来源</translation>
    </message>
    <message>
        <source>the file has no ceilings</source>
        <translation>文件中没有性能上限</translation>
    </message>
    <message>
        <source>time of %1 launches</source>
        <translation>%1 次启动的时间</translation>
    </message>
</context>
</TS>
