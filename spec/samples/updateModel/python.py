import os

import requests

base_url = os.environ["SPEECH_BASE_URL"]
api_key = os.environ["SPEECH_API_KEY"]

# What is left out stays as it is.
response = requests.patch(
    f"{base_url}/model/sandbox-draft",
    headers={"Authorization": f"Bearer {api_key}"},
    json={
        "title": "My voice, second try",
        "tags": ["calm", "narration"],
    },
    timeout=30,
)
response.raise_for_status()
