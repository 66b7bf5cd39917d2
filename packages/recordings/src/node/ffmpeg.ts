import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { readWavHeader } from '@speech-api/audio';
import { join, viewOf } from '../bytes.ts';
import { RecordingError } from '../errors.ts';
import type { Sound } from '../formats/track.ts';

/** Containers that ffmpeg may read here: none that names other files to be opened. */
const containers =
  'aac,aiff,amr,amrnb,amrwb,asf,au,avi,caf,flac,flv,matroska,webm,mov,mp4,m4a,mp3,mpeg,mpegts,ogg,w64,wav';
const complaintBytes = 2000;
const sampleRate = 16_000;

/** @returns whether an ffmpeg is on the PATH */
export async function hasFfmpeg(): Promise<boolean> {
  const child = spawn('ffmpeg', ['-version'], { stdio: 'ignore', windowsHide: true });
  return once(child, 'close').then(
    ([code]) => code === 0,
    () => false,
  );
}

/**
 * Decodes a short file with the ffmpeg on the PATH, to find pauses in AAC and Vorbis.
 *
 * @throws Error where there is no ffmpeg, or it fails; parts overlap then.
 */
export async function decodeWithFfmpeg(file: Uint8Array): Promise<Sound> {
  const limits = { deadline: 20_000, acceptTruncated: true };
  const pieces: Uint8Array[] = [];
  // A neighbourhood of a cut has half a minute.
  let left = 60 * sampleRate * 2;
  for await (const piece of shrinkWithFfmpeg(Readable.from([file]), limits)) {
    left -= piece.length;
    if (left < 0) throw new RangeError('ffmpeg made more sound than there is');
    pieces.push(piece);
  }
  const wav = join(pieces);
  const sound = viewOf(wav.subarray(readWavHeader(wav)?.dataOffset ?? wav.length));
  const length = Math.floor(sound.byteLength / 2);
  const samples = Float32Array.from({ length }, (_, index) => sound.getInt16(2 * index, true) / 32_768);
  return { samples, sampleRate };
}

interface ShrinkLimits {
  readonly deadline: number;
  readonly acceptTruncated?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Any recording as 16-bit wav of one channel at 16 kHz, by an ffmpeg, which may open this file and nothing else. Silence
 * is put in where packets are missing.
 *
 * @param deadline - Milliseconds without a byte after which it is ended.
 * @throws RecordingError for what ffmpeg complains about: what it leaves out would make later times wrong; and what reading
 * the source throws.
 */
export async function* shrinkWithFfmpeg(
  source: { readonly path: string } | AsyncIterable<Uint8Array>,
  { deadline, acceptTruncated = false, signal }: ShrinkLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  const path = 'path' in source ? source.path : undefined;
  const [protocol, input] = path === undefined ? ['pipe', 'pipe:0'] : ['file', `file:${path}`];
  const reading = ['-format_whitelist', containers, '-protocol_whitelist', protocol, '-i', input];
  const filters = ['-vn', '-af', 'aresample=async=1:first_pts=0', '-ac', '1', '-ar', String(sampleRate)];
  const writing = ['-c:a', 'pcm_s16le', '-f', 'wav', 'pipe:1'];
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...reading, ...filters, ...writing], {
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    signal,
    killSignal: 'SIGKILL',
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, complaintBytes);
  });
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    child.kill('SIGKILL');
  };
  const startTimer = (): NodeJS.Timeout =>
    setTimeout(() => {
      const isStarved = !child.stdin.writableEnded && child.stdin.writableLength === 0;
      fail(new RecordingError(isStarved ? stalled(deadline) : tooSlow(deadline), 'too-slow'));
    }, deadline);
  let timer = startTimer();
  // It may end before it has read everything.
  child.stdin.on('error', () => {});
  const feed = 'path' in source ? undefined : Readable.from(source, { objectMode: false });
  if (feed === undefined) child.stdin.end();
  else feed.on('error', fail).pipe(child.stdin);
  const closed = once(child, 'close');
  closed.catch(() => {});
  try {
    for await (const piece of child.stdout) {
      // It waits while nobody wants more.
      clearTimeout(timer);
      yield piece as Uint8Array;
      timer = startTimer();
    }
    const [code] = (await closed) as [number | null];
    if (failure !== undefined) throw failure;
    if (code !== 0 || (complaint !== '' && !acceptTruncated)) {
      const [first = ''] = complaint.replaceAll(path ?? 'pipe:0', 'the file').split('\n');
      throw new RecordingError(
        `This recording is damaged, or ffmpeg cannot read it: ${first || `it ended with ${code}`}. To transcribe what can be read, pass acceptTruncated: true (--accept-truncated).`,
        'damaged',
      );
    }
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    feed?.destroy();
  }
}

const tooSlow = (deadline: number): string =>
  `ffmpeg produced no output for this recording within ${deadline} ms. The file may have been made to stall decoders.`;

const stalled = (deadline: number): string =>
  `The source of this recording stalled: ffmpeg waited ${deadline} ms for more of it.`;
