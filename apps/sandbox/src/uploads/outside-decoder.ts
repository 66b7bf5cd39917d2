import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { Readable } from 'node:stream';
import { adtsHeaderBytes, adtsSampleRates } from './frames.ts';
import type { SoundBlock } from './sound.ts';

/** Hz. */
const sampleRate = 8000;

/** Settings for an `ffmpeg` on this machine. */
export interface OutsideDecoder {
  /** Path of the program. */
  readonly program: string;
  /** Seconds of processor time after which it ends itself. */
  readonly processorSeconds: number;
  /** Called with the process, so that it can be ended with the thread. */
  onStart(pid: number): void;
  onEnd(pid: number): void;
}

/**
 * Decodes with a program outside this process. It is given bytes and gives samples, over pipes alone.
 *
 * @param format the program's name for what the bytes are, so that it does not guess
 */
export async function* readWithOutsideDecoder(
  decoder: OutsideDecoder,
  format: string,
  bytes: Iterable<Uint8Array>,
  source: { readonly channels: number; readonly maximumSeconds: number },
): AsyncGenerator<SoundBlock> {
  const command = [
    `-nostdin -v quiet -threads 1 -timelimit ${decoder.processorSeconds}`,
    `-protocol_whitelist pipe -f ${format} -i pipe:0`,
    `-map 0:a:0 -t ${source.maximumSeconds} -ac 1 -ar ${sampleRate} -f s16le pipe:1`,
  ];
  const child = spawn(decoder.program, command.join(' ').split(' '), {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
  });
  await once(child, 'spawn');
  const { pid = 0 } = child;
  decoder.onStart(pid);
  // It may stop reading before the end: that is its right.
  child.stdin.on('error', () => {});
  Readable.from(bytes).pipe(child.stdin);
  let odd: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      const joined = odd.length > 0 ? Buffer.concat([odd, chunk]) : chunk;
      const samples = new Float32Array(joined.length >> 1);
      for (let index = 0; index < samples.length; index += 1)
        samples[index] = joined.readInt16LE(2 * index) / 32768;
      odd = joined.subarray(samples.length * 2);
      if (samples.length > 0) yield { samples, sampleRate, channels: source.channels };
    }
  } finally {
    child.kill('SIGKILL');
    decoder.onEnd(pid);
  }
}

/** Path of an `ffmpeg` on the PATH. */
export function findOutsideDecoder(path = process.env.PATH ?? ''): string | undefined {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, 'ffmpeg'))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Puts a header before AAC packets so that they can be read outside their container. */
export type AdtsFramer = (packet: Uint8Array) => Uint8Array;

/**
 * @param description the AudioSpecificConfig of the container
 * @returns `undefined` where the header has no way to say what the container says
 */
export function createAdtsFramer(description: Uint8Array): AdtsFramer | undefined {
  const [first = 0, second = 0] = description;
  if (description.length < 2) return undefined;
  const objectType = first >> 3;
  const rateIndex = ((first & 7) << 1) | (second >> 7);
  const channels = (second >> 3) & 15;
  if (adtsSampleRates[rateIndex] === undefined || channels === 0 || channels > 7) return undefined;
  // The extended kinds (5 and 29) carry a plain one that every decoder finds them in.
  const profile = objectType === 5 || objectType === 29 ? 2 : objectType;
  if (profile < 1 || profile > 4) return undefined;
  return (packet) => {
    const length = packet.length + adtsHeaderBytes;
    const framed = new Uint8Array(length);
    framed.set([
      0xff,
      0xf1,
      ((profile - 1) << 6) | (rateIndex << 2) | (channels >> 2),
      ((channels & 3) << 6) | (length >> 11),
      (length >> 3) & 0xff,
      ((length & 7) << 5) | 0x1f,
      0xfc,
    ]);
    framed.set(packet, adtsHeaderBytes);
    return framed;
  };
}
