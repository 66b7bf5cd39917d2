# Sends the calls of calls.tsv with httpx.
import os
from pathlib import Path

import httpx

headers = {"authorization": f"Bearer {os.environ['SPEECH_API_KEY']}", "model": "s2-pro"}
client = httpx.Client(base_url=os.environ["SPEECH_BASE_URL"], headers=headers, timeout=20)
for line in Path("calls.tsv").read_text().splitlines():
    name, method, path, kind = line.split("\t")
    if name == "upload":
        sent = {"files": {"audio": open("sound.wav", "rb")}}
    elif method == "POST":
        sent = {"content": Path(f"{name}.body").read_bytes(), "headers": {"content-type": kind}}
    else:
        sent = {}
    try:
        answer = client.request(method, path, **sent)
        Path(f"{name}.answer").write_bytes(answer.content)
        print(name, answer.status_code)
    except httpx.HTTPError as error:
        print(name, "no answer:", repr(error))
