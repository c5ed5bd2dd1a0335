<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 (used)</source>
        <translation>%1（使用中）</translation>
    </message>
    <message>
        <source>%1 answers. It can run on: %2.</source>
        <translation>%1 有响应。它可以在以下设备上运行：%2。</translation>
    </message>
    <message>
        <source>%1. %2.</source>
        <translation>%1。%2。</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>测试(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>使用(&amp;U)</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>As ssh calls it: a name, a number, or an entry of ~/.ssh/config</source>
        <translation>ssh 所用的写法：主机名、IP 地址，或 ~/.ssh/config 中的条目</translation>
    </message>
    <message>
        <source>As the window calls it, such as gpu-box</source>
        <translation>在窗口中显示的名称，例如 gpu-box</translation>
    </message>
    <message>
        <source>C&amp;ancel</source>
        <translation>取消(&amp;A)</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Computers on which engines run</source>
        <translation>运行引擎的计算机</translation>
    </message>
    <message>
        <source>Connect, and look for an engine there</source>
        <translation>连接，并在该主机上查找引擎</translation>
    </message>
    <message>
        <source>Copy the engine of this window to the host</source>
        <translation>将本窗口的引擎复制到该主机</translation>
    </message>
    <message>
        <source>Copy this &amp;version there</source>
        <translation>将本版本复制到该主机(&amp;V)</translation>
    </message>
    <message>
        <source>Empty: what ssh takes</source>
        <translation>留空：由 ssh 决定</translation>
    </message>
    <message>
        <source>End what goes on</source>
        <translation>结束正在进行的操作</translation>
    </message>
    <message>
        <source>Enter a host</source>
        <translation>输入主机</translation>
    </message>
    <message>
        <source>Forget this host; nothing changes there</source>
        <translation>删除该主机的记录；主机上没有变化</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Leave the port out</source>
        <translation>不填端口</translation>
    </message>
    <message>
        <source>Path of plumbline-cli there; empty: it is looked for</source>
        <translation>plumbline-cli 在该主机上的路径；留空：自动查找</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Run on this computer from now on</source>
        <translation>从现在起在本机运行</translation>
    </message>
    <message>
        <source>The engine of this computer needs no connection.</source>
        <translation>本机的引擎不需要连接。</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>This computer (used)</source>
        <translation>本机（使用中）</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>host %1</source>
        <translation>主机 %1</translation>
    </message>
    <message>
        <source>ssh takes its own then</source>
        <translation>由 ssh 采用其默认端口</translation>
    </message>
</context>
</TS>
