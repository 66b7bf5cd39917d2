# Calls the stub of Specmatic in place of the service.
java -jar node_modules/specmatic/specmatic.jar stub openapi-3.1.json --port 9009 > stub.log 2>&1 &
trap 'kill $!' EXIT
curl -s --retry 60 --retry-connrefused --retry-delay 1 -o first.json http://127.0.0.1:9009/model
speak() {
  curl -sf "http://127.0.0.1:9009$1" -H 'authorization: Bearer any' -H 'model: s2-pro' -H 'content-type: application/json' \
    -d '{"text":"Good morning."}'
}
case $1 in
  json) curl -sf http://127.0.0.1:9009/model -H 'authorization: Bearer any' | node -p "JSON.parse(fs.readFileSync(0)).total" ;;
  audio) speak /v1/tts > speech.mp3 ;;
  stream) speak /v1/tts/stream/with-timestamp | sed -n 's/^data: *//p' | node -p 'JSON.parse(fs.readFileSync(0)).audio_base64' | base64 -d > speech.mp3 ;;
esac
