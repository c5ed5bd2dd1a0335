#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tries packages as a user would, in a system that has nothing of ours and nothing to build with.

    smoke.py --packages FOLDER --out FOLDER [--kind deb|tarball|all] [--suite bookworm] [--root-tar FILE]

mmdebstrap makes the system once and keeps it as a tar (--root-tar); it is unpacked anew for each kind. Packages of Debian
are installed there by apt, with what they depend on and nothing that they only recommend; a tarball is unpacked into a
system with what a desktop has (DESKTOP) but no Qt, and once more moved elsewhere. There, as a user without rights and with
an emptied environment: version, a prediction, a training, thumbnails of good and bad files, manual pages, completion, and
the window under Xvfb with a run open, whose picture is written to the folder --out.

Needs root, mmdebstrap and the archive of Debian. Prints one line for each step, and exits 1 at the first that fails.
"""

import argparse
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

DESKTOP = ("libgl1", "libegl1", "libgles2", "libx11-xcb1", "libxext6", "libice6", "libsm6", "libfontconfig1", "libglib2.0-0", "libdbus-1-3",
           "libwayland-client0", "libwayland-cursor0", "libwayland-egl1", "libstdc++6", "libuuid1", "zlib1g", "ocl-icd-libopencl1", "xkb-data")
COMMON = ("xvfb", "fonts-dejavu-core", "man-db", "shared-mime-info", "desktop-file-utils")

STEPS = r"""
set -euo pipefail
step() { printf '  %s\n' "$*"; }
cd "$HOME"
mkdir -m 700 runtime && export XDG_RUNTIME_DIR=$HOME/runtime
plumbline-cli --version >version.txt
step "version: $(cat version.txt)"
plumbline-cli predict --dim 4096 --layers 32 --batch 8192 --precision bf16 --device "H200 SXM" --json >predicted.json
grep -q peak_bytes predicted.json
step "a prediction: $(wc -c <predicted.json) bytes of JSON"
digits=$PREFIX/share/plumbline/samples/digits
plumbline-cli train --backend cpu --data "$digits/features.npy" --targets "$digits/targets.npy" --dim 64 --outputs 1 --layers 3 \
    --activation relu --batch 256 --optimizer adamw --lr 1e-3 --steps 300 --out digits.plumb >trained.txt
step "a training of 300 steps"
plumbline-cli thumbnail digits.plumb --out thumbnail.png --size 256
head -c 4 thumbnail.png | grep -q PNG
for bad in empty cut noise folder; do
    case $bad in
    empty) : >bad.plumb ;;
    cut) head -c 3000 digits.plumb >bad.plumb ;;
    noise) head -c 100000 /dev/urandom >bad.plumb ;;
    folder) rm bad.plumb && mkdir bad.plumb ;;
    esac
    code=0
    timeout 20 plumbline-cli thumbnail bad.plumb --out bad.png 2>said.txt || code=$?
    [ "$code" = 2 ] && [ ! -e bad.png ] && [ "$(wc -l <said.txt)" = 1 ] || { echo "thumbnail of $bad: $code"; cat said.txt; exit 1; }
done
step "thumbnails: of the training, and none of an empty file, a cut one, noise and a folder"
MANPATH=$PREFIX/share/man man plumbline-cli >manual.txt
MANPATH=$PREFIX/share/man man plumbline >window.txt
grep -q 'EXIT STATUS' manual.txt && grep -q 'EXIT STATUS' window.txt
step "manual pages: $(wc -l <manual.txt) and $(wc -l <window.txt) lines"
bash --norc -c '. "$PREFIX/share/bash-completion/completions/plumbline-cli"; COMP_WORDS=(plumbline-cli pre); COMP_CWORD=1
    _plumbline_cli; [ "${COMPREPLY[*]}" = predict ]'
