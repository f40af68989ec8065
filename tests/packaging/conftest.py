"""The scripts in ``packaging`` are no package: their folder is put where Python looks."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "packaging"))
