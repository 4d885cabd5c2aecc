"""The published figures agree with each other, as far as they can."""

import pytest

from asker.data.published import published

PAIRS = {
    "api": {"ability": 10, "age": 6, "body": 6, "gender": 21, "profession": 10, "race": 10, "religion": 10},
    "manual": {"ability": 1, "age": 3, "body": 1, "gender": 3, "profession": 1, "race": 3, "religion": 1},
}
TABLE_7, TABLE_8 = published()["absolute"], published()["relative"]


def by_pairs(system):
    """The overall rate that the rows of table 7 add up to, each pair of groups being asked alike often."""
    pairs = PAIRS[TABLE_7.designs[TABLE_7.systems.index(system)]]
    return sum(TABLE_7.cell(system, row).value * count for row, count in pairs.items()) / sum(pairs.values())


@pytest.mark.parametrize("system", TABLE_7.systems)
def test_the_overall_rate_follows_from_the_rows_except_where_the_note_says_so(system):
    printed = TABLE_7.cell(system, "overall").value
    noted = {name for note in TABLE_7.notes if note.row == "overall" for name in note.systems}
    if system in noted:
        assert f"{100 * by_pairs(system):.2f}" in next(note.text for note in TABLE_7.notes if note.row == "overall")
        assert printed > 1.9 * by_pairs(system)
    else:
        assert printed == pytest.approx(by_pairs(system), abs=2e-4)


@pytest.mark.parametrize("system", TABLE_8.systems)
def test_the_average_of_table_8_is_that_of_its_rows(system):
    rows = [TABLE_8.cell(system, row).value for row in TABLE_8.rows if row != "overall"]
    assert TABLE_8.cell(system, "overall").value == pytest.approx(sum(rows) / len(rows), abs=0.011)


def test_every_row_has_a_figure_for_every_system_and_a_dash_is_no_data():
    for table in published().values():
        assert {len(row) for row in table.rows.values()} == {len(table.systems)} == {len(table.designs)}
    assert published()["term-1 absolute"].cell("A.L.I.C.E.", "overall").value == 0.330
    assert published()["term-1 relative"].cell("A.L.I.C.E.", "religion").value is None
