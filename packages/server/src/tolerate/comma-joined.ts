/** `"calm, warm,,english"` as `["calm", "warm", "english"]`; also where a form gave one such string in a list. */
export function splitTags(value: unknown): unknown {
  const joined = onlyString(value);
  if (joined === undefined) return value;
  return joined
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Transcripts joined by commas, one for each voice. A transcript may hold commas itself, so the string is split only
 * when it falls into exactly as many parts as there are voices.
 */
export function splitTexts(value: unknown, voices: number): unknown {
  const joined = onlyString(value);
  const parts = joined?.split(',').map((part) => part.trim());
  if (joined === undefined || parts === undefined) return value;
  return parts.length === voices ? parts : [joined];
}

function onlyString(value: unknown): string | undefined {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof only === 'string' ? only : undefined;
}