step "completion in bash"
desktop-file-validate "$PREFIX"/share/applications/*.desktop
mkdir -p mime/packages && cp "$PREFIX/share/mime/packages/plumbline.xml" mime/packages/ && update-mime-database mime 2>/dev/null
grep -q 'application/x-plumbline' mime/globs
step "desktop entry and file type"
QT_QPA_PLATFORM=offscreen plumbline --self-test 2>self-test.txt || { cat self-test.txt; exit 1; }
mkdir -p screen
# A display that nobody has: the sockets of displays are those of the whole machine.
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -fbdir screen 3>display.txt >xvfb.txt 2>&1 &
xvfb=$!
for _ in $(seq 100); do [ -s display.txt ] && break; sleep 0.2; done
[ -s display.txt ] || { echo "Xvfb does not start:"; cat xvfb.txt; exit 1; }
DISPLAY=:$(cat display.txt) plumbline --size 1600x1000 --theme dark digits.plumb >window-said.txt 2>&1 &
window=$!
for _ in $(seq 240); do
    sleep 0.5
    [ -d "/proc/$window" ] || { echo "the window ended:"; cat window-said.txt; exit 1; }
    [ "$(gzip -c screen/Xvfb_screen0 | wc -c)" -lt 60000 ] || break
done
sleep 8
cp screen/Xvfb_screen0 window.xwd
kill "$window" && wait "$window" || true
kill "$xvfb"
head -n 5 window-said.txt
step "the window under Xvfb, with the training open"
if [ -d "$PREFIX/share/doc/plumbline/manual" ]; then
    ls "$PREFIX/share/doc/plumbline/manual"/*.html >/dev/null
    step "the manual: $(find "$PREFIX/share/doc/plumbline/manual" -name '*.html' | wc -l) pages"
fi
"""


def fail(sentence):
    sys.exit(f"smoke.py: {sentence}")


def png_of_xwd(source, target):
    """The screen of Xvfb (a dump of X11, 24 bits in words of 32) as PNG; how many colours it has."""
    data = source.read_bytes()
    size, _, _, _, width, height, _, order, _, _, _, bits, line = struct.unpack_from(">13I", data)
    colours = struct.unpack_from(">I", data, 19 * 4)[0]
    if bits != 32:
        fail(f"the screen has {bits} bits a pixel.")
    start, rows, seen = size + 12 * colours, [], set()
    for y in range(height):
        row = data[start + y * line:start + y * line + width * 4]
        blue, green, red = (row[0::4], row[1::4], row[2::4]) if order == 0 else (row[3::4], row[2::4], row[1::4])
        pixels = bytearray(width * 3)
        pixels[0::3], pixels[1::3], pixels[2::3] = red, green, blue
        rows.append(b"\0" + bytes(pixels))
        seen.update(zip(red[::7], green[::7], blue[::7]))
    chunk = lambda name, body: struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    target.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)) +
                       chunk(b"IDAT", zlib.compress(b"".join(rows), 6)) + chunk(b"IEND", b""))
    return len(seen)


def make_root(tar, suite):
    if tar.exists():
        return
    tar.parent.mkdir(parents=True, exist_ok=True)
    print(f"a system of {suite}: {tar}", flush=True)
    subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(COMMON)}", suite, tar], check=True)


def inside(root, script, prefix="/usr", user=True, timeout=900):
    """Runs a script in the system: a namespace of its own, an emptied environment, and no more rights than a user's."""
    (root / "home" / "somebody").mkdir(parents=True, exist_ok=True)
    os.chown(root / "home" / "somebody", 1000, 1000)
    (root / "tmp" / "script.sh").write_text(script)
    rights = "setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs" if user else ""
    home = "/home/somebody" if user else "/root"
    command = (f"mount --rbind /dev '{root}/dev' && mount -t proc proc '{root}/proc' && exec chroot '{root}' {rights} "
               f"/usr/bin/env -i HOME={home} PATH={prefix}/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 PREFIX={prefix} "
               f"DEBIAN_FRONTEND=noninteractive bash /tmp/script.sh")
    done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", command], timeout=timeout,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout


def ok(root, script, what, **more):
    code, text = inside(root, script, **more)
    if code:
        fail(f"{what} failed with {code}:\n{text}")
    return text


def install(root, packages, names):
    shutil.copyfile("/etc/resolv.conf", root / "etc" / "resolv.conf")
    wanted = []
    for package in packages:
        shutil.copyfile(package, root / "tmp" / package.name)
        wanted.append(f"/tmp/{package.name}")
    return ok(root, f"apt-get -qq update && apt-get -qq install -y --no-install-recommends {' '.join([*wanted, *names])} && "
                    "dpkg --configure -a && apt-get -q check", "installing", user=False)


def try_steps(root, out, kind, prefix):
    print(ok(root, STEPS, "a step", prefix=prefix), end="", flush=True)
    home = root / "home" / "somebody"
    colours = png_of_xwd(home / "window.xwd", out / f"{kind}-window.png")
    shutil.copyfile(home / "thumbnail.png", out / f"{kind}-thumbnail.png")
    if colours < 100:
        fail(f"the window under Xvfb has {colours} colours: nothing was drawn ({out}/{kind}-window.png).")
    print(f"  pictures: {out}/{kind}-window.png, {out}/{kind}-thumbnail.png")


def unpack(tar, folder):
    subprocess.run(["tar", "-C", folder, "-xf", tar], check=True)


def try_debs(root, given):
    packages = sorted(given.packages.glob("*.deb"))
    install(root, packages, [])
    print(f"  installed by apt: {', '.join(package.name for package in packages)}", flush=True)
    try_steps(root, given.out, "deb", "/usr")
    ok(root, "apt-get -qq purge -y 'plumbline*' && ! find / -xdev -path '*plumbline*' -not -path '/home/*' -not -path '/tmp/*' "
             "-not -path '/proc/*' -not -path '/var/lib/apt/*' -not -path '/var/log/*' | grep .", "removing", user=False)
    print("  removed again, and nothing of it is left")


def try_tarball(root, given):
    archive, = given.packages.glob("*.tar.xz")
    install(root, [], DESKTOP)
    unpack(archive, root / "opt")
    tree, = (root / "opt").iterdir()
    if inside(root, "ls /usr/lib/*/libQt6* /usr/lib/*/libdnnl*")[0] == 0:
        fail("the system has Qt or oneDNN, so this proves nothing.")
    try_steps(root, given.out, "tarball", f"/opt/{tree.name}")
    place = root / "home" / "somebody" / "a place with blanks"
    shutil.move(tree, place)
    ok(root, "set -e; '/home/somebody/a place with blanks/bin/plumbline-cli' --version; "
             "QT_QPA_PLATFORM=offscreen '/home/somebody/a place with blanks/bin/plumbline' --self-test", "the moved tree")
    print("  moved to a folder with blanks, it still runs")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--kind", choices=("deb", "tarball", "all"), default="all")
    parser.add_argument("--suite", default="bookworm")
    parser.add_argument("--root-tar", type=pathlib.Path)
    given = parser.parse_args()
    if os.geteuid() != 0:
        fail("only root can make a clean system: use sudo.")
    given.out.mkdir(parents=True, exist_ok=True)
    tar = given.root_tar or given.out / f"{given.suite}.tar"
    make_root(tar, given.suite)
    for kind, steps in (("deb", try_debs), ("tarball", try_tarball)):
        if given.kind not in (kind, "all"):
            continue
        print(f"{kind} in a clean {given.suite}", flush=True)
        with tempfile.TemporaryDirectory(prefix="plumbline-root-") as folder:
            root = pathlib.Path(folder)
            root.chmod(0o755)
            unpack(tar, root)
            steps(root, given)


if __name__ == "__main__":
    main()
