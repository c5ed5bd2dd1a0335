<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 % waits</source>
        <translation>等待 %1 %</translation>
    </message>
    <message>
        <source>%1 is chosen: %2</source>
        <translation>已选择 %1：%2</translation>
    </message>
    <message>
        <source>%1 predicted</source>
        <translation>预测 %1</translation>
    </message>
    <message>
        <source>%1 ranks that divide each matrix</source>
        <translation>%1 个 rank，切分每个矩阵</translation>
    </message>
    <message>
        <source>%1 ranks that share the samples of a batch</source>
        <translation>%1 个 rank，分担一个批的样本</translation>
    </message>
    <message>
        <source>%1 ranks, %2</source>
        <translation>%1 个 rank，%2</translation>
    </message>
    <message>
        <source>%1 ranks, %2. %3</source>
        <translation>%1 个 rank，%2。%3</translation>
    </message>
    <message>
        <source>%1 sent</source>
        <translation>发送 %1</translation>
    </message>
    <message>
        <source>%1, by the plan of the first rank</source>
        <translation>%1，按首个 rank 的计划</translation>
    </message>
    <message>
        <source>%1, counted where the first rank posted them</source>
        <translation>%1，在首个 rank 发出处计数</translation>
    </message>
    <message>
        <source>%1, measured</source>
        <translation>%1，实测</translation>
    </message>
    <message>
        <source>%1, predicted</source>
        <translation>%1，预测</translation>
    </message>
    <message>
        <source>%1: %2 in one step</source>
        <translation>%1：每步 %2</translation>
    </message>
    <message>
        <source>= %1 ranks</source>
        <translation>= %1 个 rank</translation>
    </message>
    <message>
        <source>= 1 rank</source>
        <translation>= 1 个 rank</translation>
    </message>
    <message>
        <source>A rank has %1 of the memory</source>
        <translation>一个 rank 可用 %1 显存</translation>
    </message>
    <message>
        <source>A training measures its first rank alone; a profile measures every rank</source>
        <translation>训练只测量首个 rank；性能分析测量每个 rank</translation>
    </message>
    <message>
        <source>All categories at the peak</source>
        <translation>峰值处的全部类别</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>At the operation at which the rank has most</source>
        <translation>在该 rank 显存最多的算子处</translation>
    </message>
    <message>
        <source>Back to the number of ranks of the step</source>
        <translation>恢复为该步的 rank 数</translation>
    </message>
    <message>
        <source>Bytes at the operation at which the plan of the rank has most memory</source>
        <translation>该 rank 的计划中显存最多的算子处的字节数</translation>
    </message>
    <message>
        <source>Bytes per second that each link carries, whatever the number of ranks; the bar is a share of the highest here</source>
        <translation>每条链路每秒传输的字节数，与 rank 数无关；横条是占此处最高值的比例</translation>
    </message>
    <message>
        <source>Bytes that a rank sends to others for it in one step</source>
        <translation>每个 rank 在一步中为它向其他 rank 发送的字节数</translation>
    </message>
    <message>
        <source>Bytes that the allocator of the rank counted when it had most; coloured where that is not what was predicted</source>
        <translation>该 rank 的分配器在显存最多时计得的字节数；与预测不同时着色</translation>
    </message>
    <message>
        <source>Bytes that the first rank sends to others in a step</source>
        <translation>首个 rank 在一步中向其他 rank 发送的字节数</translation>
    </message>
    <message>
        <source>Collectives of a step</source>
        <translation>一步中的集合通信</translation>
    </message>
    <message>
        <source>Copies the command that measures as many ranks; the window follows it when it is done</source>
        <translation>复制测量同样数目 rank 的命令；完成后窗口会自动采用结果</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Data-parallel ranks to ask about</source>
        <translation>要了解的数据并行 rank 数</translation>
    </message>
    <message>
        <source>Does not fit into the %1 that a rank would have</source>
        <translation>放不进每个 rank 将有的 %1</translation>
    </message>
    <message>
        <source>Fewer ranks</source>
        <translation>减少 rank</translation>
    </message>
    <message>
        <source>Fits into the %1 that a rank would have</source>
        <translation>放得进每个 rank 将有的 %1</translation>
    </message>
    <message>
        <source>From when it is its turn until its last byte is there, beside other operations too; measured where it ran, else predicted</source>
        <translation>从轮到它开始到最后一个字节到达为止，期间也与其他算子并行；运行过则为实测，否则为预测</translation>
    </message>
    <message>
        <source>Has two ranks on this processor take the step together; can be undone</source>
        <translation>让本机处理器上的两个 rank 共同执行这一步；可以撤销</translation>
    </message>
    <message>
        <source>Lanes of the first rank</source>
        <translation>首个 rank 的轨道</translation>
    </message>
    <message>
        <source>Memory of %1</source>
        <translation>%1 的显存</translation>
    </message>
    <message>
        <source>Memory per rank</source>
        <translation>每个 rank 的显存</translation>
    </message>
    <message>
        <source>More ranks</source>
        <translation>增加 rank</translation>
    </message>
    <message>
        <source>More than %1 ranks are not told one by one. The row above has the first of them.</source>
        <translation>超过 %1 个 rank 时不再逐个列出，首个 rank 见上方一行。</translation>
    </message>
    <message>
        <source>Most memory at one operation</source>
        <translation>单个算子处的最大显存</translation>
    </message>
    <message>
        <source>Most memory of the first rank, which has as much as any</source>
        <translation>首个 rank 的峰值显存，其他 rank 都不超过它</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Not known: there is no time</source>
        <translation>未知：没有耗时</translation>
    </message>
    <message>
        <source>Nothing was counted yet: run or profile the step</source>
        <translation>尚未计数：请运行这一步或进行性能分析</translation>
    </message>
    <message>
        <source>One rank takes the step</source>
        <translation>当前由一个 rank 执行这一步</translation>
    </message>
    <message>
        <source>Part of the time that the step waited for it: nothing hid it</source>
        <translation>耗时中该步为它等待的部分：未被掩盖</translation>
    </message>
    <message>
        <source>Predicted time of a step; known for numbers of ranks that were calibrated</source>
        <translation>步的预测耗时；只有校准过的 rank 数才有</translation>
    </message>
    <message>
        <source>Profile the step to see when it did what: a training measures medians only.</source>
        <translation>请进行性能分析以查看何时做了什么：训练只测中位数。</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>各 rank</translation>
    </message>
    <message>
        <source>Ranks are those that take a step together: each has a part of the samples, and the gradients that they find are added up between them. Here they are threads that share this processor.</source>
        <translation>rank 是共同执行一步的各方：每个 rank 分得一部分样本，各自算出的梯度在它们之间累加。此处的 rank 是共享本机处理器的线程。</translation>
    </message>
    <message>
        <source>Ranks that share the samples of a batch; the buttons go on to the next number that divides it. Enter asks for a number, Enter once more takes it</source>
        <translation>分担一批样本的 rank 数；按钮跳到下一个能整除它的数。按 Enter 查看，再按一次 Enter 应用</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Takes this number of ranks for the step; can be undone</source>
        <translation>对这一步采用此 rank 数；可以撤销</translation>
    </message>
    <message>
        <source>The calibration of as many ranks lacks one of the operations of this step.</source>
        <translation>同样数目 rank 的校准中缺少这一步的某个算子。</translation>
    </message>
    <message>
        <source>The lanes follow from a calibration with as many ranks, which is not here.</source>
        <translation>轨道要由同样数目 rank 的校准得出，而此处没有该校准。</translation>
    </message>
    <message>
        <source>The same, counted where they were posted; coloured where that is not what was predicted</source>
        <translation>同上，在发出处计数；与预测不同时着色</translation>
    </message>
    <message>
        <source>Time of a step</source>
        <translation>步耗时</translation>
    </message>
    <message>
        <source>Time of a step in which the rank waits for traffic</source>
        <translation>一步中该 rank 等待通信的时间</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>What if there were another number of ranks</source>
        <translation>假设换一个 rank 数</translation>
    </message>
    <message>
        <source>What ranks do together, in the order of the step</source>
        <translation>各 rank 共同完成的通信，按步中的顺序</translation>
    </message>
    <message>
        <source>What the first rank sends to others in a step</source>
        <translation>首个 rank 在一步中向其他 rank 发送的数据</translation>
    </message>
    <message>
        <source>What the memory is for</source>
        <translation>显存的用途</translation>
    </message>
    <message>
        <source>What the ranks are coloured by</source>
        <translation>rank 按什么着色</translation>
    </message>
    <message>
        <source>What was measured does not say when the collectives were on their way.</source>
        <translation>实测结果没有说明集合通信在何时进行。</translation>
    </message>
    <message>
        <source>Which ranks take part: along which axis, and how many</source>
        <translation>哪些 rank 参与：沿哪个维度、有多少个</translation>
    </message>
    <message>
        <source>begins at</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>bytes / time · (N − 1) / N = %1 / %2 · %3 / %4</source>
        <translation>字节数 / 耗时 · (N − 1) / N = %1 / %2 · %3 / %4</translation>
    </message>
    <message>
        <source>bytes / time · 2 (N − 1) / N = %1 / %2 · 2 · %3 / %4</source>
        <translation>字节数 / 耗时 · 2 (N − 1) / N = %1 / %2 · 2 · %3 / %4</translation>
    </message>
    <message>
        <source>counted</source>
        <translation>计数</translation>
    </message>
    <message>
        <source>dashed: predicted</source>
        <translation>虚线：预测</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>data %1</source>
        <translation>数据 %1</translation>
    </message>
    <message>
        <source>data %1 · tensor %2</source>
        <translation>数据 %1 · 张量 %2</translation>
    </message>
    <message>
        <source>data × %1</source>
        <translation>数据 × %1</translation>
    </message>
    <message>
        <source>does not fit the %1 of a rank</source>
        <translation>放不进一个 rank 的 %1</translation>
    </message>
    <message>
        <source>exposed</source>
        <translation>未被掩盖</translation>
    </message>
    <message>
        <source>filled: measured</source>
        <translation>实心：实测</translation>
    </message>
    <message>
        <source>first rank</source>
        <translation>首个 rank</translation>
    </message>
    <message>
        <source>first rank measured</source>
        <translation>仅首个 rank 有实测</translation>
    </message>
    <message>
        <source>fits the %1 of a rank</source>
        <translation>放得进一个 rank 的 %1</translation>
    </message>
    <message>
        <source>group</source>
        <translation>组</translation>
    </message>
    <message>
        <source>measured, of step %1</source>
        <translation>实测，第 %1 步</translation>
    </message>
    <message>
        <source>memory %1 to %2</source>
        <translation>显存 %1 至 %2</translation>
    </message>
    <message>
        <source>micro-batches %1–%2</source>
        <translation>微批 %1–%2</translation>
    </message>
    <message>
        <source>not known: no time is predicted and none was measured</source>
        <translation>未知：没有预测时间，也未实测</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值显存</translation>
    </message>
    <message>
        <source>peak of a rank, predicted</source>
        <translation>一个 rank 的峰值，预测</translation>
    </message>
    <message>
        <source>per rank and step %1</source>
        <translation>每个 rank 每步 %1</translation>
    </message>
    <message>
        <source>per rank and step %1, counted</source>
        <translation>每个 rank 每步 %1，计数所得</translation>
    </message>
    <message>
        <source>predicted %1</source>
        <translation>预测 %1</translation>
    </message>
    <message>
        <source>predicted %1, measured %2</source>
        <translation>预测 %1，实测 %2</translation>
    </message>
    <message>
        <source>predicted end</source>
        <translation>预测终点</translation>
    </message>
    <message>
        <source>predicted, of the first rank</source>
        <translation>预测，首个 rank</translation>
    </message>
    <message>
        <source>received</source>
        <translation>接收</translation>
    </message>
    <message>
        <source>sends</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>sent in a step</source>
        <translation>每步发送</translation>
    </message>
    <message>
        <source>sent per rank</source>
        <translation>每个 rank 发送</translation>
    </message>
    <message>
        <source>step %1 took %2</source>
        <translation>第 %1 步用时 %2</translation>
    </message>
    <message>
        <source>tensor × %1</source>
        <translation>张量 × %1</translation>
    </message>
    <message>
        <source>time %1 to %2</source>
        <translation>时间 %1 至 %2</translation>
    </message>
    <message>
        <source>together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>traffic</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>waited / time = %1 / %2</source>
        <translation>等待 / 耗时 = %1 / %2</translation>
    </message>
    <message>
        <source>waiting %1 to %2</source>
        <translation>等待 %1 至 %2</translation>
    </message>
    <message>
        <source>waiting for others</source>
        <translation>等待其他 rank</translation>
    </message>
    <message>
        <source>waits for traffic</source>
        <translation>等待通信</translation>
    </message>
</context>
</TS>
