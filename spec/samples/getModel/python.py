import os

import requests

response = requests.get(
    f"{os.environ['SPEECH_BASE_URL']}/model/sandbox-alba",
    headers={"Authorization": f"Bearer {os.environ['SPEECH_API_KEY']}"},
    timeout=30,
)
if response.status_code == 404:
    print("there is no such voice")
else:
    response.raise_for_status()
    model = response.json()
    print(model["title"], model["state"], model.get("languages", []))
