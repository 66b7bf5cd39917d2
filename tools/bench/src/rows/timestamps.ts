import { Buffer } from 'node:buffer';
import { readSpeechEvents } from '@speech-api/streaming';
import { createParser } from 'eventsource-parser';
import { cpuTime } from '../measure/cpu-time.ts';
import { interleave } from '../measure/interleave.ts';
import { runChild } from '../measure/run-child.ts';
import { eventBytes, words } from '../measure/timestamp-stream.ts';
import type { Row } from '../row.ts';

async function* bodyOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, void> {
  yield* pieces;
}

async function readOurs(pieces: readonly Uint8Array[], readsAlignment: boolean): Promise<number> {
  let seen = 0;
  for await (const event of readSpeechEvents(bodyOf(pieces))) {
    if (event.type === 'audio-chunk') seen += event.audio.length;
    else if (readsAlignment && event.type === 'alignment-update') seen += event.alignment.segments.length;
  }
  return seen;
}

/** What a caller writes by hand. */
function readByHand(pieces: readonly Uint8Array[]): number {
  let seen = 0;
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      const { audio_base64, alignment } = JSON.parse(data);
      seen += Buffer.from(audio_base64, 'base64').length + alignment.segments.length;
    },
  });
  for (const piece of pieces) parser.feed(decoder.decode(piece, { stream: true }));
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
  target: '<= 5 us when the alignment is not read, <= 50 us when it is (45 us by hand)',
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
      const { unread, read, hand, scanned } = await interleave(
        {
          unread: each(() => readOurs(pieces, false)),
          read: each(() => readOurs(pieces, true)),
          hand: each(() => readByHand(pieces)),
          scanned: each(() => scan(pieces)),
        },
        15,
      );
      const reference = { name: 'eventsource-parser + JSON.parse', value: hand };
      const peers = [{ name: 'one scan', value: scanned }];
      // The targets are of another, idle machine, where the work by hand took 45 us.
      const machine = hand / 45;
      const unit = 'us' as const;
      results.push(
        { variant: `${variant}, unread`, ours: unread, unit, reference, peers, met: unread <= 5 * machine },
        { variant: `${variant}, read`, ours: read, unit, reference, peers, met: read <= 50 * machine },
      );
    }
    return results;
  },
};

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
        half: () => cpuTime(() => readOurs(four, true)),
        whole: () => cpuTime(() => readOurs(eight, true)),
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
