import os

import requests

base_url = os.environ["SPEECH_BASE_URL"]
api_key = os.environ["SPEECH_API_KEY"]

response = requests.get(
    f"{base_url}/wallet/self/package",
    headers={"Authorization": f"Bearer {api_key}"},
    timeout=30,
)
response.raise_for_status()
package = response.json()
print(f"{package['balance']} of {package['total']} left")
