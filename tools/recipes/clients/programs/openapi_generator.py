import base64
import json
import os
import sys

from openapi_client import ApiClient, Configuration, SpeechApi, VoiceModelsApi
from openapi_client.models import SingleSpeakerRequest, SpeechStreamEvent, SynthesisRequest

client = ApiClient(Configuration(host=os.environ["SPEECH_BASE_URL"], access_token=os.environ["SPEECH_API_KEY"]))
request = SynthesisRequest(SingleSpeakerRequest(text="Good morning."))

if sys.argv[1] == "json":
    print(VoiceModelsApi(client).list_models().total)
elif sys.argv[1] == "audio":
    with open("speech.mp3", "wb") as file:
        file.write(SpeechApi(client).create_speech("s2-pro", request))
else:
    # The generated method reads the whole answer as one event; this one gives the lines as they arrive.
    answer = SpeechApi(client).stream_speech_with_timestamps_without_preload_content("s2-pro", request)
    with open("speech.mp3", "wb") as file:
        for line in answer:
            if line.startswith(b"data:"):
                event = SpeechStreamEvent.from_dict(json.loads(line[5:]))
                file.write(base64.b64decode(event.audio_base64))
