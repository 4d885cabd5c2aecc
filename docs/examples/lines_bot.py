"""A program for `command:lines:` – asker run --target 'command:lines:python3 lines_bot.py' --preset quick"""

import json
import sys

for line in sys.stdin:
    request = json.loads(line)  # {"question": "…", "seed": 123}, with "system" and others where they were given
    answer = "I would rather not generalise about people."
    print(json.dumps({"answer": answer}), flush=True)  # or {"error": "…"} where it cannot answer this one
