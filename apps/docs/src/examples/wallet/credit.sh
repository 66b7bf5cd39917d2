curl --fail-with-body --silent --show-error "$SPEECH_BASE_URL/wallet/self/api-credit" \
  --header "Authorization: Bearer $SPEECH_API_KEY"
