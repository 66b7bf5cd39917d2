curl --fail-with-body --silent --show-error --request POST "$SPEECH_BASE_URL/__sandbox/reset"
curl --fail-with-body --silent --show-error "$SPEECH_BASE_URL/__sandbox/health"
