import os

import requests

response = requests.get(
    f"{os.environ['SPEECH_BASE_URL']}/wallet/self/package",
    headers={"Authorization": f"Bearer {os.environ['SPEECH_API_KEY']}"},
    timeout=30,
)
response.raise_for_status()
package = response.json()
print(f"{package['balance']} of {package['total']} left until {package['finished_at']}")
