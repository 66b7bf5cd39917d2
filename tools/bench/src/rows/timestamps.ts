import { Buffer } from 'node:buffer';
import { startSandbox } from '@speech-api/sandbox';
import { readSpeechEvents } from '@speech-api/streaming';
import type { SynthesisRequest } from '@speech-api/types';
import { createParser } from 'eventsource-parser';
import { cpuTime } from '../measure/cpu-time.ts';
import { interleave } from '../measure/interleave.ts';
import { runChild } from '../measure/run-child.ts';
import { eventBytes, words } from '../measure/timestamp-stream.ts';
import type { Row } from '../row.ts';

const byHand = 'eventsource-parser + JSON.parse';
const sentence = 'The quick brown fox jumps over the lazy dog.';
const page = Array.from({ length: 30 }, () => sentence).join(' ');

async function* bodyOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, void> {
  yield* pieces;
}

async function readOurs(pieces: readonly Uint8Array[]): Promise<number> {
  let seen = 0;
  for await (const event of readSpeechEvents(bodyOf(pieces))) {
    if (event.type === 'audio-chunk') seen += event.audio.length;
    else if (event.type === 'alignment-update') seen += event.alignment.segments.length;
  }
  return seen;
}

/** What a caller writes by hand: append the audio, keep the latest snapshot of each `chunk_seq`. */
async function readByHand(pieces: readonly Uint8Array[]): Promise<number> {
  let seen = 0;
  const latest = new Map<number, unknown>();
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      const { audio_base64, alignment, chunk_seq } = JSON.parse(data);
      seen += Buffer.from(audio_base64, 'base64').length + (alignment?.segments.length ?? 0);
      if (alignment !== null) latest.set(chunk_seq, alignment);
    },
  });
  for await (const piece of bodyOf(pieces)) parser.feed(decoder.decode(piece, { stream: true }));
  return seen;
}

/** The least that anybody must do: look at each byte once. */
function scan(pieces: readonly Uint8Array[]): number {
  let seen = 0;
  for (const piece of pieces)
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) seen += 1;
  return seen;
}

export const oneEvent: Row = {
  id: 'timestamp-event',
  what: 'decode of one timestamp event (16 KB, 200 segments)',
  target: '<= 1 x by hand when every snapshot is new, <= 0.4 x when it repeats or grows',
  async measure() {
    const count = 1000;
    const same = words(200);
    // A few events over and over, so that they lie in the cache, as bytes do that have just arrived.
    const distinct = 32;
    const streams = {
      'repeated snapshots': Array.from({ length: distinct }, () =>
        eventBytes({ segments: same, audioBytes: 5400 }),
      ),
      'last word corrected': Array.from({ length: distinct }, (_, index) => {
        const segments = words(200);
        const last = segments.at(-1);
        if (last !== undefined) last.end += index / 100;
        return eventBytes({ segments, audioBytes: 5400 });
      }),
      // Told from a repeated snapshot only in its second half.
      'half of the words new': Array.from({ length: distinct }, (_, index) => {
        const segments = words(200).map(({ text, ...times }, word) => ({
          text: word < 100 ? text : `${text}${index}`,
          ...times,
        }));
        return eventBytes({ segments, audioBytes: 5200 });
      }),
      'every snapshot new': Array.from({ length: distinct }, (_, index) => {
        const segments = words(200).map(({ text, ...times }) => ({ text: `${text}${index}`, ...times }));
        return eventBytes({ segments, audioBytes: 5000 });
      }),
    };
    const results = [];
    for (const [variant, events] of Object.entries(streams)) {
      const pieces = Array.from(
        { length: count },
        (_, index) => events[index % distinct] ?? new Uint8Array(),
      );
      const each = (run: () => unknown) => async () => ((await cpuTime(run)) * 1000) / count;
      const { ours, hand, scanned } = await interleave(
        {
          ours: each(() => readOurs(pieces)),
          hand: each(() => readByHand(pieces)),
          scanned: each(() => scan(pieces)),
        },
        15,
      );
      const isNew = variant.endsWith('new');
      results.push({
        variant,
        ours,
        unit: 'us' as const,
        reference: { name: byHand, value: hand },
        peers: [{ name: 'one scan', value: scanned }],
        met: ours <= (isNew ? 1 : 0.4) * hand,
      });
    }
    return results;
  },
};

