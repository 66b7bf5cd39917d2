import { Buffer } from 'node:buffer';
import { readSpeechEvents } from '@speech-api/streaming';
import { createParser } from 'eventsource-parser';
import { compare, type Result, type Row } from './measure.ts';
import { startServer } from './processes.ts';

type Pieces = readonly Uint8Array[];

async function* bodyOf(pieces: Pieces): AsyncGenerator<Uint8Array, void, void> {
  yield* pieces;
}

async function readOurs(pieces: Pieces): Promise<void> {
  for await (const _ of readSpeechEvents(bodyOf(pieces)));
}

/** The code that a caller would write by hand: append the audio, keep the latest snapshot of each `chunk_seq`. */
async function readByHand(pieces: Pieces): Promise<void> {
  const audio: Buffer[] = [];
  const latest = new Map<number, unknown>();
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      const { audio_base64, alignment, chunk_seq } = JSON.parse(data);
      audio.push(Buffer.from(audio_base64, 'base64'));
      if (alignment !== null) latest.set(chunk_seq, alignment);
    },
  });
  for await (const piece of bodyOf(pieces)) parser.feed(decoder.decode(piece, { stream: true }));
}

/** One event as a service writes it, with words of a third of a second; `round` makes it differ from others. */
function eventOf(words: number, audioBytes: number, round = 0): Buffer {
  const segments = Array.from({ length: words }, (_, index) => ({
    text: `word${index}${round}`,
    start: Math.round(index * 31) / 100,
    end: Math.round(index * 31 + 25) / 100,
  }));
  const payload = {
    audio_base64: Buffer.alloc(audioBytes, words).toString('base64'),
    content: 'The words of this chunk of text.',
    alignment: { audio_duration: segments.at(-1)?.end ?? 0, segments },
    chunk_seq: 0,
    chunk_audio_offset_sec: 0,
  };
  return Buffer.from(`data: ${JSON.stringify(payload)}\n\n`);
}

/** The sandbox's stream for a text, in the pieces in which it arrived. */
async function recorded(url: string, text: string): Promise<Pieces> {
  const response = await fetch(`${url}/v1/tts/stream/with-timestamp`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key', model: 's2-pro', 'content-type': 'application/json' },
    body: JSON.stringify({ text, format: 'opus' }),
  });
  if (!response.ok || response.body === null) throw new Error(`the sandbox answered ${response.status}`);
  return Array.fromAsync(response.body);
}

const decoding: Row = {
  id: 'timestamp-event',
  what: 'decode of timestamp events, for each 16 KB',
  target: '<= 1.3 x by hand; a stream of small events <= 2 x',
  async measure() {
    await using sandbox = await startServer('sandbox');
    const sentence = 'The quick brown fox jumps over the lazy dog. ';
    const repeated = (read: (pieces: Pieces) => Promise<void>, pieces: Pieces, times: number) => async () => {
      for (let time = 0; time < times; time += 1) await read(pieces);
    };
    const results: Result[] = [];
    for (const [variant, pieces] of Object.entries({
      'one of 200 words, repeated': Array.from({ length: 32 }, () => eventOf(200, 5200)),
      'one of 200 words, always new': Array.from({ length: 32 }, (_, event) => eventOf(200, 5200, event)),
      'a sentence of the sandbox': await recorded(sandbox.url, sentence),
      'a page of the sandbox': await recorded(sandbox.url, sentence.repeat(30)),
    })) {
      const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
      // A short stream is read repeatedly, until the processor's clock can measure it.
      const times = Math.ceil(16_000_000 / bytes);
      const taken = await compare(
        { ours: repeated(readOurs, pieces, times), hand: repeated(readByHand, pieces, times) },
        { rounds: 15, clock: 'processor' },
      );
      const perEvent = (milliseconds: number): number => (milliseconds * 16e6) / (times * bytes);
      const references = { 'eventsource-parser + JSON.parse': perEvent(taken.hand) };
      const met = taken.ours <= (variant.endsWith('sandbox') ? 2 : 1.3) * taken.hand;
      results.push({ variant, ours: perEvent(taken.ours), unit: 'us', references, met });
    }
    return results;
  },
};

const largeEvent: Row = {
  id: 'large-event',
  what: 'one event of 8 MB in small pieces',
  target: '<= 2.6 x one of 4 MB',
  async measure() {
    const piecesOf = (megabytes: number): Pieces => {
      const event = eventOf(1, megabytes * 750_000);
      const size = 1000;
      return Array.from({ length: Math.ceil(event.length / size) }, (_, index) =>
        event.subarray(index * size, (index + 1) * size),
      );
    };
    const [half, whole] = [piecesOf(4), piecesOf(8)];
    const taken = await compare(
      { half: () => readOurs(half), whole: () => readOurs(whole) },
      { clock: 'processor' },
    );
    const met = taken.whole / taken.half <= 2.6;
    return [{ ours: taken.whole, unit: 'ms', references: { 'one of 4 MB': taken.half }, met }];
  },
};

export const events: readonly Row[] = [decoding, largeEvent];
