// One reader over a chunk that grows by a word with each of 10 000 events.
import { readSpeechEvents, Timeline } from '@speech-api/streaming';
import { createParser } from 'eventsource-parser';
import { cpuTime } from '../measure.ts';
import { countLines, growingChunk } from '../timestamp-stream.ts';

const events = 10_000;
let live = 0;
let bytes = 0;

async function* counted() {
  for await (const piece of growingChunk(events)) {
    bytes += piece.length;
    yield piece;
  }
}

/** Each reads the whole chunk and resolves to its number of words. */
const readers: Record<string, () => Promise<number>> = {
  async ours() {
    const timeline = new Timeline();
    let seen = 0;
    for await (const event of readSpeechEvents(counted())) {
      timeline.apply(event);
      if (event.type === 'alignment-update' && ++seen % 2500 === 0) look();
    }
    return timeline.segments.length;
  },
  async scan() {
    let lines = 0;
    for await (const piece of counted()) lines += countLines(piece);
    return lines / 2;
  },
  async hand() {
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
  },
};

function look(): void {
  globalThis.gc?.();
  live = Math.max(live, process.memoryUsage().heapUsed);
}

look();
const baseline = live;
const read = readers[process.argv[2] ?? ''];
let found: number | undefined;
const milliseconds = await cpuTime(async () => {
  found = await read?.();
});
if (found !== events) throw new Error(`${found} instead of ${events}`);
const liveMegabytes = (live - baseline) / 1e6;
const snapshotMegabytes = (bytes / events / 1e6) * 2;
process.stdout.write(
  `${JSON.stringify({ seconds: milliseconds / 1000, liveMegabytes, snapshotMegabytes })}\n`,
);
