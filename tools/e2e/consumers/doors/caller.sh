# Sends the calls of calls.tsv with curl. The arguments are options of curl.
while IFS=$'\t' read -r name method path type; do
  body=()
  if [ "$name" = upload ]; then
    body=(--form audio=@sound.wav)
  elif [ "$method" = POST ]; then
    body=(--header "content-type: $type" --data-binary "@$name.body")
  fi
  status=$(curl --silent --show-error --max-time 20 "$@" --header "authorization: Bearer $SPEECH_API_KEY" --header 'model: s2-pro' \
    "${body[@]}" --output "$name.answer" --write-out '%{http_code}' "$SPEECH_BASE_URL$path")
  echo "$name $status"
done < calls.tsv
