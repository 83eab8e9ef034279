"""Every example runs, on a few games, and prints something."""

import pathlib
import subprocess
import sys

import pytest

EXAMPLES = sorted((pathlib.Path(__file__).parent.parent / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example(example, games, tmp_path):
    args = [sys.executable, str(example), str(games), "Amateur", "300"]
    result = subprocess.run(args, capture_output=True, text=True, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip()


def test_there_are_examples():
    assert len(EXAMPLES) >= 3
