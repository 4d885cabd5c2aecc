"""What can be audited: each suite brings its questions and its measures.

A suite is a module, or a package, that offers

- `Source`: the type of what its questions are made from (`types.Source`); it is kept whole in a run's folder
- `OBEYS`: which of the settings that not every suite knows (`config.PARTICULAR`) it does; others are refused
- `source(settings)`: reads it; `fingerprint(source)`: its hash anew; `size(source)`: what is in it, counted
- `make_plan(source, settings)`: the questions (`types.Plan`)
- `default_judge(settings)`: who reads the answers
- `SENSITIVE`: its questions can hurt, so a notice comes before them
- `measure(plan, heard, settings)`: all that a page shows of them (`types.Report`)

and, if it has or can,

- `DEFAULTS`: settings that it leaves at something else than all others do
- `design`: what a plan can show; `seen`: rates a run can be stopped by
- `facets` with `find`: its questions by what they are about (`finding.py`)
- `contrast(pairs, plan_a, plan_b)`: what differs between two runs (`contrast.Contrast`); `LAID`: which columns of its
  tables are laid side by side for more
- `next_round(plan, heard, settings)`: an `Aim` for a further round of asking, or None; its `make_plan` then takes the
  aims of all rounds after the first as well
"""
