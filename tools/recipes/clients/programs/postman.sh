# Sends one request of the collection and writes the body of its answer to a file.
send() {
  npx newman run collection.json --folder "$1" --env-var baseUrl="$SPEECH_BASE_URL" \
    --env-var bearerToken="$SPEECH_API_KEY" --reporters json --reporter-json-export run.json
  node -e "fs.writeFileSync('$2', Buffer.from(JSON.parse(fs.readFileSync('run.json')).run.executions[0].response.stream.data))"
}
case $1 in
  json) send 'List voice models' list.json && node -p "JSON.parse(fs.readFileSync('list.json')).total" ;;
  audio) send 'Turn text into audio' speech.mp3 ;;
  stream) send 'Turn text into audio with timestamps' speech.mp3 ;;
esac
