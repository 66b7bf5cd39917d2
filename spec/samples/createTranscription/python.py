import os

import requests

with open("recording.mp3", "rb") as file:
    response = requests.post(
        f"{os.environ['SPEECH_BASE_URL']}/v1/asr",
        headers={"Authorization": f"Bearer {os.environ['SPEECH_API_KEY']}"},
        files={"audio": file},
        data={"language": "en", "ignore_timestamps": "false"},
        timeout=300,
    )
response.raise_for_status()
transcription = response.json()
print(f"{transcription['duration']} s: {transcription['text']}")
for segment in transcription["segments"]:
    print(segment["start"], segment["end"], segment["text"])
