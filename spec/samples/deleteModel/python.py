import os

import requests

response = requests.delete(
    f"{os.environ['SPEECH_BASE_URL']}/model/my-model-id",
    headers={"Authorization": f"Bearer {os.environ['SPEECH_API_KEY']}"},
    timeout=30,
)
response.raise_for_status()
