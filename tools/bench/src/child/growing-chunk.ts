// One reader over a chunk that grows by a word with each of 10 000 events.
import { readSpeechEvents, Timeline } from '@speech-api/streaming';
import { createParser } from 'eventsource-parser';
import { cpuTime } from '../measure/cpu-time.ts';
import { growingChunk } from '../measure/timestamp-stream.ts';

const events = 10_000;
const readers: Record<string, () => Promise<number>> = { ours, scan, hand };
let live = 0;
let bytes = 0;

async function* counted() {
  for await (const piece of growingChunk(events)) {
    bytes += piece.length;
    yield piece;
  }
}

async function ours(): Promise<number> {
  const timeline = new Timeline();
  let seen = 0;
  for await (const event of readSpeechEvents(counted())) {
    timeline.apply(event);
    if (event.type !== 'alignment-update') continue;
    seen += 1;
    if (seen % 2500 === 0) look();
  }
  return timeline.segments.length;
}

async function scan(): Promise<number> {
  let lines = 0;
  for await (const piece of counted()) {
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
  }
  return lines / 2;
}

async function hand(): Promise<number> {
  const decoder = new TextDecoder();
  const latest = new Map<number, { segments: unknown[] }>();
  const parser = createParser({
    onEvent({ data }) {
      const { chunk_seq, alignment } = JSON.parse(data);
      latest.set(chunk_seq, alignment);
    },
  });
  for await (const piece of counted()) parser.feed(decoder.decode(piece, { stream: true }));
  return latest.get(0)?.segments.length ?? 0;
}

function look(): void {
  globalThis.gc?.();
  live = Math.max(live, process.memoryUsage().heapUsed);
}

look();
const baseline = live;
let found = 0;
const milliseconds = await cpuTime(async () => {
  found = await (readers[process.argv[2] ?? ''] ?? ours)();
});
const seconds = milliseconds / 1000;
if (found !== events) throw new Error(`${found} instead of ${events}`);
const figures = {
  seconds,
  gigabytes: bytes / 1e9,
  liveMegabytes: (live - baseline) / 1e6,
  snapshotMegabytes: (bytes / events / 1e6) * 2,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
