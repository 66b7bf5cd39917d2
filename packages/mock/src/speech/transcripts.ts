import { readBuilt } from '@speech-api/spec/read';
import type { SpeechStreamEvent } from '@speech-api/types';
import type { Script, Step } from './script.ts';

/** A transcript of the spec, as far as it is played back: its events, with the audio in seconds. */
type Lines = readonly [opening: Opening, ...rest: readonly unknown[]];

interface Opening {
  readonly request: { readonly body: { readonly format: string; readonly sample_rate: number } };
}

/** The repetition of a transcript that lasts an hour. */
const longest = { name: 'one-hour', repeats: 'two-chunks-balanced', seconds: 3_600 } as const;

let loaded: Readonly<Record<string, Lines>> | undefined;

function load(): Readonly<Record<string, Lines>> {
  loaded ??= readBuilt('transcripts.json') as unknown as Readonly<Record<string, Lines>>;
  return loaded;
}

/** The names that `Prefer: example=` takes for speech. */
export function transcriptNames(): string[] {
  return [...Object.keys(load()), longest.name];
}

export function isTranscript(name: string): boolean {
  return transcriptNames().includes(name);
}

/** The script of a transcript, or `undefined` when there is none of this name. */
export function readScript(name: string): Script | undefined {
  const isLongest = name === longest.name;
  const lines = load()[isLongest ? longest.repeats : name];
  if (!isTranscript(name) || lines === undefined) return undefined;
  const script = scriptOf(lines);
  return isLongest ? { ...script, steps: repeat(script) } : script;
}

function scriptOf(lines: Lines): Script & { readonly steps: readonly Step[] } {
  const { format, sample_rate: sampleRate } = lines[0].request.body;
  const pieces = lines.slice(1, -1).map((line) => Buffer.from((line as [number, string])[1], 'base64'));
  const { end } = lines.at(-1) as { readonly end: 'clean' | 'broken' };
  // Text after the last blank line never became an event.
  const events = Buffer.concat(pieces).toString('utf8').split('\n\n').slice(0, -1);
  const payloads = events.map((event) => event.replace(/^data: /, ''));
  const marked = payloads.some((payload) => !payload.startsWith('{'));
  let bytes = format === 'wav' ? -wavHeaderBytes : 0;
  const steps = payloads
    .filter((payload) => payload.startsWith('{'))
    .map((payload): Step => {
      const { audio_base64, ...about } = JSON.parse(payload) as SpeechStreamEvent;
      bytes += Buffer.byteLength(audio_base64, 'base64');
      return { ...about, audioUntil: bytes / (2 * sampleRate) };
    });
  return { steps, ending: end === 'broken' ? 'broken' : marked ? 'marker' : 'clean' };
}

const wavHeaderBytes = 44;

/** The same again and again, its times and numbers running on: no more of it is in memory than one event. */
function* repeat({ steps }: { readonly steps: readonly Step[] }): Generator<Step> {
  const seconds = steps.at(-1)?.audioUntil ?? longest.seconds;
  const chunks = (steps.at(-1)?.chunk_seq ?? 0) + 1;
  for (let round = 0; (round + 1) * seconds <= longest.seconds; round += 1) {
    const shift = round * seconds;
    for (const step of steps) {
      yield {
        ...step,
        audioUntil: shift + step.audioUntil,
        chunk_seq: round * chunks + step.chunk_seq,
        chunk_audio_offset_sec: rounded(shift + step.chunk_audio_offset_sec),
      };
    }
  }
}

/** To the microsecond, so that 0.1 + 0.2 is written as 0.3. */
function rounded(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
