import type { AlignmentSegment, SynthesisRequest } from '@speech-api/types';
import { chunkText } from './chunks.ts';
import type { Script, Step } from './script.ts';
import { timeWords, withoutTags } from './words.ts';

/** How much audio comes with an event, in milliseconds; less than a whole one is shared out among the others. */
const eventMilliseconds = 400;
/** A text without a word in it is a short tone: an answer of nothing would be taken for a fault. */
const leastMilliseconds = 500;

/**
 * The script of a request: each word of its text once, in as many chunks as it asks for. Each chunk begins without a
 * snapshot, goes on with growing ones, and ends with the whole.
 */
export function writeScript(request: SynthesisRequest, speed: number): Script {
  return { steps: stepsOf(request, speed), ending: 'clean' };
}

function* stepsOf(request: SynthesisRequest, speed: number): Generator<Step> {
  const { text, ...settings } = request;
  const chunks = chunkText(withoutTags(text), settings);
  let offset = 0;
  for (const [index, content] of (chunks.length === 0 ? [''] : chunks).entries()) {
    const words = timeWords(content, speed);
    const segments = segmentsOf(words);
    const duration = Math.max(
      milliseconds(segments.at(-1)?.end ?? 0),
      words.length > 0 ? 0 : leastMilliseconds,
    );
    const about = { content, chunk_seq: index, chunk_audio_offset_sec: offset / 1000 };
    const events = Math.max(1, Math.floor(duration / eventMilliseconds));
    for (let event = 1; event <= events; event += 1) {
      const until = Math.round((duration * event) / events);
      const last = event === events;
      const told = last ? segments : segments.filter(({ end }) => milliseconds(end) <= until);
      const none = !last && (event === 1 || told.length === 0);
      const audio_duration = last ? duration / 1000 : (told.at(-1)?.end ?? 0);
      const alignment = none ? null : { audio_duration, segments: told };
      yield { ...about, audioUntil: (offset + until) / 1000, alignment };
    }
    offset += duration;
  }
}

function segmentsOf(words: ReturnType<typeof timeWords>): AlignmentSegment[] {
  let elapsed = 0;
  return words.map(({ text, milliseconds: taken }) => {
    const start = elapsed / 1000;
    elapsed += taken;
    return { text, start, end: elapsed / 1000 };
  });
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
