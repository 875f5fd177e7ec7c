"""Runs a graph with the callback of a guide: the guide's code, with the address to send to, in; nothing out. The model says what it was told to."""

import json
import sys

from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode


@tool
def get_weather(city: str) -> str:
    """The weather of a city."""
    return f"14 degrees in {city}"


call = {"id": "c1", "name": "get_weather", "args": {"city": "Oslo"}}
answers = iter([AIMessage(content="", tool_calls=[call]), AIMessage(content="It is sunny.")])
builder = StateGraph(MessagesState)
builder.add_node("model", lambda state: {"messages": [next(answers)]})
builder.add_node("tools", ToolNode([get_weather]))
builder.add_edge(START, "model")
builder.add_conditional_edges("model", lambda state: "tools" if state["messages"][-1].tool_calls else END)
builder.add_edge("tools", "model")
names = {"graph": builder.compile(), "question": "How is the weather in Oslo?"}
exec(json.load(sys.stdin), names)
json.dump(None, sys.stdout)
