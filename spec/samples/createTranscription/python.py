import os

import requests

base_url = os.environ["SPEECH_BASE_URL"]
api_key = os.environ["SPEECH_API_KEY"]

with open("recording.mp3", "rb") as file:
    response = requests.post(
        f"{base_url}/v1/asr",
        headers={"Authorization": f"Bearer {api_key}"},
        files={"audio": file},
        data={"language": "en", "ignore_timestamps": "false"},
        timeout=300,
    )
response.raise_for_status()
transcription = response.json()
print(f"{transcription['duration']} s: {transcription['text']}")
for segment in transcription["segments"]:
    print(segment["start"], segment["end"], segment["text"])
