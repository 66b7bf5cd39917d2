import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { AudioFormat } from '@speech-api/types';
import { UsageError } from './failures.ts';
import { lengthOf, type Output } from './files.ts';

/** A program that plays audio from its stdin. */
interface Player {
  readonly name: string;
  readonly formats: readonly AudioFormat[];
  arguments(format: AudioFormat, rate: number): readonly string[];
}

// In order of preference: the first two play every format and start before the audio is complete.
const players: readonly Player[] = [
  {
    name: 'ffplay',
    formats: ['wav', 'pcm', 'mp3', 'opus'],
    arguments: (format, rate) => [
      ...['-nodisp', '-autoexit', '-loglevel', 'error'],
      ...(format === 'pcm' ? ['-f', 's16le', '-ar', String(rate), '-ch_layout', 'mono'] : []),
      ...['-i', '-'],
    ],
  },
  {
    name: 'mpv',
    formats: ['wav', 'pcm', 'mp3', 'opus'],
    arguments: (format, rate) => [
      ...['--no-video', '--really-quiet', '--no-terminal'],
      ...(format === 'pcm'
        ? ['--demuxer=rawaudio', `--demuxer-rawaudio-rate=${rate}`, '--demuxer-rawaudio-channels=1']
        : []),
      '-',
    ],
  },
  { name: 'aplay', formats: ['wav'], arguments: () => ['-q', '-'] },
  { name: 'play', formats: ['wav', 'mp3'], arguments: (format) => ['-q', '-t', format, '-'] },
];

/** Plays what is written to it, on a program of this machine or on the one that `SPEECH_PLAYER` names. */
export async function openPlayer(format: AudioFormat, rate: number, signal: AbortSignal): Promise<Output> {
  const [name, ...options] = await findPlayer(format, rate);
  const child = spawn(name, options, { stdio: ['pipe', 'ignore', 'pipe'] });
  const ended = watch(child);
  // Ctrl-C reaches the player through the terminal; a signal to this process alone does not.
  const stop = (): void => void child.kill();
  signal.addEventListener('abort', stop, { once: true });
  let bytes = 0;
  return {
    path: undefined,
    get bytes() {
      return bytes;
    },
    async write(piece) {
      bytes += lengthOf(piece);
      const written = new Promise<void>((resolve, reject) => {
        child.stdin.write(piece, (error) => (error ? reject(error) : resolve()));
      });
      // A player that was closed by its user or failed says more than the pipe that it broke.
      await Promise.race([written.catch(() => ended), ended.then(() => playerWasClosed())]);
    },
    async finish() {
      child.stdin.end();
      await ended;
    },
    async discard() {
      signal.removeEventListener('abort', stop);
      if (child.exitCode === null && child.signalCode === null) child.kill();
      await ended.catch(() => {});
    },
  };
}

/** Several outputs at once, as slow as the slowest. */
export function writeToBoth(file: Output, player: Output): Output {
  return {
    path: file.path,
    get bytes() {
      return file.bytes;
    },
    write: async (piece) => {
      await Promise.all([file.write(piece), player.write(piece)]);
    },
    finish: async () => {
      await file.finish();
      await player.finish();
    },
    discard: async () => {
      await Promise.all([file.discard(), player.discard()]);
    },
  };
}

async function findPlayer(
  format: AudioFormat,
  rate: number,
): Promise<readonly [string, ...(readonly string[])]> {
  const [named, ...options] = (process.env.SPEECH_PLAYER ?? '').split(/\s+/).filter(Boolean);
  if (named !== undefined) return [named, ...options];
  for (const player of players) {
    if (player.formats.includes(format) && (await isInstalled(player.name))) {
      return [player.name, ...player.arguments(format, rate)];
    }
  }
  const names = players.filter(({ formats }) => formats.includes(format)).map(({ name }) => name);
  throw new UsageError(
    `No player for ${format} was found. Install one of ${names.join(', ')}, or set SPEECH_PLAYER to a command that plays its stdin.`,
  );
}

async function isInstalled(name: string): Promise<boolean> {
  const isWindows = process.platform === 'win32';
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, isWindows ? `${name}.exe` : name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== '' && found) return true;
  }
  return false;
}

/** Settles when the player ends; what it complained about becomes the error. */
function watch(child: ChildProcess): Promise<void> {
  let complaint = '';
  child.stderr?.on('data', (piece: Buffer) => {
    complaint = `${complaint}${piece.toString()}`.slice(-1000);
  });
  // The write that fails reports the broken pipe.
  child.stdin?.on('error', () => {});
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(new UsageError(`The player does not start: ${error.message}.`)));
    child.once('close', (code) => {
      const reason = complaint.trim().split('\n').at(-1) ?? '';
      if (code === 0 || code === null) resolve();
      else reject(new Error(`${child.spawnfile} failed with ${code}${reason === '' ? '' : `: ${reason}`}`));
    });
  });
  ended.catch(() => {});
  return ended;
}

function playerWasClosed(): never {
  const error = new Error('the player was closed');
  throw Object.assign(error, { code: 'EPIPE' });
}
