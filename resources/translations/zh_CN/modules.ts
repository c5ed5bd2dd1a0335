<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 kept for the way back</source>
        <translation>为反向保留 %1</translation>
    </message>
    <message>
        <source>%1 of %2 operations</source>
        <translation>%2 个算子中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of parameters</source>
        <translation>参数 %1</translation>
    </message>
    <message>
        <source>%1 operations</source>
        <translation>%1 个算子</translation>
    </message>
    <message>
        <source>1 operation</source>
        <translation>1 个算子</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Bytes of activations that are kept from the way forth for the way back</source>
        <translation>前向中为反向保留的激活的字节数</translation>
    </message>
    <message>
        <source>Bytes of its parameters and of all below, as they lie in memory</source>
        <translation>其自身及所有下级模块的参数在内存中的字节数</translation>
    </message>
    <message>
        <source>Its share of the times of all operations: measured, or predicted where nothing was measured</source>
        <translation>占全部算子时间的比例：实测值，没有实测时为预测值</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Measured time of one step, all phases</source>
        <translation>一步的实测时间，所有阶段</translation>
    </message>
    <message>
        <source>Measured time of the update of its parameters</source>
        <translation>更新其参数的实测时间</translation>
    </message>
    <message>
        <source>Measured time on the way back, with what is recomputed there</source>
        <translation>反向的实测时间，含其中的重计算</translation>
    </message>
    <message>
        <source>Measured time on the way forth, with data and loss</source>
        <translation>前向的实测时间，含数据和损失</translation>
    </message>
    <message>
        <source>Modules of the model</source>
        <translation>模型的模块</translation>
    </message>
    <message>
        <source>Of one step, all phases; empty where an operation has no formula</source>
        <translation>一步、所有阶段；算子没有公式时为空</translation>
    </message>
    <message>
        <source>Of the step</source>
        <translation>占整步</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Params</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Path of the module in the model</source>
        <translation>模块在模型中的路径</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Time of one step on the device above, by its ceilings</source>
        <translation>在上述设备上一步的时间，按其性能上限</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>outside of all modules</source>
        <translation>不属于任何模块</translation>
    </message>
</context>
</TS>
