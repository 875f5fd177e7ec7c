"""Scores an NDJSON file of predictions against NDJSON truth by one published method, as a script of an evaluation does.

Arguments: the method, the events, the truth, and the seconds after which it stops. Prints how many events it scored, how long it took
from opening the files (imports are free), and their mean score.
"""

import asyncio
import json
import sys
import time
import warnings


def ragas():
    """ToolCallF1 of ragas."""
    from ragas.messages import AIMessage, HumanMessage, ToolCall
    from ragas.metrics.collections import ToolCallF1

    metric = ToolCallF1()
    loop = asyncio.new_event_loop()

    def score(event, gold):
        made = [ToolCall(name=call["name"], args=call["arguments"]) for call in event["tool_calls"]]
        due = [ToolCall(name=call["name"], args=call["arguments"]) for call in gold["expected_tool_calls"]]
        messages = [HumanMessage(content="?"), AIMessage(content="", tool_calls=made)]
        return loop.run_until_complete(metric.ascore(user_input=messages, reference_tool_calls=due)).value

    return score


def agentevals():
    """The unordered trajectory match of agentevals."""
    from agentevals.trajectory.match import create_trajectory_match_evaluator

    evaluate = create_trajectory_match_evaluator(trajectory_match_mode="unordered", tool_args_match_mode="exact")

    def message(calls):
        functions = [{"name": call["name"], "arguments": json.dumps(call["arguments"])} for call in calls]
        return [{"role": "assistant", "content": "", "tool_calls": [{"function": function} for function in functions]}]

    def score(event, gold):
        made, due = message(event["tool_calls"]), message(gold["expected_tool_calls"])
        return float(evaluate(outputs=made, reference_outputs=due)["score"])

    return score


def mcpeval():
    """The strict overall score of MCPEval's analysis: 0.4 names, 0.4 parameters and 0.2 order, position by position."""

    def plain(value):
        if isinstance(value, str):
            return value.strip().lower()
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, list):
            return [plain(item) for item in value]
        if isinstance(value, dict):
            return {plain(key): plain(item) for key, item in value.items()}
        return value

    def same(one, other):
        if isinstance(one, (int, float)) and isinstance(other, (int, float)):
            return abs(one - other) < 1e-6
        return one == other

    def parameters(made, due):
        if not due:
            return 1.0
        return sum(key in made and same(plain(made[key]), plain(value)) for key, value in due.items()) / len(due)

    def common(one, other):
        row = [0] * (len(other) + 1)
        for name in one:
            last = 0
            for at, against in enumerate(other, 1):
                last, row[at] = row[at], last + 1 if name == against else max(row[at], row[at - 1])
        return row[-1]

    def score(event, gold):
        made, due = event["tool_calls"], gold["expected_tool_calls"]
        if not due:
            return 0.0 if made else 1.0
        pairs = [(call, want) for call, want in zip(made, due) if call["name"] == want["name"]]
        fits = [parameters(call["arguments"], want["arguments"]) for call, want in pairs]
        param = sum(fits) / len(fits) if fits else 0.0
        order = common([call["name"] for call in made], [want["name"] for want in due])
        return 0.4 * len(pairs) / len(due) + 0.4 * param + 0.2 * order / len(due)

    return score


def deepfabric():
    """DeepFabric's overall score of the first call: 0.40 selection, 0.35 parameters and 0.25 execution."""
    types = {
        "integer": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value),
        "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
        "boolean": lambda value: isinstance(value, bool),
        "array": lambda value: isinstance(value, list),
        "object": lambda value: isinstance(value, dict),
        "null": lambda value: value is None,
    }

    def accepts(kind, value):
        if isinstance(kind, list):
            return any(accepts(each, value) for each in kind)
        return types.get(kind, lambda text: isinstance(text, str))(value)

    def fits(schema, given):
        known = schema.get("properties", {})
        if any(name not in given for name in schema.get("required", [])):
            return False
        return all(accepts(known[name].get("type"), value) for name, value in given.items() if name in known)

    def score(event, gold):
        made, due = event["tool_calls"], gold["expected_tool_calls"]
        if not due or not made:
            return 0.0
        tools = {tool["name"]: tool["parameters"] for tool in reversed(gold["tools"])}
        selected = made[0]["name"] == due[0]["name"]
        valid = made[0]["name"] in tools and fits(tools[made[0]["name"]], made[0]["arguments"])
        return 0.40 * selected + 0.35 * valid + 0.25 * (selected and valid)

    return score


method, events, truth, seconds = sys.argv[1:5]
warnings.simplefilter("ignore")
score = {"ragas": ragas, "agentevals": agentevals, "mcpeval": mcpeval, "deepfabric": deepfabric}[method]()
start = time.perf_counter()
with open(truth, encoding="utf8") as lines:
    golds = {row["example_id"]: row for row in map(json.loads, lines)}
count, total = 0, 0.0
with open(events, encoding="utf8") as lines:
    for event in map(json.loads, lines):
        total += score(event, golds[event["example_id"]])
        count += 1
        if time.perf_counter() - start > float(seconds):
            break
print(json.dumps({"events": count, "seconds": time.perf_counter() - start, "score": total / count}))
