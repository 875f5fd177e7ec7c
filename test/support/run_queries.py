"""Runs the blocks of a page of queries in a folder: {page, folder} in, {sql, rows} out: rows of each SQL statement, and rows that pandas read."""

import contextlib
import json
import os
import re
import sys

import duckdb

request = json.load(sys.stdin)
with open(request["page"], encoding="utf-8") as page:
    text = page.read()
os.chdir(request["folder"])
connection = duckdb.connect()
answers = []
for block in re.findall(r"```sql\n(.*?)```", text, re.DOTALL):
    for statement in filter(str.strip, block.split(";")):
        answers.append(len(connection.execute(statement).fetchall()))
known = {}
with contextlib.redirect_stdout(sys.stderr):
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(block, known)
json.dump({"sql": answers, "scored": connection.execute("SELECT count(*) FROM scored").fetchone()[0],
           "pandas": len(known["rows"])}, sys.stdout)
