<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>&amp;Bytes:</source>
        <translation>字节(&amp;B)：</translation>
    </message>
    <message>
        <source>&amp;Decimal mark:</source>
        <translation>小数点(&amp;D)：</translation>
    </message>
    <message>
        <source>&amp;Groups of digits:</source>
        <translation>千位分隔(&amp;G)：</translation>
    </message>
    <message>
        <source>&amp;Language:</source>
        <translation>语言(&amp;L)：</translation>
    </message>
    <message>
        <source>&amp;Theme:</source>
        <translation>主题(&amp;T)：</translation>
    </message>
    <message>
        <source>Apostrophe</source>
        <translation>撇号</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Black on white or white on black, with lines that stand out</source>
        <translation>白底黑字或黑底白字，线条清晰醒目</translation>
    </message>
    <message>
        <source>Categories, phases and verdicts in colours that differ in lightness too; those of high contrast always do</source>
        <translation>类别、阶段和评判所用的颜色在明度上也有区别；高对比度下始终如此</translation>
    </message>
    <message>
        <source>Changes apply at once.</source>
        <translation>更改立即生效。</translation>
    </message>
    <message>
        <source>Colours of the categories of memory</source>
        <translation>显存各类别的颜色</translation>
    </message>
    <message>
        <source>Colours that colour-blind &amp;eyes tell apart</source>
        <translation>色觉障碍者也能区分的颜色(&amp;E)</translation>
    </message>
    <message>
        <source>Comma</source>
        <translation>逗号</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High &amp;contrast</source>
        <translation>高对比度(&amp;C)</translation>
    </message>
    <message>
        <source>KiB, MiB, GiB (powers of 1024)</source>
        <translation>KiB、MiB、GiB（1024 的幂）</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light or dark surfaces</source>
        <translation>浅色或深色界面</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>不分隔</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>句点</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Prefixes of sizes in bytes; rates keep powers of 1000, as data sheets have them</source>
        <translation>字节大小所用的词头；速率仍用 1000 的幂，与规格表一致</translation>
    </message>
    <message>
        <source>Sample:</source>
        <translation>示例：</translation>
    </message>
    <message>
        <source>Size of all letters, and of what is sized for them</source>
        <translation>所有文字的大小，以及随文字缩放的界面元素</translation>
    </message>
    <message>
        <source>Te&amp;xt size:</source>
        <translation>文字大小(&amp;X)：</translation>
    </message>
    <message>
        <source>The words of the window</source>
        <translation>窗口所用的语言</translation>
    </message>
    <message>
        <source>Thin space</source>
        <translation>窄空格</translation>
    </message>
    <message>
        <source>What parts thousands; all of them can be typed everywhere</source>
        <translation>千位之间的分隔方式；输入时各种写法均可</translation>
    </message>
    <message>
        <source>What parts whole numbers from fractions; both can be typed everywhere</source>
        <translation>整数与小数之间的符号；输入时两种都可以使用</translation>
    </message>
    <message>
        <source>kB, MB, GB (powers of 1000)</source>
        <translation>kB、MB、GB（1000 的幂）</translation>
    </message>
</context>
</TS>
