import { spawn } from 'node:child_process';
import type { Sound } from '../formats/track.ts';

const sampleRate = 8000;
/** Milliseconds. A neighbourhood of a cut has half a minute. */
const deadline = 20_000;
const maximumBytes = 60 * sampleRate * 4;

/**
 * Decodes a short file with the ffmpeg on the PATH, to find pauses in AAC and Vorbis. It gets the bytes through a pipe and may
 * open nothing else.
 *
 * @throws Error where there is no ffmpeg, or it fails; parts overlap then.
 */
export function decodeWithFfmpeg(file: Uint8Array): Promise<Sound> {
  return new Promise((resolve, reject) => {
    const only = ['-v', 'error', '-nostdin', '-protocol_whitelist', 'pipe'];
    const output = ['-vn', '-f', 'f32le', '-ac', '1', '-ar', String(sampleRate), 'pipe:1'];
    const child = spawn('ffmpeg', [...only, '-i', 'pipe:0', ...output], {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: deadline,
      windowsHide: true,
    });
    const pieces: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maximumBytes) child.kill();
      else pieces.push(piece);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`ffmpeg ended with ${code}`));
      const samples = new Float32Array(Math.floor(bytes / 4));
      new Uint8Array(samples.buffer).set(Buffer.concat(pieces).subarray(0, 4 * samples.length));
      resolve({ samples, sampleRate });
    });
    // It may end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(file);
  });
}
