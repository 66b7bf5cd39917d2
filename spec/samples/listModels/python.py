import os

import requests

base_url = os.environ["SPEECH_BASE_URL"]
api_key = os.environ["SPEECH_API_KEY"]

response = requests.get(
    f"{base_url}/model",
    headers={"Authorization": f"Bearer {api_key}"},
    params={
        "page_number": 1,
        "page_size": 5,
        "sort_by": "task_count",
        "language": ["en", "zh"],
    },
    timeout=30,
)
response.raise_for_status()
page = response.json()
print(f"{page['total']} voices")
for model in page["items"]:
    print(model["_id"], model["title"])
