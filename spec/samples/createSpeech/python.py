import os

import requests

with requests.post(
    f"{os.environ['SPEECH_BASE_URL']}/v1/tts",
    headers={"Authorization": f"Bearer {os.environ['SPEECH_API_KEY']}", "model": "s2-pro"},
    json={"text": "Fresh bread and two cups of tea.", "format": "mp3"},
    stream=True,
    timeout=60,
) as response:
    response.raise_for_status()
    with open("speech.mp3", "wb") as file:
        for chunk in response.iter_content(chunk_size=None):
            file.write(chunk)
