import type { AudioFormat } from '@speech-api/types';
import type { Output } from './output.ts';
import { isInstalled, openPipe } from './pipe.ts';
import { UsageError } from './usage.ts';

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
  const title = process.env.SPEECH_PLAYER?.trim() ? `${name}, the player that SPEECH_PLAYER names,` : name;
  return openPipe(name, options, signal, title);
}

/**
 * Writes a file and plays it, as slow as the slower of the two. The file was billed: whatever the player does, it is
 * finished. A failure of the player is thrown by `discard`, after the file is complete.
 */
export function writeToBoth(file: Output, player: Output): Output {
  let isFinished = false;
  return {
    path: file.path,
    get bytes() {
      return file.bytes;
    },
    write: async (piece) => {
      await Promise.all([file.write(piece), player.write(piece).catch(() => {})]);
    },
    finish: async () => {
      const bytes = await file.finish();
      isFinished = true;
      return bytes;
    },
    discard: async () => {
      await file.discard();
      try {
        if (isFinished) await player.finish();
      } catch (cause) {
        throw new Error(`${(cause as Error).message} (${file.path} is complete)`, { cause });
      } finally {
        await player.discard();
      }
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