/** Streams of the sandbox, recorded first and read afterwards, so that its own work does not count. */
export const recordedStreams: Row = {
  id: 'timestamp-recorded',
  what: 'decode of a timestamp stream recorded from the sandbox',
  target: '<= 1 x by hand',
  async measure() {
    const sandbox = await startSandbox({ port: 0 });
    const streams = new Map<string, Uint8Array[]>();
    try {
      for (const [name, format, text] of [
        ['a sentence, opus', 'opus', sentence],
        ['a page, opus', 'opus', page],
        ['a page, pcm', 'pcm', page],
      ] as const) {
        streams.set(name, await record(sandbox.url, { format, text, reference_id: 'sandbox-alba' }));
      }
    } finally {
      await sandbox.close();
    }
    const results = [];
    for (const [variant, pieces] of streams) {
      // Short ones are read again and again, until the clock of the processor can tell.
      const times = Math.ceil(20_000_000 / pieces.reduce((sum, piece) => sum + piece.length, 0));
      const again = (read: (pieces: readonly Uint8Array[]) => unknown) => async () => {
        const milliseconds = await cpuTime(async () => {
          for (let time = 0; time < times; time++) await read(pieces);
        });
        return milliseconds / times;
      };
      const { ours, hand } = await interleave({ ours: again(readOurs), hand: again(readByHand) }, 15);
      const reference = { name: byHand, value: hand };
      results.push({ variant, ours, unit: 'ms' as const, reference, met: ours <= hand });
    }
    return results;
  },
};

async function record(url: string, request: SynthesisRequest): Promise<Uint8Array[]> {
  const response = await fetch(`${url}/v1/tts/stream/with-timestamp`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key', model: 's2-pro', 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (!response.ok || response.body === null) throw new Error(`the sandbox answered ${response.status}`);
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) pieces.push(piece);
  return pieces;
}

export const growing: Row = {
  id: 'growing-chunk',
  what: '10 000 events in one growing chunk_seq (2.5 GB)',
  target: '<= 2 s (one scan 1.1 s, by hand 12.9 s); memory O(last snapshot)',
  async measure() {
    const figures = await interleaveChildren(['ours', 'scan', 'hand'], 3);
    const [ours, scanned, hand] = [figures.ours, figures.scan, figures.hand];
    if (ours === undefined || scanned === undefined || hand === undefined)
      throw new Error('a figure is missing');
    const snapshot = ours.snapshotMegabytes ?? 0;
    return [
      {
        variant: 'time',
        ours: ours.seconds ?? 0,
        unit: 's',
        reference: { name: 'one scan', value: scanned.seconds ?? 0 },
        peers: [{ name: 'eventsource-parser + JSON.parse', value: hand.seconds ?? 0 }],
        met: (ours.seconds ?? 0) <= (2 / 1.1) * (scanned.seconds ?? 0),
      },
      {
        variant: 'live memory at its highest, after collection',
        ours: ours.liveMegabytes ?? 0,
        unit: 'MB',
        reference: { name: 'the last snapshot as text', value: snapshot },
        met: (ours.liveMegabytes ?? 0) <= 10 * snapshot,
      },
    ];
  },
};

/** Takes turns too, each turn in a process of its own; gives the median by time. */
async function interleaveChildren(names: readonly string[], rounds: number) {
  const figures = new Map<string, Record<string, number>[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      // By hand it takes half a minute; once is enough to tell.
      if (name !== 'hand' || round === 0) figures.get(name)?.push(await runChild('growing-chunk', name));
    }
  }
  return Object.fromEntries(
    [...figures].map(([name, all]) => {
      const sorted = all.toSorted((left, right) => (left.seconds ?? 0) - (right.seconds ?? 0));
      return [name, sorted[sorted.length >> 1]];
    }),
  );
}

export const largeEvent: Row = {
  id: 'large-event',
  what: 'one 8 MB event in small pieces',
  target: 'linear: 8 MB / 4 MB <= 2.6',
  async measure() {
    const piecesOf = (megabytes: number) => {
      const bytes = eventBytes({ segments: words(200), audioBytes: megabytes * 750_000 });
      const pieces: Uint8Array[] = [];
      for (let start = 0; start < bytes.length; start += 1024)
        pieces.push(bytes.subarray(start, start + 1024));
      return pieces;
    };
    const [four, eight] = [piecesOf(4), piecesOf(8)];
    const { half, whole } = await interleave(
      {
        half: () => cpuTime(() => readOurs(four)),
        whole: () => cpuTime(() => readOurs(eight)),
      },
      15,
    );
    return [
      {
        ours: whole,
        unit: 'ms',
        reference: { name: 'a 4 MB event', value: half },
        met: whole / half <= 2.6,
      },
    ];
  },
};
