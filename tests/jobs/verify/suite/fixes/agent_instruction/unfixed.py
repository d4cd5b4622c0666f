from google.adk.agents import LlmAgent


def build():
    return LlmAgent(name="helper", model="gemini-2.5-flash", instructions="Answer briefly.")
