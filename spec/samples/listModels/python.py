import os

import requests

response = requests.get(
    f"{os.environ['SPEECH_BASE_URL']}/model",
    headers={"Authorization": f"Bearer {os.environ['SPEECH_API_KEY']}"},
    params={"page_size": 5, "sort_by": "task_count", "language": ["en", "zh"]},
    timeout=30,
)
response.raise_for_status()
page = response.json()
print(f"{page['total']} voices")
for model in page["items"]:
    print(model["_id"], model["title"])
