status=$(curl --silent --show-error "$SPEECH_BASE_URL/v1/tts" \
  --header "Authorization: Bearer not-a-key" \
  --header "Content-Type: application/json" \
  --header "model: s2-pro" \
  --data '{ "text": "Hello." }' \
  --output answer --write-out '%{http_code}')
if [ "$status" != 200 ]; then cat answer; fi
