import os

import requests

# What is left out stays as it is.
response = requests.patch(
    f"{os.environ['SPEECH_BASE_URL']}/model/my-model-id",
    headers={"Authorization": f"Bearer {os.environ['SPEECH_API_KEY']}"},
    json={"title": "My voice, second try", "tags": ["calm", "narration"]},
    timeout=30,
)
response.raise_for_status()
