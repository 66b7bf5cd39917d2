import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'speech-recordings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

/** Runs ffmpeg and gives the file it wrote, a name of this test's folder. */
export async function make(
  args: readonly string[],
  extension: string,
): Promise<{ path: string; bytes: Uint8Array<ArrayBuffer> }> {
  count += 1;
  const path = join(folder, `${count}.${extension}`);
  await run([...args, path]);
  return { path, bytes: new Uint8Array(await readFile(path)) };
}

/** The sound of a file as ffmpeg decodes it: one channel, 16 kHz unless another rate is named. */
export async function decode(bytes: Uint8Array, rate = 16_000): Promise<Float32Array> {
  count += 1;
  const path = join(folder, `${count}.bin`);
  await writeFile(path, bytes);
  const output = await run(['-i', path, '-f', 'f32le', '-ac', '1', '-ar', String(rate), '-']);
  return new Float32Array(
    output.buffer.slice(output.byteOffset, output.byteOffset + output.length - (output.length % 4)),
  );
}

/** Where ffprobe says that a file begins, in seconds; wav has no place to say it. */
export async function startOf(bytes: Uint8Array): Promise<number> {
  count += 1;
  const path = join(folder, `${count}.bin`);
  await writeFile(path, bytes);
  const text = await run(
    ['-v', 'error', '-show_entries', 'format=start_time', '-of', 'csv=p=0', path],
    'ffprobe',
  );
  return text.toString().trim() === 'N/A' ? 0 : Number(text.toString());
}

/** What ffprobe reads of a file: its chapters, its tags, its streams. */
export async function describe(bytes: Uint8Array): Promise<{
  readonly chapters: readonly {
    readonly start_time: string;
    readonly end_time: string;
    readonly tags: { readonly title: string };
  }[];
  readonly format: { readonly duration: string; readonly tags?: Readonly<Record<string, string>> };
  readonly streams: readonly {
    readonly codec_name: string;
    readonly codec_type: string;
    readonly tags?: Readonly<Record<string, string>>;
    readonly disposition: { readonly attached_pic: number };
  }[];
}> {
  count += 1;
  const path = join(folder, `${count}.bin`);
  await writeFile(path, bytes);
  const shown = ['-show_chapters', '-show_format', '-show_streams', '-of', 'json'];
  return JSON.parse((await run(['-v', 'error', ...shown, path], 'ffprobe')).toString());
}

function run(args: readonly string[], program = 'ffmpeg'): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const quiet = program === 'ffmpeg' ? ['-v', 'error', '-nostdin', '-y'] : [];
    const child = spawn(program, [...quiet, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    let complaint = '';
    child.stdout.on('data', (piece: Buffer) => output.push(piece));
    child.stderr.on('data', (piece: Buffer) => {
      complaint += piece.toString();
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 && complaint === ''
        ? resolve(Buffer.concat(output))
        : reject(new Error(`${program} ${args.join(' ')} ended with ${code}: ${complaint}`)),
    );
  });
}
