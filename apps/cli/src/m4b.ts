import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AudioTags } from '@speech-api/recordings';
import { appear, type Output, partialName, targetOf } from './output.ts';
import { isInstalled, openPipe } from './pipe.ts';
import { UsageError } from './usage.ts';

export interface M4bOptions {
  readonly force?: boolean | undefined;
  readonly sampleRate: number;
  readonly tags: AudioTags;
  /** A picture on the disk. */
  readonly cover: string | undefined;
  readonly signal: AbortSignal;
}

/** AAC of one voice is clear at this rate. */
const bitrate = '96k';
const nameOf: Readonly<Record<keyof AudioTags, string>> = {
  title: 'title',
  author: 'artist',
  album: 'album',
  narrator: 'composer',
  year: 'date',
  genre: 'genre',
  language: 'language',
};

/** An m4b audiobook out of pcm, by the ffmpeg of this machine: encoded while it comes, its chapters added at the end. */
export async function openM4b(path: string, options: M4bOptions): Promise<Output> {
  if (!(await isInstalled('ffmpeg'))) {
    throw new UsageError(
      'An m4b file needs ffmpeg, which was not found. Install it from https://ffmpeg.org, or write an mp3 or opus file, which can have chapters, too.',
    );
  }
  const { sampleRate, signal } = options;
  const target = await targetOf(path);
  const [encoded, finished] = [partialName(target, '.sound'), partialName(target)];
  const quiet = ['-v', 'error', '-nostdin', '-y'];
  const pcm = ['-f', 's16le', '-ar', String(sampleRate), '-ch_layout', 'mono', '-i', 'pipe:0'];
  const encoding = ['-c:a', 'aac', '-b:a', bitrate, '-f', 'mp4', encoded];
  const encoder = openPipe('ffmpeg', [...quiet, ...pcm, ...encoding], signal, false);
  return {
    path,
    get bytes() {
      return encoder.bytes;
    },
    write: encoder.write,
    async finish(ending) {
      await encoder.finish();
      const { cover, tags, force } = options;
      const inputs = ['-i', encoded, '-f', 'ffmetadata', '-i', 'pipe:0'];
      const sound = ['-map', '0:a', '-map_metadata', '1', '-map_chapters', '1', '-c', 'copy'];
      const picture = cover === undefined ? [] : ['-map', '2:v', '-disposition:v', 'attached_pic'];
      if (cover !== undefined) inputs.push('-i', resolve(cover));
      const written = ['-movflags', '+faststart', '-f', 'ipod', finished];
      const muxer = openPipe(
        'ffmpeg',
        [...quiet, ...inputs, ...sound, ...picture, ...written],
        signal,
        false,
      );
      try {
        await muxer.write(writeMetadata(tags, ending?.chapters ?? [], sampleRate));
        await muxer.finish();
      } finally {
        await muxer.discard();
      }
      const file = await open(finished, 'r+');
      const { size } = await file.stat();
      await file.sync();
      await file.close();
      await appear(finished, target, force);
      return size;
    },
    async discard() {
      await encoder.discard();
      await Promise.all([encoded, finished].map((partial) => rm(partial, { force: true })));
    },
  };
}

/** Times in samples, which ffmpeg keeps as they are. */
function writeMetadata(
  tags: AudioTags,
  chapters: readonly { readonly title: string; readonly start: number; readonly end: number }[],
  sampleRate: number,
): string {
  const escaped = (value: string): string => value.replaceAll(/[=;#\\]/g, '\\$&');
  const given = Object.entries(tags).filter(([, value]) => value !== undefined);
  const samples = (seconds: number): number => Math.round(seconds * sampleRate);
  return [
    ';FFMETADATA1',
    ...given.map(([name, value]) => `${nameOf[name as keyof AudioTags]}=${escaped(String(value))}`),
    ...chapters.flatMap(({ title, start, end }) => [
      '[CHAPTER]',
      `TIMEBASE=1/${sampleRate}`,
      `START=${samples(start)}`,
      `END=${samples(end)}`,
      `title=${escaped(title)}`,
    ]),
    '',
  ].join('\n');
}
