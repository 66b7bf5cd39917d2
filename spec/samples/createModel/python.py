import os

import requests

with open("sample.wav", "rb") as file:
    response = requests.post(
        f"{os.environ['SPEECH_BASE_URL']}/model",
        headers={"Authorization": f"Bearer {os.environ['SPEECH_API_KEY']}"},
        # A list, because voices and texts are repeated: one part for each recording.
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
