import os
from decimal import Decimal

import requests

base_url = os.environ["SPEECH_BASE_URL"]
api_key = os.environ["SPEECH_API_KEY"]

# self is the owner of the key.
response = requests.get(
    f"{base_url}/wallet/self/api-credit",
    headers={"Authorization": f"Bearer {api_key}"},
    timeout=30,
)
response.raise_for_status()
# A decimal number in a string: a float would round it.
print(Decimal(response.json()["credit"]))
