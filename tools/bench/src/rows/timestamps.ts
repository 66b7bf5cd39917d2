import { Buffer } from 'node:buffer';
import { readSpeechEvents } from '@speech-api/streaming';
import { createParser } from 'eventsource-parser';
import { cpuTime, interleave, type Result, type Row } from '../measure.ts';
import { runChild, startServer } from '../processes.ts';
import { countLines, eventBytes, type Segment, words } from '../timestamp-stream.ts';

type Pieces = readonly Uint8Array[];
const byHand = 'eventsource-parser + JSON.parse';

async function* bodyOf(pieces: Pieces): AsyncGenerator<Uint8Array, void, void> {
  yield* pieces;
}

async function readOurs(pieces: Pieces): Promise<void> {
  for await (const _ of readSpeechEvents(bodyOf(pieces)));
}

/** The code that a caller writes by hand: append the audio, keep the latest snapshot of each `chunk_seq`. */
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

/** Each snapshot of a stream, from the one before it: its segments by their index and that of the event. */
const snapshots: Readonly<Record<string, (segment: Segment, index: number, event: number) => Segment>> = {
  'repeated snapshots': (segment) => segment,
  'last word corrected': (segment, index, event) =>
    index < 199 ? segment : { ...segment, end: segment.end + event / 100 },
  // Told from a repeated snapshot only in its second half.
  'half of the words new': (segment, index, event) =>
    index < 100 ? segment : { ...segment, text: `${segment.text}${event}` },
  'every snapshot new': (segment, _index, event) => ({ ...segment, text: `${segment.text}${event}` }),
};

const oneEvent: Row = {
  id: 'timestamp-event',
  what: 'decode of one timestamp event (16 KB, 200 segments)',
  target: '<= 1 x by hand when every snapshot is new, <= 0.4 x when it repeats or grows',
  async measure() {
    const results: Result[] = [];
    for (const [variant, change] of Object.entries(snapshots)) {
      // A few events over and over, so that they lie in the cache, as bytes do that have just arrived.
      const events = Array.from({ length: 32 }, (_, event) =>
        eventBytes(
          words(200).map((segment, index) => change(segment, index, event)),
          5200,
        ),
      );
      const pieces = Array.from({ length: 32 }, () => events).flat();
      const each = (run: () => unknown) => async () => ((await cpuTime(run)) * 1000) / pieces.length;
      const { ours, hand, scan } = await interleave(
        {
          ours: each(() => readOurs(pieces)),
          hand: each(() => readByHand(pieces)),
          scan: each(() => pieces.reduce((sum, piece) => sum + countLines(piece), 0)),
        },
        15,
      );
      const references = { [byHand]: hand, 'one scan': scan };
      const met = ours <= (variant.endsWith('new') ? 1 : 0.4) * hand;
      results.push({ variant, ours, unit: 'us', references, met });
    }
    return results;
  },
};

const sentence = 'The quick brown fox jumps over the lazy dog.';
const page = Array.from({ length: 30 }, () => sentence).join(' ');

/** Streams of the sandbox, recorded first and read afterwards, so that its own work does not count. */
const recordedStreams: Row = {
  id: 'timestamp-recorded',
  what: 'decode of a timestamp stream recorded from the sandbox',
  target: '<= 1 x by hand',
  async measure() {
    await using sandbox = await startServer('sandbox');
    const results: Result[] = [];
    for (const [variant, format, text] of [
      ['a sentence, opus', 'opus', sentence],
      ['a page, opus', 'opus', page],
      ['a page, pcm', 'pcm', page],
    ] as const) {
      const pieces = await record(sandbox.url, { format, text, reference_id: 'sandbox-alba' });
      // Short ones are read again and again, until the clock of the processor can tell.
      const times = Math.ceil(20_000_000 / pieces.reduce((sum, piece) => sum + piece.length, 0));
      const again = (read: (pieces: Pieces) => Promise<void>) => async () => {
        const milliseconds = await cpuTime(async () => {
          for (let time = 0; time < times; time++) await read(pieces);
        });
        return milliseconds / times;
      };
      const { ours, hand } = await interleave({ ours: again(readOurs), hand: again(readByHand) }, 15);
      results.push({ variant, ours, unit: 'ms', references: { [byHand]: hand }, met: ours <= hand });
    }
    return results;
  },
};

async function record(url: string, request: object): Promise<Pieces> {
  const response = await fetch(`${url}/v1/tts/stream/with-timestamp`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key', model: 's2-pro', 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (!response.ok || response.body === null) throw new Error(`the sandbox answered ${response.status}`);
  return Array.fromAsync(response.body);
}

const growing: Row = {
  id: 'growing-chunk',
  what: '10 000 events in one growing chunk_seq (2.5 GB)',
  target: '<= 2 s (one scan 1.1 s, by hand 12.9 s); memory O(last snapshot)',
  async measure() {
    let { liveMegabytes = 0, snapshotMegabytes = 0 } = await runChild('growing-chunk', 'ours');
    const seconds = (name: string) => async () => {
      const figures = await runChild('growing-chunk', name);
      liveMegabytes = Math.max(liveMegabytes, figures.liveMegabytes ?? 0);
      return figures.seconds;
    };
    const { ours, scan } = await interleave({ ours: seconds('ours'), scan: seconds('scan') }, 3);
    // By hand it takes half a minute; once is enough to tell.
    const { seconds: hand = Number.NaN } = await runChild('growing-chunk', 'hand');
    return [
      {
        variant: 'time',
        ours,
        unit: 's',
        references: { 'one scan': scan, [byHand]: hand },
        met: ours <= (2 / 1.1) * scan,
      },
      {
        variant: 'live memory at its highest, after collection',
        ours: liveMegabytes,
        unit: 'MB',
        references: { 'the last snapshot as text': snapshotMegabytes },
        met: liveMegabytes <= 10 * snapshotMegabytes,
      },
    ];
  },
};

export const timestamps: readonly Row[] = [oneEvent, recordedStreams, growing];
