<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 operations differ</source>
        <translation>%1 个算子不同</translation>
    </message>
    <message>
        <source>%1 · predicted here</source>
        <translation>%1 · 在此预测</translation>
    </message>
    <message>
        <source>Bytes per step</source>
        <translation>每步字节数</translation>
    </message>
    <message>
        <source>Every operation is predicted the same</source>
        <translation>每个算子的预测都相同</translation>
    </message>
    <message>
        <source>File: predicted by %1. Again: by %2, shown from now on in every view; the same action brings the file's prediction back.</source>
        <translation>文件：由 %1 预测。重新预测：由 %2 作出，从现在起在每个视图中显示；再次执行同一操作可恢复文件中的预测。</translation>
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
    <message numerus="yes">
        <source>import of %n device(s)</source>
        <translation>
            <numerusform>导入 %n 个设备</numerusform>
        </translation>
    </message>
    <message>
        <source>measured %1 · %2</source>
        <translation>实测 %1 · %2</translation>
    </message>
    <message>
        <source>predicted · %1</source>
        <translation>预测 · %1</translation>
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
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>title of a bookmark</source>
        <translation>书签标题的更改</translation>
    </message>
</context>
</TS>
