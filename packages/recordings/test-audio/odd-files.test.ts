import { cutInWorker } from '@speech-api/recordings/node';
import { beforeAll, expect, test } from 'vitest';
import { RecordingError } from '../src/index.ts';
import { make, probe } from './ffmpeg.ts';

/** Files that were damaged in drawn places, and how many of them: a few of each kind, or all thirty. */
const count = process.env.EVERY_CASE === '1' ? 30 : 5;
const seconds = 12;
const sound = ['-f', 'lavfi', '-i', `anoisesrc=d=${seconds}:c=pink:r=24000:a=0.5:s=3`];

const containers: Readonly<Record<string, readonly [extension: string, ...args: string[]]>> = {
  wav: ['wav', '-ar', '16000'],
  mp3: ['mp3', '-b:a', '48k'],
  flac: ['flac', '-ar', '16000'],
  Ogg: ['ogg', '-c:a', 'libopus', '-b:a', '24k'],
  m4a: ['m4a', '-c:a', 'aac', '-b:a', '48k'],
  webm: ['webm', '-c:a', 'libopus', '-b:a', '24k'],
};

/** Files that ffmpeg reads without a complaint, and which are refused here. */
const refused: Readonly<Record<string, string>> = {
  'flac 1': 'bytes follow the last frame, whose end cannot be told from them',
  'flac 5': 'the same',
  'm4a 22': 'a letter of "ftyp" is damaged, by which mediabunny knows the container',
  'm4a 27': 'an assertion of mediabunny about the index fails',
};

/** The same numbers for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = Math.imul(seed, 2_654_435_761) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

/** A copy with damage: bits turned, bytes set, moved or taken out, the end cut off or doubled. */
function mutate(whole: Uint8Array<ArrayBuffer>, seed: number): Uint8Array<ArrayBuffer> {
  const draw = drawing(seed);
  let bytes = whole.slice();
  for (let change = draw(4); change >= 0; change--) {
    // Half of the changes hit the head, where the lengths are.
    const at = draw(2) === 0 ? draw(Math.min(600, bytes.length)) : draw(bytes.length);
    const kind = draw(7);
    if (kind === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << draw(8));
    else if (kind === 1) bytes[at] = draw(256);
    else if (kind === 2) bytes[at] = [0, 255, 127, 128, 1][draw(5)] ?? 0;
    else if (kind === 3) bytes.copyWithin(draw(bytes.length), at, at + 1 + draw(16));
    else if (kind === 4)
      bytes = new Uint8Array([...bytes.subarray(0, at), ...bytes.subarray(at + 1 + draw(40))]);
    else if (kind === 5) bytes = bytes.slice(0, bytes.length - draw(Math.floor(bytes.length / 2)));
    else bytes = new Uint8Array([...bytes, ...bytes.subarray(bytes.length - draw(2000))]);
  }
  return bytes;
}

let files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>;
beforeAll(async () => {
  const made = Object.entries(containers).map(async ([name, [extension, ...args]]) => {
    const { bytes } = await make([...sound, ...args], extension);
    return [name, bytes] as const;
  });
  files = Object.fromEntries(await Promise.all(made));
});

test.each(Object.keys(containers))(
  'damaged %s files are read correctly or refused, and every read ends',
  async (name) => {
    const wrong: string[] = [];
    const outcomes: Record<string, number> = {};
    for (let seed = 1; seed <= count; seed++) {
      const bytes = mutate(files[name] ?? new Uint8Array(), seed);
      const outcome = await endOf(bytes);
      const seen = await probe(bytes);
      const kind =
        typeof outcome === 'number' ? 'read' : outcome === undefined ? 'sent as it is' : outcome.kind;
      outcomes[kind] = (outcomes[kind] ?? 0) + 1;
      const problem = judge(outcome, seen);
      if (problem !== undefined && refused[`${name} ${seed}`] === undefined)
        wrong.push(`seed ${seed}: ${problem}`);
    }
    process.stdout.write(`${name}: ${JSON.stringify(outcomes)}\n`);
    expect(wrong).toEqual([]);
  },
  300_000,
);

/** End of the last part; undefined for a file that is sent as it is. */
async function endOf(bytes: Uint8Array<ArrayBuffer>): Promise<number | RecordingError | undefined> {
  let end: number | undefined = 0;
  try {
    for await (const part of cutInWorker({ deadline: 10_000 })(new Blob([bytes]))) end = part.end;
    return end;
  } catch (error) {
    if (RecordingError.isInstance(error)) return error;
    throw error;
  }
}

/** The service tells how long a file is that is sent as it is. */
function judge(
  outcome: number | RecordingError | undefined,
  seen: Awaited<ReturnType<typeof probe>>,
): string | undefined {
  if (RecordingError.isInstance(outcome)) {
    if (outcome.kind === 'too-slow') return outcome.message;
    // Less than the whole sound with no complaint of ffprobe is a file that breaks off.
    const isWhole = !seen.hasErrors && seen.seconds > seconds - 0.0005;
    return isWhole ? `refused (${outcome.message}), and ffprobe reads ${seen.seconds} s` : undefined;
  }
  if (outcome === undefined || seen.hasErrors) return undefined;
  return outcome < seen.seconds - 0.1 ? `read to ${outcome} s, and ffprobe to ${seen.seconds} s` : undefined;
}
