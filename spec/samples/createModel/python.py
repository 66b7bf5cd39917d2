import os

import requests

base_url = os.environ["SPEECH_BASE_URL"]
api_key = os.environ["SPEECH_API_KEY"]

# Lists, because voices and texts can be repeated.
with open("sample.wav", "rb") as file:
    response = requests.post(
        f"{base_url}/model",
        headers={"Authorization": f"Bearer {api_key}"},
        files=[("voices", file)],
        data=[
            ("type", "tts"),
            ("title", "My voice"),
            ("train_mode", "fast"),
            ("visibility", "private"),
            ("texts", "What is said in the sample."),
        ],
        timeout=60,
    )
response.raise_for_status()
model = response.json()
print(model["_id"], model["state"])
