import os

import requests

base_url = os.environ["SPEECH_BASE_URL"]
api_key = os.environ["SPEECH_API_KEY"]

response = requests.get(
    f"{base_url}/model/sandbox-alba",
    headers={"Authorization": f"Bearer {api_key}"},
    timeout=30,
)
if response.status_code == 404:
    print("there is no such voice")
else:
    response.raise_for_status()
    model = response.json()
    print(model["title"], model["state"], model.get("languages", []))
