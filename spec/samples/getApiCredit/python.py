import os
from decimal import Decimal

import requests

# self is the owner of the key.
response = requests.get(
    f"{os.environ['SPEECH_BASE_URL']}/wallet/self/api-credit",
    headers={"Authorization": f"Bearer {os.environ['SPEECH_API_KEY']}"},
    timeout=30,
)
response.raise_for_status()
# A decimal number in a string: a float would round it.
print(Decimal(response.json()["credit"]))
