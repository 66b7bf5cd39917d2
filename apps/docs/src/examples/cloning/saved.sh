curl --fail-with-body --silent --show-error "$SPEECH_BASE_URL/model" \
  --header "Authorization: Bearer $SPEECH_API_KEY" \
  --form type=tts --form title=Ann --form train_mode=fast --form visibility=private \
  --form voices=@ann.wav --form 'texts=What Ann says in her sample.' \
  --output voice.json
