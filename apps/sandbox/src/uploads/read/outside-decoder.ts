import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import type { SoundBlock } from './sound.ts';

/** Hz. */
const sampleRate = 8000;

/** How an `ffmpeg` on this machine is used. */
export interface OutsideDecoder {
  /** Path of the program. */
  readonly program: string;
  /** Told of the process, so that it can be ended with the thread. */
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
  source: { readonly channels: number; readonly mostSeconds: number },
): AsyncGenerator<SoundBlock> {
  const input = ['-protocol_whitelist', 'pipe', '-f', format, '-i', 'pipe:0'];
  const output = ['-map', '0:a:0', '-t', String(source.mostSeconds), '-ac', '1', '-ar', String(sampleRate)];
  const command = ['-nostdin', '-v', 'quiet', '-threads', '1', ...input, ...output, '-f', 's16le', 'pipe:1'];
  const child = spawn(decoder.program, command, { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  await started;
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
