import base64
import json
import os

import requests

base_url = os.environ["SPEECH_BASE_URL"]
api_key = os.environ["SPEECH_API_KEY"]

snapshots = {}
with requests.post(
    f"{base_url}/v1/tts/stream/with-timestamp",
    headers={
        "Authorization": f"Bearer {api_key}",
        "model": "s2-pro",
    },
    json={
        "text": "Every word knows its time.",
        "format": "opus",
    },
    stream=True,
    timeout=60,
) as response:
    response.raise_for_status()
    with open("speech.opus", "wb") as file:
        for line in response.iter_lines():
            if not line.startswith(b"data: {"):
                continue
            event = json.loads(line[len(b"data: ") :])
            file.write(base64.b64decode(event["audio_base64"]))
            # A snapshot replaces the one before it; null leaves it as it is.
            if event["alignment"] is not None:
                snapshots[event["chunk_seq"]] = event

for event in snapshots.values():
    offset = event["chunk_audio_offset_sec"]
    for segment in event["alignment"]["segments"]:
        start = offset + segment["start"]
        print(start, segment["text"])
