"""The wheel, installed into an empty environment, carries its data and works."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UV = shutil.which("uv", path=Path(sys.executable).parent) or shutil.which("uv")


@pytest.mark.skipif(UV is None, reason="uv builds the wheel; 'make test' installs it")
def test_the_wheel_works_in_an_empty_environment(tmp_path):
    subprocess.run([UV, "build", "--quiet", "--wheel", "--out-dir", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("asker_audit-*.whl")
    venv.create(tmp_path / "env", with_pip=False)
    python = tmp_path / "env" / "bin" / "python"
    pins = ROOT / "requirements" / "audit.txt"
    install = [UV, "pip", "install", "--quiet", "--python", python, "--constraint", pins]
    subprocess.run([*install, f"{wheel}[alice]"], check=True)
    words = ["run", "--target", "alice", "--budget", "200", "--lang", "en,zh", "--out", "r"]
    done = subprocess.run(
        [tmp_path / "env" / "bin" / "asker", *words],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "r" / "report.html").stat().st_size > 10_000
