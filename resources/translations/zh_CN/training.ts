<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source> Naive weights make them grow %1 with every layer: choose scaled ones (Advanced, Weights).</source>
        <translation> 朴素的初始权重使其每层增长 %1：请选择按比例缩放的权重（“高级”中的“权重”）。</translation>
    </message>
    <message>
        <source> Run with fp16 or fp8 to see what their ranges cost.</source>
        <translation> 用 fp16 或 fp8 运行可查看其数值范围的代价。</translation>
    </message>
    <message>
        <source> steps/s</source>
        <translation> 步/秒</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1（基线）</translation>
    </message>
    <message>
        <source>%1 It lies above where it began.</source>
        <translation>%1它高于开始时的值。</translation>
    </message>
    <message>
        <source>%1 a step (%2 to %3)</source>
        <translation>每步 %1（%2 至 %3）</translation>
    </message>
    <message>
        <source>%1 by layer, logarithmic</source>
        <translation>各层的%1，对数刻度</translation>
    </message>
    <message>
        <source>%1 of %2 steps were skipped, since a value did not fit in fp16: start with a lower loss scale (Advanced).</source>
        <translation>%2 步中跳过了 %1 步，因为有数值超出 fp16 的范围：请从较小的损失缩放因子开始（“高级”）。</translation>
    </message>
    <message>
        <source>%1 over training</source>
        <translation>训练过程中的%1</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>%1 样本/秒</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 步/秒</translation>
    </message>
    <message>
        <source>%1 values became 0 in the steps that were observed</source>
        <translation>在观察到的步中有 %1 个值变为 0</translation>
    </message>
    <message>
        <source>%1 values were too large in the steps that were observed</source>
        <translation>在观察到的步中有 %1 个值过大</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>%1: no step has given a value that can be shown.</source>
        <translation>%1：没有任何一步给出可以显示的值。</translation>
    </message>
    <message>
        <source>%1: nothing yet</source>
        <translation>%1：尚无</translation>
    </message>
    <message>
        <source>%1: the file does not say how many samples a step trains on.</source>
        <translation>%1：文件没有说明一步训练多少样本。</translation>
    </message>
    <message>
        <source>%1: the file does not say which of its steps had which loss and time.</source>
        <translation>%1：文件没有说明各步的损失和时间。</translation>
    </message>
    <message>
        <source>%1: this run was recorded without it.</source>
        <translation>%1：该次运行的记录中没有它。</translation>
    </message>
    <message>
        <source>, in units of the variance of the targets</source>
        <translation>，以目标的方差为单位</translation>
    </message>
    <message>
        <source>1 / median of the steps that the clock alone watched</source>
        <translation>1 / 仅由时钟计时的步的中位数</translation>
    </message>
    <message>
        <source>A log axis has no place for losses that are zero, negative or not a number: they are marked at its edges.</source>
        <translation>对数轴上无法放置为零、为负或为 NaN 的损失：它们标在边缘处。</translation>
    </message>
    <message>
        <source>A mark draws the curve. Names, colours, marks and the baseline are kept in the saved file.</source>
        <translation>勾选即绘制曲线。名称、颜色、勾选和基线会保存在文件中。</translation>
    </message>
    <message>
        <source>A recorder notes no scales of tensors.</source>
        <translation>录制器不记录张量的尺度。</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>全部运行</translation>
    </message>
    <message>
        <source>Arrow keys read the runs at a step. W and S zoom, A and D move, 0 shows all. Shift with an arrow marks steps, M those in sight, Esc lets go.</source>
        <translation>方向键读取各次运行在某一步的数值。W、S 缩放，A、D 移动，0 显示全部。Shift 加方向键标记若干步，M 标记所显示的全部，Esc 取消。</translation>
    </message>
    <message>
        <source>Batch / seconds of the step</source>
        <translation>批大小 / 步的秒数</translation>
    </message>
    <message>
        <source>Below the loss</source>
        <translation>损失下方</translation>
    </message>
    <message>
        <source>By its place</source>
        <translation>按其位置</translation>
    </message>
    <message>
        <source>Clear the marked steps</source>
        <translation>清除标记的步</translation>
    </message>
    <message>
        <source>Clip the gradients to a norm of 1 (Advanced).</source>
        <translation>请将梯度范数裁剪到 1（“高级”）。</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Colour %1</source>
        <translation>颜色 %1</translation>
    </message>
    <message>
        <source>Colour of the chosen run's curves</source>
        <translation>所选运行的曲线颜色</translation>
    </message>
    <message>
        <source>Compares the other runs with the chosen one, or with none again</source>
        <translation>将其他运行与所选的对比，或取消对比</translation>
    </message>
    <message>
        <source>Counted from the first observed step on.</source>
        <translation>从第一个观察到的步开始计数。</translation>
    </message>
    <message>
        <source>Curves below the loss</source>
        <translation>损失下方的曲线</translation>
    </message>
    <message>
        <source>Down from layer %1 the gradients are not finite.</source>
        <translation>从第 %1 层向下，梯度不是有限值。</translation>
    </message>
    <message>
        <source>ETA %1</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>Exponential mean of the loss over the steps before and after, each step with the same weight, drawn over the raw curve</source>
        <translation>前后各步损失的指数平均，每步权重相同，叠绘在原始曲线上</translation>
    </message>
    <message>
        <source>FLOP of the matrix products without recomputation / (seconds of the step × peak)</source>
        <translation>不计重计算的矩阵乘法 FLOP /（步的秒数 × 峰值）</translation>
    </message>
    <message>
        <source>Factor on the loss of fp16, so that small gradients do not become 0. A step in which a value overflows is skipped and marked, and the scale backs off</source>
        <translation>fp16 损失所乘的系数，使小梯度不致变为 0。出现溢出的步会被跳过并标记，该系数随之回退</translation>
    </message>
    <message>
        <source>Factor on the loss of the newest step, so that small gradients do not become 0 in fp16</source>
        <translation>最新一步损失所乘的系数，使小梯度在 fp16 中不致变为 0</translation>
    </message>
    <message>
        <source>Figures are of the whole training again (Esc in a curve)</source>
        <translation>指标重新针对整个训练（在曲线上按 Esc）</translation>
    </message>
    <message>
        <source>Forget “%1”, its curves and its figures?</source>
        <translation>是否删除“%1”及其曲线和指标？</translation>
    </message>
    <message>
        <source>Forgets the chosen run (Delete)</source>
        <translation>删除所选的运行（Delete）</translation>
    </message>
    <message>
        <source>From layer %1 on the activations are not finite.</source>
        <translation>从第 %1 层起，激活不是有限值。</translation>
    </message>
    <message>
        <source>Gives the chosen run a name of its own (F2)</source>
        <translation>为所选的运行命名（F2）</translation>
    </message>
    <message>
        <source>Gradient of the loss by each layer's weights, without the loss scale</source>
        <translation>损失对各层权重的梯度，不含损失缩放因子</translation>
    </message>
    <message>
        <source>Gradient of the loss by what each layer gives on, without the loss scale</source>
        <translation>损失对各层输出的梯度，不含损失缩放因子</translation>
    </message>
    <message>
        <source>Here from %1 to %2</source>
        <translation>此处从 %1 到 %2</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>In fp32, and with it tf32, nothing is counted as too large or too small.</source>
        <translation>对 fp32 以及 tf32，不统计过大或过小的值。</translation>
    </message>
    <message>
        <source>Known when enough steps were measured for the energy counter</source>
        <translation>测量了足够多的步、能量计数器给出读数之后可知</translation>
    </message>
    <message>
        <source>Known while a run with a number of steps goes on</source>
        <translation>指定步数的运行进行期间可知</translation>
    </message>
    <message>
        <source>Loss and other figures over the steps</source>
        <translation>损失及其他指标随步数的变化</translation>
    </message>
    <message>
        <source>Loss over training, logarithmic</source>
        <translation>训练过程中的损失，对数刻度</translation>
    </message>
    <message>
        <source>MFU, %</source>
        <translation>MFU，%</translation>
    </message>
    <message>
        <source>Measured by the engine's clock, with everything between the steps: of the last second while the run goes on, of all of it once it has ended</source>
        <translation>由引擎的时钟测得，含两步之间的全部时间：运行中为最近一秒，结束后为整次运行</translation>
    </message>
    <message>
        <source>Newest loss / loss of the baseline at that step − 1</source>
        <translation>最新损失 / 基线在该步的损失 − 1</translation>
    </message>
    <message>
        <source>No run yet. Press Run (F5) to train this configuration.</source>
        <translation>尚未运行。按“运行”（F5）训练此配置。</translation>
    </message>
    <message>
        <source>Norm of what the optimizer changed / norm of the weights before; about %1 is usual</source>
        <translation>优化器改变量的范数 / 改变前权重的范数；通常约为 %1</translation>
    </message>
    <message>
        <source>Not known of the device: %1</source>
        <translation>该设备的下列信息未知：%1</translation>
    </message>
    <message>
        <source>Of some steps it is not known. %1</source>
        <translation>部分步的该值未知。%1</translation>
    </message>
    <message>
        <source>Of the step, with warm-up and schedule</source>
        <translation>该步的值，含预热和调度</translation>
    </message>
    <message>
        <source>Only fp16 scales the loss: choose it as the precision.</source>
        <translation>只有 fp16 对损失进行缩放：请选择它作为精度。</translation>
    </message>
    <message>
        <source>Optimizer steps done</source>
        <translation>已完成的优化器步数</translation>
    </message>
    <message>
        <source>Out of range in the observed steps</source>
        <translation>观察到的步中超出范围</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页</translation>
    </message>
    <message>
        <source>Remove a run</source>
        <translation>移除运行</translation>
    </message>
    <message>
        <source>Runs of this session</source>
        <translation>本次会话的运行</translation>
    </message>
    <message>
        <source>Runs of this session in the marked steps</source>
        <translation>本次会话的运行在标记的步中的指标</translation>
    </message>
    <message>
        <source>Scale of activations, weights and gradients by layer</source>
        <translation>各层激活、权重和梯度的尺度</translation>
    </message>
    <message>
        <source>Share of the %1 that were too large for the format</source>
        <translation>%1中超出该格式上限的比例</translation>
    </message>
    <message>
        <source>Share of the %1 that were too small and became 0</source>
        <translation>%1中过小而变为 0 的比例</translation>
    </message>
    <message>
        <source>Share of the values that were too large for the format (↑) or became 0 (↓), up to %1. A dash: the tensor is kept in a wider format.</source>
        <translation>超出该格式上限（↑）或变为 0（↓）的值所占比例，最大 %1。短横：该张量以更宽的格式保存。</translation>
    </message>
    <message>
        <source>Shows the curves to the end of the longest run, which has more steps than the newest</source>
        <translation>将曲线显示到最长的运行结束，它的步数多于最新的运行</translation>
    </message>
    <message>
        <source>Shows the steps of the newest run, whatever the others have</source>
        <translation>只显示最新运行的步数范围，不论其他运行有多长</translation>
    </message>
    <message>
        <source>Shows the whole training again (0, or a double click in a curve)</source>
        <translation>重新显示整个训练（按 0，或在曲线上双击）</translation>
    </message>
    <message>
        <source>Since the recording began, with what its passes cost</source>
        <translation>自录制开始，含各次遍历的开销</translation>
    </message>
    <message>
        <source>Since the start of training, pauses left out</source>
        <translation>自训练开始，不含暂停</translation>
    </message>
    <message>
        <source>Skipped: a value was not finite in fp16, nothing was updated</source>
        <translation>已跳过：某个值在 fp16 中不是有限值，没有更新任何参数</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Smoothing of the loss</source>
        <translation>损失的平滑程度</translation>
    </message>
    <message>
        <source>Square root of the sum of squares of all parameters' gradients, without the loss scale and before clipping</source>
        <translation>所有参数梯度平方和的平方根，不含损失缩放因子，裁剪之前</translation>
    </message>
    <message>
        <source>Standardize the features: columns of different size need different rates.</source>
        <translation>请标准化特征：大小不同的列需要不同的学习率。</translation>
    </message>
    <message>
        <source>Steps %1 to %2</source>
        <translation>第 %1 至 %2 步</translation>
    </message>
    <message>
        <source>Steps in which a value did not fit in fp16: nothing was updated and the loss scale backed off. Marked on the curve of the loss scale</source>
        <translation>有数值超出 fp16 范围的步：没有更新任何参数，损失缩放因子已回退。在损失缩放因子曲线上标出</translation>
    </message>
    <message>
        <source>Steps of the recording</source>
        <translation>录制的各步</translation>
    </message>
    <message>
        <source>Steps per second / those of the baseline − 1</source>
        <translation>每秒步数 / 基线的每秒步数 − 1</translation>
    </message>
    <message>
        <source>Steps that the recorder let run, each of one pass; the loss is %1.</source>
        <translation>录制器放行的步，每步一次遍历；损失为%1。</translation>
    </message>
    <message>
        <source>The bar below: something held the clock down</source>
        <translation>下方的条：时钟频率被某种因素压低</translation>
    </message>
    <message>
        <source>The dashed line is the power limit that is in force, %1</source>
        <translation>虚线是当前生效的功率上限，%1</translation>
    </message>
    <message>
        <source>The loss diverges: its newest mean is %1, and it was %2 around step %3.</source>
        <translation>损失发散：其最新均值为 %1，而在第 %3 步附近为 %2。</translation>
    </message>
    <message>
        <source>The newest run has no step in the marked stretch.</source>
        <translation>最近一次运行在标记的范围内没有步。</translation>
    </message>
    <message>
        <source>The peak of this machine is not known: calibrate it (menu Run) and run again.</source>
        <translation>本机的峰值未知：请校准（“运行”菜单）后重新运行。</translation>
    </message>
    <message>
        <source>The runs of the session: names, colours, baseline</source>
        <translation>本次会话的运行：名称、颜色、基线</translation>
    </message>
    <message>
        <source>The training has diverged: the loss of step %1 is no finite number.</source>
        <translation>训练已发散：第 %1 步的损失不是有限值。</translation>
    </message>
    <message>
        <source>The weights that each layer multiplies with</source>
        <translation>各层所乘的权重</translation>
    </message>
    <message>
        <source>They are counted over the whole run: the marked steps do not narrow them.</source>
        <translation>按整次运行计数，不限于标记的步。</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>本次运行</translation>
    </message>
    <message>
        <source>This run was recorded without the scale of its tensors.</source>
        <translation>该次运行的记录中没有张量的尺度。</translation>
    </message>
    <message>
        <source>Try a lower learning rate, clipped gradients, or a warm-up.</source>
        <translation>请尝试更低的学习率、梯度裁剪或预热。</translation>
    </message>
    <message>
        <source>Try a lower learning rate: %1 instead of %2.</source>
        <translation>请尝试更低的学习率：%1 而非 %2。</translation>
    </message>
    <message>
        <source>Try bf16, which has the range of fp32.</source>
        <translation>请尝试 bf16，它的范围与 fp32 相同。</translation>
    </message>
    <message>
        <source>Values out of range by layer</source>
        <translation>各层超出范围的值</translation>
    </message>
    <message>
        <source>W, to warm up</source>
        <translation>W（预热）</translation>
    </message>
    <message>
        <source>Waiting for the first step.</source>
        <translation>正在等待第一步。</translation>
    </message>
    <message>
        <source>Warm the learning rate up over the first 100 steps (Advanced).</source>
        <translation>请在前 100 步预热学习率（“高级”）。</translation>
    </message>
    <message>
        <source>What each layer gives on; x is the features</source>
        <translation>各层的输出；x 是特征</translation>
    </message>
    <message>
        <source>What the device tells of itself</source>
        <translation>设备自身报告的信息</translation>
    </message>
    <message>
        <source>above the peak of this machine, which is too low: calibrate again</source>
        <translation>高于本机的峰值，说明峰值偏低：请重新校准</translation>
    </message>
    <message>
        <source>act. grad.</source>
        <translation>激活梯度</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>as %1</source>
        <translation>与 %1 相同</translation>
    </message>
    <message>
        <source>bf16 has the range of fp32: nothing is counted as too large or too small.</source>
        <translation>bf16 的范围与 fp32 相同：不统计过大或过小的值。</translation>
    </message>
    <message>
        <source>curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>earlier: %1</source>
        <translation>较早：%1</translation>
    </message>
    <message>
        <source>earlier: no. %1</source>
        <translation>较早：第 %1 次</translation>
    </message>
    <message>
        <source>expected at the start</source>
        <translation>开始时的预期值</translation>
    </message>
    <message>
        <source>expected at the start, per layer</source>
        <translation>开始时的预期值，每层</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>gradients of activations</source>
        <translation>激活的梯度</translation>
    </message>
    <message>
        <source>gradients of weights</source>
        <translation>权重的梯度</translation>
    </message>
    <message>
        <source>held out: %1</source>
        <translation>留出数据：%1</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>layer %1 · %2</source>
        <translation>第 %1 层 · %2</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>left</source>
        <translation>剩余</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>loss %1 to %2</source>
        <translation>损失 %1 至 %2</translation>
    </message>
    <message>
        <source>lowest</source>
        <translation>最低</translation>
    </message>
    <message>
        <source>mean loss %1</source>
        <translation>平均损失 %1</translation>
    </message>
    <message>
        <source>noise floor %1</source>
        <translation>噪声下限 %1</translation>
    </message>
    <message>
        <source>of activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>of weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>遍</translation>
    </message>
    <message>
        <source>power of %1</source>
        <translation>功率，上限 %1</translation>
    </message>
    <message>
        <source>root mean square</source>
        <translation>均方根</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>samples/s overall</source>
        <translation>总体样本/秒</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>steps left / steps per second</source>
        <translation>剩余步数 / 每秒步数</translation>
    </message>
    <message>
        <source>steps/s</source>
        <translation>步/秒</translation>
    </message>
    <message>
        <source>steps/s × samples of a step = %1 × %2</source>
        <translation>步/秒 × 每步样本数 = %1 × %2</translation>
    </message>
    <message>
        <source>to baseline</source>
        <translation>相对基线</translation>
    </message>
    <message>
        <source>training time</source>
        <translation>训练时间</translation>
    </message>
    <message>
        <source>update / weights</source>
        <translation>更新 / 权重</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>with everything between the steps: steps/s × batch = %1 × %2</source>
        <translation>含两步之间的全部时间：步/秒 × 批大小 = %1 × %2</translation>
    </message>
    <message>
        <source>±%1 steps</source>
        <translation>±%1 步</translation>
    </message>
    <message numerus="yes">
        <source>±%n steps</source>
        <translation>
            <numerusform>±%n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>↓ zero</source>
        <translation>↓ 零</translation>
    </message>
    <message>
        <source>● Run ended: %1</source>
        <translation>● 运行已结束：%1</translation>
    </message>
</context>
</TS>
