# Tests the answers of the operations of a path.
test_path() {
  venv/bin/schemathesis run openapi.json --url "$SPEECH_BASE_URL" -H "Authorization: Bearer $SPEECH_API_KEY" --include-path "$1" \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
    --phases coverage,fuzzing --max-examples 20 --no-color
}
case $1 in
  json) test_path /model ;;
  audio) test_path /v1/tts ;;
  stream) test_path /v1/tts/stream/with-timestamp ;;
esac
