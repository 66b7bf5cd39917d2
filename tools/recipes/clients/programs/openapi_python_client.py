import base64
import json
import os
import sys

from generated import AuthenticatedClient
from generated.api.speech import create_speech
from generated.api.speech.stream_speech_with_timestamps import _get_kwargs
from generated.api.voice_models import list_models
from generated.models import SingleSpeaker, SpeechStreamEvent

client = AuthenticatedClient(base_url=os.environ["SPEECH_BASE_URL"], token=os.environ["SPEECH_API_KEY"])
request = SingleSpeaker(text="Good morning.")

if sys.argv[1] == "json":
    print(list_models.sync(client=client).total)
elif sys.argv[1] == "audio":
    with open("speech.mp3", "wb") as file:
        file.write(create_speech.sync_detailed(client=client, body=request, model="s2-pro").content)
else:
    # The generated function reads the whole answer as one event; httpx gives the lines as they arrive.
    call = _get_kwargs(body=request, model="s2-pro")
    with client.get_httpx_client().stream(**call) as answer, open("speech.mp3", "wb") as file:
        for line in answer.raise_for_status().iter_lines():
            if line.startswith("data:"):
                event = SpeechStreamEvent.from_dict(json.loads(line[5:]))
                file.write(base64.b64decode(event.audio_base64))
