/** Text and settings for playing an example on a page. */
export interface HearWords {
  readonly text: string;
  readonly voices?: readonly string[];
  readonly model?: string;
  readonly speed?: number;
  readonly volume?: number;
}

const calls = /\b(?:speech\.create|streamWithTimestamps|speakLong|\.speak)\(|\/v1\/tts\b/;

/** Whether a sample requests speech, so that a reader will want to play it. */
export function asksForSpeech(code: string): boolean {
  return calls.test(code);
}

/** Text and settings in the literals of a sample's speech request; undefined if its text is not a literal. */
export function spokenBy(code: string): HearWords | undefined {
  const text = literal(code, 'text');
  if (text === undefined) return undefined;
  const voices = voicesOf(code);
  const model = literal(code, 'model');
  const speed = figure(code, 'speed');
  const volume = figure(code, 'volume');
  return {
    text,
    ...(voices === undefined ? {} : { voices }),
    ...(model === undefined ? {} : { model }),
    ...(speed === undefined ? {} : { speed }),
    ...(volume === undefined ? {} : { volume }),
  };
}

/** The string after a key, in TypeScript as in JSON. */
function literal(code: string, key: string): string | undefined {
  const found = new RegExp(`["']?\\b${key}["']?\\s*[:=]\\s*(["'])((?:(?!\\1)[^\\\\\\n]|\\\\.)*)\\1`).exec(
    code,
  );
  return found?.[2]?.replaceAll(/\\(.)/g, '$1');
}

function voicesOf(code: string): string[] | undefined {
  const one = literal(code, 'reference_id');
  if (one !== undefined) return [one];
  const [, list] = /["']?reference_id["']?\s*:\s*\[([^\]]*)\]/.exec(code) ?? [];
  return list?.match(/(?<=["'])[\w-]+(?=["'])/g) ?? undefined;
}

function figure(code: string, key: string): number | undefined {
  const [, value] = new RegExp(`["']?\\b${key}["']?\\s*:\\s*(-?[\\d.]+)`).exec(code) ?? [];
  return value === undefined ? undefined : Number(value);
}
