"""What tests of asking by hand share."""

import pytest

from asker.config import Settings
from asker.folder import open_or_make
from asker.run import plan_for, target_of


@pytest.fixture
def make(tmp_path, small):
    opened = []

    def run(**more):
        chosen = {"target": "manual:Bot", "data": str(small), "preset": "full", "attributes": ("gender",)}
        wanted = Settings(**{**chosen, "out": str(tmp_path / "run"), **more})
        dataset, plan = plan_for(wanted)
        opened.append(open_or_make(wanted, dataset, plan, target_of(wanted, plan)))
        return opened[-1]

    yield run
    for one in opened:
        one.close()
