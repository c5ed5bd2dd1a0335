<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 more</source>
        <translation>另外 %1 项</translation>
    </message>
    <message>
        <source>%1 operations differ</source>
        <translation>%1 个算子不同</translation>
    </message>
    <message>
        <source>%1 · predicted here</source>
        <translation>%1 · 在此预测</translation>
    </message>
    <message>
        <source>10 % to 90 % of the steps, added up over the operations: %1 to %2</source>
        <translation>10 % 至 90 % 的步，各算子相加：%1 至 %2</translation>
    </message>
    <message>
        <source>AMSGrad</source>
        <translation>AMSGrad</translation>
    </message>
    <message>
        <source>Activation function</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>At the start</source>
        <translation>开始时</translation>
    </message>
    <message>
        <source>Back-off</source>
        <translation>回退系数</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>Bytes per step</source>
        <translation>每步字节数</translation>
    </message>
    <message>
        <source>Centered</source>
        <translation>中心化</translation>
    </message>
    <message>
        <source>Clip at norm</source>
        <translation>范数裁剪</translation>
    </message>
    <message>
        <source>Dampening</source>
        <translation>阻尼</translation>
    </message>
    <message>
        <source>Data format</source>
        <translation>数据格式</translation>
    </message>
    <message>
        <source>Data-parallel ranks</source>
        <translation>数据并行 rank 数</translation>
    </message>
    <message>
        <source>Every operation is predicted the same</source>
        <translation>每个算子的预测都相同</translation>
    </message>
    <message>
        <source>Factor γ</source>
        <translation>系数 γ</translation>
    </message>
    <message>
        <source>File: predicted by %1. Again: by %2, shown from now on in every view; the same action brings the file's prediction back.</source>
        <translation>文件：由 %1 预测。重新预测：由 %2 作出，从现在起在每个视图中显示；再次执行同一操作可恢复文件中的预测。</translation>
    </message>
    <message>
        <source>Final rate</source>
        <translation>最终学习率</translation>
    </message>
    <message>
        <source>First sum</source>
        <translation>初始平方和</translation>
    </message>
    <message>
        <source>Good steps</source>
        <translation>正常步数</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>增长系数</translation>
    </message>
    <message>
        <source>Head (a last matrix [D, K])</source>
        <translation>输出头（最后一个矩阵 [D, K]）</translation>
    </message>
    <message>
        <source>Hold-out share</source>
        <translation>留出比例</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Nesterov momentum</source>
        <translation>Nesterov 动量</translation>
    </message>
    <message>
        <source>Noise σ</source>
        <translation>噪声 σ</translation>
    </message>
    <message>
        <source>One batch for all steps</source>
        <translation>所有步使用同一批</translation>
    </message>
    <message>
        <source>Rate decay</source>
        <translation>学习率衰减</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Standardize the features</source>
        <translation>标准化特征</translation>
    </message>
    <message>
        <source>Standardize the targets</source>
        <translation>标准化目标</translation>
    </message>
    <message>
        <source>Tensor-parallel ranks</source>
        <translation>张量并行 rank 数</translation>
    </message>
    <message>
        <source>Update limit d</source>
        <translation>更新上限 d</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Warm-up steps</source>
        <translation>预热步数</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Weights σ</source>
        <translation>权重 σ</translation>
    </message>
    <message>
        <source>Windows</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO 阶段</translation>
    </message>
    <message>
        <source>adding %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>again</source>
        <translation>重新预测</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>consecutive</source>
        <translation>连续</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>恒定</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>deletion of %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>deletion of a bookmark</source>
        <translation>书签的删除</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>edit of %1</source>
        <translation>编辑 %1</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定</translation>
    </message>
    <message numerus="yes">
        <source>import of %n device(s)</source>
        <translation>
            <numerusform>导入 %n 个设备</numerusform>
        </translation>
    </message>
    <message>
        <source>in steps</source>
        <translation>阶梯</translation>
    </message>
    <message>
        <source>measured %1 · %2</source>
        <translation>实测 %1 · %2</translation>
    </message>
    <message>
        <source>naive</source>
        <translation>朴素</translation>
    </message>
    <message>
        <source>predicted · %1</source>
        <translation>预测 · %1</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>run on %1</source>
        <translation>%1 上的运行</translation>
    </message>
    <message>
        <source>scaled</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>title of a bookmark</source>
        <translation>书签标题的更改</translation>
    </message>
    <message>
        <source>truncated</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>α</source>
        <translation>α</translation>
    </message>
    <message>
        <source>β₁</source>
        <translation>β₁</translation>
    </message>
    <message>
        <source>β₂</source>
        <translation>β₂</translation>
    </message>
    <message>
        <source>β₂ decay</source>
        <translation>β₂ 衰减</translation>
    </message>
    <message>
        <source>ε</source>
        <translation>ε</translation>
    </message>
    <message>
        <source>ε₂</source>
        <translation>ε₂</translation>
    </message>
</context>
</TS>
