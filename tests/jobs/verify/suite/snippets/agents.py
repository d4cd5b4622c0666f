"""Agents that the google-adk questions are about; no model is called."""

# --8<-- [start:reserved]
from google.adk.agents import LlmAgent

LlmAgent(name="user", model="gemini-2.5-flash")
# --8<-- [end:reserved]

# --8<-- [start:compaction]
from google.adk.apps.app import EventsCompactionConfig

config = EventsCompactionConfig(compaction_interval=5)
print(config.overlap_size)
# --8<-- [end:compaction]

# --8<-- [start:two_parents]
from google.adk.agents import LlmAgent, SequentialAgent

writer = LlmAgent(name="writer")
SequentialAgent(name="first", sub_agents=[writer])
SequentialAgent(name="second", sub_agents=[writer])
# --8<-- [end:two_parents]

# --8<-- [start:parent]
from google.adk.agents import LlmAgent

critic = LlmAgent(name="critic")
editor = LlmAgent(name="editor", sub_agents=[critic])
print(critic.parent_agent.name)
# --8<-- [end:parent]
