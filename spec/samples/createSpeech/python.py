import os

import requests

base_url = os.environ["SPEECH_BASE_URL"]
api_key = os.environ["SPEECH_API_KEY"]

with requests.post(
    f"{base_url}/v1/tts",
    headers={
        "Authorization": f"Bearer {api_key}",
        "model": "s2-pro",
    },
    json={
        "text": "Fresh bread and two cups of tea.",
        "format": "mp3",
    },
    stream=True,
    timeout=60,
) as response:
    response.raise_for_status()
    with open("speech.mp3", "wb") as file:
        for chunk in response.iter_content(chunk_size=None):
            file.write(chunk)
