#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a tarball that runs where nothing but a desktop is installed: our programs with the libraries that they need.

    portable.py --prefix INSTALLED --qt-plugins FOLDER --name NAME --out FILE.tar.xz --epoch SECONDS

INSTALLED is what `cmake --install` wrote; it is copied, never changed. Libraries come from this machine, into lib/, where
the programs look first (their RPATH, which holds for what they load too). What belongs to the system stays there: the C
library, graphics drivers, and what every desktop has and configures (LEFT_TO_THE_SYSTEM). Plugins of Qt come beside
them, with a qt.conf that names their folder. Licences of everything carried come into share/doc/plumbline/carried.

The same inputs give the same bytes: names are sorted, times are the epoch, and owners are root.
"""

import argparse
import io
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

# Beside a program of another system's these would be wrong (drivers, what talks to a server, the C library), or have
# settings of the system (fonts, certificates). All are on a desktop of Debian 12 or Ubuntu 24.04. libOpenGL, which only
# passes calls on to the system's libGLdispatch, is not, where nothing uses Qt.
LEFT_TO_THE_SYSTEM = re.compile(
    r"^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|anl|nsl|mvec)|libstdc\+\+|libgcc_s"
    r"|libGL|libEGL|libGLX|libGLdispatch|libGLESv2|libdrm|libgbm|libglapi|libOpenCL|libcuda|libnvidia-.*"
    r"|libX11|libX11-xcb|libxcb|libXext|libICE|libSM|libwayland-(client|cursor|egl|server)"
    r"|libfontconfig|libfreetype|libexpat|libuuid|libz"
    r"|libdbus-1|libsystemd|libselinux|libglib-2\.0|libgthread-2\.0|libgobject-2\.0|libgio-2\.0|libgmodule-2\.0)\.so")

# Of Qt's plugins those that the window uses.
PLUGINS = ("platforms/libqxcb.so", "platforms/libqoffscreen.so", "platforms/libqwayland-generic.so",
           "platforms/libqwayland-egl.so", "wayland-shell-integration/libxdg-shell.so",
           "wayland-decoration-client/libbradient.so", "xcbglintegrations/libqxcb-glx-integration.so",
           "xcbglintegrations/libqxcb-egl-integration.so", "imageformats/libqsvg.so", "imageformats/libqjpeg.so",
           "iconengines/libqsvgicon.so", "sqldrivers/libqsqlite.so",
           "platforminputcontexts/libcomposeplatforminputcontextplugin.so",
           "platforminputcontexts/libibusplatforminputcontextplugin.so", "platformthemes/libqxdgdesktopportal.so")
NEEDED_PLUGINS = ("platforms/libqxcb.so", "platforms/libqoffscreen.so", "sqldrivers/libqsqlite.so")

QT_CONF = "[Paths]\nPrefix = ..\nPlugins = lib/qt6/plugins\nTranslations = share/qt6/translations\n"


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed_by(path):
    """The names of the libraries that a file asks for itself."""
    text = subprocess.run(["objdump", "-p", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^\s*NEEDED\s+(\S+)", text, re.MULTILINE)


def libraries_of(path):
    """Name and place of the libraries that have to be carried for a file: what those that are left to the system need
    is the system's too."""
    text = subprocess.run(["ldd", path], capture_output=True, text=True, check=True,
                          env={**os.environ, "LC_ALL": "C", "LD_LIBRARY_PATH": ""}).stdout
    missing = re.findall(r"^\s*(\S+) => not found", text, re.MULTILINE)
    if missing:
        sys.exit(f"portable.py: {path} needs {', '.join(missing)}, which this machine does not have.")
    places = dict(re.findall(r"^\s*(\S+) => (/\S+)", text, re.MULTILINE))
    wanted, found = needed_by(path), {}
    while wanted:
        name = wanted.pop()
        if name in found or name not in places or LEFT_TO_THE_SYSTEM.match(name):
            continue
        found[name] = places[name]
        wanted += needed_by(places[name])
    return found


def newest_glibc(files):
    """The newest version of the C library that any of the files asks for."""
    versions = set()
    for file in files:
        text = subprocess.run(["objdump", "-T", file], capture_output=True, text=True, check=True).stdout
        versions.update(tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([\d.]+)", text))
    return ".".join(map(str, max(versions, default=(0,))))


def licence_of(library):
    """The package of a library, and the file with its licence; None where dpkg knows neither."""
    for name in (library, os.path.realpath(library)):
        for place in (name, name.removeprefix("/usr")):
            found = subprocess.run(["dpkg-query", "-S", place], capture_output=True, text=True).stdout
            package = found.split(":", 1)[0].split(",")[0]
            licence = pathlib.Path("/usr/share/doc", package, "copyright")
            if package and licence.exists():
                return package, licence
    return None


def carry(tree, plugins):
    """Puts libraries and plugins into the tree, and says what was carried."""
    places = tree / "lib" / "qt6" / "plugins"
    programs = [path for path in sorted((tree / "bin").iterdir()) if is_elf(path)]
    carried = {}
    for name in PLUGINS if (tree / "bin" / "plumbline").exists() else ():
        source = plugins / name
        if not source.exists():
            if name in NEEDED_PLUGINS:
                sys.exit(f"portable.py: Qt's plugin {source} is missing: install it.")
            continue
        (places / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, places / name)
        programs.append(places / name)
        carried[str(source)] = places / name
    # All are looked up before the first is there: from then on the loader finds those.
    libraries = {name: place for program in programs for name, place in libraries_of(program).items()}
    for name, place in libraries.items():
        (tree / "lib").mkdir(exist_ok=True)
        shutil.copyfile(os.path.realpath(place), tree / "lib" / name)
        carried[place] = tree / "lib" / name
    unlicensed = []
    for source in sorted(carried):
        found = licence_of(source)
        if not found:
            unlicensed.append(source)
            continue
        folder = tree / "share" / "doc" / "plumbline" / "carried"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(found[1], folder / found[0])
    if unlicensed:
        sys.exit(f"portable.py: no licence is known of {', '.join(unlicensed)}: it cannot be passed on.")
    for path in carried.values():
        path.chmod(0o644)
        subprocess.run(["strip", "--strip-unneeded", path], check=True)
    return programs + list(carried.values())


def write(tree, name, out, epoch):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in [tree, *sorted(tree.rglob("*"))]:
            entry = archive.gettarinfo(path, f"{name}/{path.relative_to(tree)}" if path != tree else name)
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = epoch
            entry.mode = 0o755 if path.is_dir() or entry.mode & 0o100 else 0o644
            if path.is_file() and not path.is_symlink():
                with open(path, "rb") as file:
                    archive.addfile(entry, file)
            else:
                archive.addfile(entry)
    out.write_bytes(lzma.compress(content.getvalue(), preset=6))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prefix", type=pathlib.Path, required=True)
    parser.add_argument("--qt-plugins", type=pathlib.Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--epoch", type=int, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        tree = pathlib.Path(scratch, given.name)
        shutil.copytree(given.prefix, tree, symlinks=True)
        files = carry(tree, given.qt_plugins)
        (tree / "bin" / "qt.conf").write_text(QT_CONF)
        write(tree, given.name, given.out, given.epoch)
        print(f"{given.out}: {given.out.stat().st_size / 1e6:.1f} MB, {len(list((tree / 'lib').glob('*.so*')))} libraries, "
              f"needs glibc {newest_glibc(files)}")


if __name__ == "__main__":
    main()
