<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source> and %1 more</source>
        <translation> 及另外 %1 个</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 more without room</source>
        <translation>另外 %1 个放不下</translation>
    </message>
    <message>
        <source>%1 over %2 and %3, from %4 to %5</source>
        <translation>%1（随 %2 和 %3 变化），从 %4 到 %5</translation>
    </message>
    <message>
        <source>%1: from %2 to %3</source>
        <translation>%1：从 %2 到 %3</translation>
    </message>
    <message>
        <source>%1: from %2 to %3, at the end %4</source>
        <translation>%1：从 %2 到 %3，末尾为 %4</translation>
    </message>
    <message numerus="yes">
        <source>%n points, from %1 to %2 across and from %3 to %4 up</source>
        <translation>
            <numerusform>%n 个点，横轴从 %1 到 %2，纵轴从 %3 到 %4</numerusform>
        </translation>
    </message>
    <message>
        <source>Click to hide or show %1. Ctrl and a click, or Enter, shows it alone</source>
        <translation>单击可隐藏或显示“%1”；按住 Ctrl 单击或按 Enter 可单独显示它</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>From %1 to %2, at the end %3</source>
        <translation>从 %1 到 %2，末尾为 %3</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Peak %1 at place %2 of %3: %4</source>
        <translation>峰值 %1，在第 %2 处（共 %3 处）：%4</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>保存图片…</translation>
    </message>
    <message>
        <source>Scalable picture (*.svg)</source>
        <translation>矢量图片 (*.svg)</translation>
    </message>
    <message>
        <source>The picture %1 could not be drawn</source>
        <translation>无法绘制图片 %1</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>at its high end</source>
        <translation>取上限时</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>input at its low end</source>
        <translation>输入取下限时</translation>
    </message>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>make the window smaller</source>
        <translation>请将窗口缩小</translation>
    </message>
    <message>
        <source>not possible</source>
        <translation>不可行</translation>
    </message>
    <message>
        <source>share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>working it out: %1 % · Esc cancels</source>
        <translation>正在计算：%1 % · 按 Esc 取消</translation>
    </message>
</context>
</TS>
