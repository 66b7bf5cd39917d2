/** Characters of the audio that are shown: enough to see that it is base64. */
const shownCharacters = 24;

/** The payload of an event as JSON, the audio shortened and each segment on a line. */
export function writePayload(payload: object): string {
  const text = JSON.stringify(
    payload,
    (name, value: unknown) =>
      name === 'audio_base64' && typeof value === 'string' && value.length > shownCharacters
        ? `${value.slice(0, shownCharacters)}… (${value.length} characters)`
        : value,
    2,
  );
  return text.replace(
    /\{\s+"text": ("(?:[^"\\]|\\.)*"),\s+"start": (\S+),\s+"end": (\S+)\s+\}/g,
    '{ "text": $1, "start": $2, "end": $3 }',
  );
}
