#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that check_classes.py can fail: plants a class of one method too many, and counts what must be counted."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import check_classes  # noqa: E402

MOST = check_classes.MOST_METHODS


def of(count, name="Planted"):
    methods = "".join(f"    void do{i}();\n" for i in range(count))
    return f"\nclass {name} final : public QObject {{\n    Q_OBJECT\npublic:\n{methods}}};\n"


class CheckClasses(unittest.TestCase):
    def methods(self, body, head="class Planted"):
        return list(next(check_classes.classes("core/a.h", f"{head} {{\n{body}\n}};\n")).methods)

    def findings(self, text, exceptions=None):
        return [str(one) for one in check_classes.check_classes(check_classes.classes("core/a.h", text),
                                                                exceptions or {})]

    def test_the_limit_passes_and_one_more_does_not(self):
        self.assertEqual(self.findings(of(MOST)), [])
        self.assertEqual(self.findings(of(MOST + 1)), [
            f"core/a.h:2: Planted has {MOST + 1} methods: cut it by responsibility, {MOST} is the most"])

    def test_an_exception_holds_for_its_count_alone(self):
        exceptions = {"core/a.h: Planted": (MOST + 2, "a reason")}
        self.assertEqual(self.findings(of(MOST + 2), exceptions), [])
        self.assertIn(f"has {MOST + 3} methods", self.findings(of(MOST + 3), exceptions)[0])
        for text in (of(MOST + 1), of(3), of(3, "Another")):
            self.assertIn("not its count of methods any more", self.findings(text, exceptions)[0])

    def test_every_kind_of_method_is_counted(self):
        self.assertEqual(self.methods("""
public:
    explicit Planted(int a, QObject* parent = nullptr) : QObject(parent), m_a{a}, m_b(2) { begin({1, 2}); }
    ~Planted();
    [[nodiscard]] int a() const { return m_a; }
    [[nodiscard]] const std::vector<std::function<void(int)>>& all() const;
    template <class T> void take(T&& value) { m_a = value; }
    bool operator<(const Planted& other) const;
    static Result<std::unique_ptr<Planted>> create();
signals:
    void changed();
private slots:
    void take();
"""), ["Planted", "~Planted", "a", "all", "take", "operator<", "create", "changed", "take"])

    def test_nothing_else_is(self):
        self.assertEqual(self.methods("""
    Q_OBJECT
    Q_PROPERTY(int a READ a)
    Planted(const Planted&) = delete;
    Planted& operator=(const Planted&) = default;
    void paintEvent(QPaintEvent* event) override;
    QSize sizeHint() const final { return {1, 1}; }
    friend bool same(int a, int b);
    using Work = std::function<void()>;
    static_assert(sizeof(int) == 4);
    int (*m_call)(const int&, void*);
    std::function<void(int)> m_done = [](int) { go(); };
    int m_a = std::max(1, 2), m_b{call()};
    // void told();
    struct Inner { void its(); int x = 0; } m_inner;
    enum class Kind { One, Two } m_kind = Kind::One;
#define MAKE(x) void x();
"""), [])

    def test_a_class_inside_is_a_class_of_its_own_and_an_enum_is_none(self):
        text = "struct Outer { struct Inner { void its(); }; void own(); };\nenum class Kind { A };\nclass Told;\n"
        self.assertEqual([(one.name, one.methods) for one in check_classes.classes("core/a.h", text)],
                         [("Outer", ("own",)), ("Inner", ("its",))])

    def test_classes_of_the_tree_are_read(self):
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        for path, name, method in (("ui/workbench/workbench.h", "Workbench", "sceneChanged"),
                                   ("core/train/executor.h", "Executor", "advance")):
            with open(os.path.join(root, path), encoding="utf-8") as source:
                found = {one.name: one.methods for one in check_classes.classes(path, source.read())}
            self.assertIn(method, found[name])


if __name__ == "__main__":
    unittest.main()
