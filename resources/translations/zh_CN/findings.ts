<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 findings, %2</source>
        <translation>%1 项发现，%2</translation>
    </message>
    <message>
        <source>%1 of the memory</source>
        <translation>显存的 %1</translation>
    </message>
    <message>
        <source>%1 of the time</source>
        <translation>时间的 %1</translation>
    </message>
    <message>
        <source>%1 · %2 at stake</source>
        <translation>%1 · 影响%2</translation>
    </message>
    <message>
        <source>%1 · of the whole step, not of the range</source>
        <translation>%1 · 针对整步，不限于所选区间</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>%1: what was measured is of another step than the sliders ask for</source>
        <translation>%1：实测的步与滑块所设的步不同</translation>
    </message>
    <message>
        <source>1 finding, %1</source>
        <translation>1 项发现，%1</translation>
    </message>
    <message>
        <source>A change of the configuration was planned and predicted before it is named</source>
        <translation>配置的更改在提出之前已经过规划和预测</translation>
    </message>
    <message>
        <source>By what is at stake: serious from 25 % of the time or the memory on, a warning from 10 % on</source>
        <translation>按影响的大小：占时间或显存 25 % 及以上为严重，10 % 及以上为警告</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Findings, the most severe first</source>
        <translation>发现，最严重的在前</translation>
    </message>
    <message>
        <source>Looked at and fine:
%1</source>
        <translation>已检查，正常：
%1</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Not looked at, since it is not known or was not measured. A profile (Run, Profile), with counters on a GPU, fills in most of it:
%1</source>
        <translation>因未知或未测量而没有检查。做一次性能分析（“运行 &gt; 性能分析”），在 GPU 上启用计数器，可补全大部分：
%1</translation>
    </message>
    <message>
        <source>Nothing unusual was found</source>
        <translation>没有发现异常</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>性能分析</translation>
    </message>
    <message>
        <source>Puts this into the configuration; Undo takes it back</source>
        <translation>将其写入配置；可用“撤销”恢复</translation>
    </message>
    <message>
        <source>Set %1</source>
        <translation>设置：%1</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>Show in %1</source>
        <translation>在“%1”中显示</translation>
    </message>
    <message>
        <source>Shown best by: %1</source>
        <translation>最适合在此查看：%1</translation>
    </message>
    <message>
        <source>The chosen finding</source>
        <translation>所选的发现</translation>
    </message>
    <message>
        <source>The view that shows it; a click leads there</source>
        <translation>显示它的视图；单击可前往</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>What else was looked at</source>
        <translation>还检查了什么</translation>
    </message>
    <message>
        <source>What to try</source>
        <translation>可尝试的办法</translation>
    </message>
    <message>
        <source>What was noticed, with its numbers</source>
        <translation>发现的内容及其数值</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Where the first of its numbers is from</source>
        <translation>其第一个数值的出处</translation>
    </message>
    <message>
        <source>from what is predicted</source>
        <translation>依据预测</translation>
    </message>
    <message>
        <source>from what was measured</source>
        <translation>依据实测</translation>
    </message>
    <message>
        <source>info</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>serious</source>
        <translation>严重</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>• %1: %2</source>
        <translation>• %1：%2</translation>
    </message>
</context>
</TS>
