import type { PageSettings } from '@speech-api/sandbox/browser';

/** Text and settings for playing an example on a page. */
export interface HearWords extends PageSettings {
  readonly text: string;
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
  return {
    text,
    voices: voicesOf(code),
    model: literal(code, 'model'),
    speed: figure(code, 'speed'),
    volume: figure(code, 'volume'),
  };
}

/** The string after a key, in TypeScript as in JSON. */
function literal(code: string, key: string): string | undefined {
  const pattern = `["']?\\b${key}["']?\\s*[:=]\\s*(["'])((?:(?!\\1)[^\\\\\\n]|\\\\.)*)\\1`;
  const [, , text] = new RegExp(pattern).exec(code) ?? [];
  return text?.replaceAll(/\\(.)/g, '$1');
}

function voicesOf(code: string): string[] | undefined {
  const voice = literal(code, 'reference_id');
  if (voice !== undefined) return [voice];
  const [, list] = /["']?reference_id["']?\s*:\s*\[([^\]]*)\]/.exec(code) ?? [];
  return list?.match(/(?<=["'])[\w-]+(?=["'])/g) ?? undefined;
}

function figure(code: string, key: string): number | undefined {
  const [, value] = new RegExp(`["']?\\b${key}["']?\\s*:\\s*(-?[\\d.]+)`).exec(code) ?? [];
  return value === undefined ? undefined : Number(value);
}
