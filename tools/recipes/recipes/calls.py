# # Test a program in another language
# The sandbox and the mock say at `/__calls` what came, and what broke the specification.
import os

import requests

base_url = os.environ["SPEECH_BASE_URL"]
requests.delete(f"{base_url}/__calls").raise_for_status()

# Your program, which speaks:
requests.post(
    f"{base_url}/v1/tts",
    headers={"authorization": f"Bearer {os.environ['SPEECH_API_KEY']}", "model": "s2-pro"},
    json={"text": "Hello.", "format": "opus"},
).raise_for_status()

log = requests.get(f"{base_url}/__calls").json()
[call] = log["calls"]
assert log["invalid"] == 0, call["violations"]
assert call["operationId"] == "createSpeech"
assert call["settings"]["format"] == "opus"
print(call["method"], call["path"], call["status"])
