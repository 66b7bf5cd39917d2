import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { SpeechRequest } from '@speech-api/client';
import {
  type AudioTags,
  checkMetadata,
  findKeptSpeech,
  maximumCoverBytes,
  planSpeech,
  type SpeechPlan,
} from '@speech-api/recordings';
import { readJournal } from '@speech-api/recordings/node';
import type { AudioFormat, latencyModes } from '@speech-api/types';
import { defaultModel } from '@speech-api/types/constants';
import { expectFile } from './files.ts';
import { given } from './given.ts';
import { describeKept, serviceOf } from './parts.ts';
import { describeCost } from './prices.ts';
import { print, printJson, type Session } from './session.ts';
import type { SoundOptions } from './sound.ts';
import { clock, plain } from './terminal.ts';
import { UsageError } from './usage.ts';

export interface SpeakOptions extends SoundOptions {
  readonly play?: boolean;
  readonly reference?: readonly string[];
  readonly speaker?: readonly string[];
  readonly latency?: (typeof latencyModes)[number];
  readonly timestamps?: boolean;
  readonly captions?: 'vtt' | 'srt';
  readonly chapters?: boolean;
  readonly chapterFiles?: boolean;
  readonly title?: string;
  readonly author?: string;
  readonly tag?: readonly string[];
  readonly cover?: string;
  readonly journal?: string;
  readonly jobs?: number;
}

/** ffmpeg makes m4b out of pcm. */
export type Container = AudioFormat | 'm4b';

/** Metadata embedded in a file. */
export interface Description {
  readonly tags: AudioTags;
  readonly cover: Uint8Array | undefined;
}

/** One file to write: all of the text, or a chapter of it. */
export interface Job {
  /** Undefined if it is only played. */
  readonly path: string | undefined;
  readonly text: string;
  readonly plan: SpeechPlan;
  readonly tags: AudioTags;
  readonly sidecars: Sidecars;
}

/** Files that are written next to the sound. */
export interface Sidecars {
  readonly timestamps?: string;
  readonly captions?: string;
  readonly chapters?: string;
}

const holdsTags = (container: Container): boolean => container !== 'wav' && container !== 'pcm';

/** Title, author, tags and cover. @throws UsageError that names the option */
export async function readDescription(options: SpeakOptions, container: Container): Promise<Description> {
  const { title, author, tag = [], cover } = options;
  const others = tag.map((text) => {
    const [, name = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
    if (name === '') throw new UsageError(`--tag ${text} must be NAME=TEXT, such as year=2026.`);
    return [name, value];
  });
  const tags: AudioTags = given({ ...Object.fromEntries(others), title, author });
  const isDescribed = Object.keys(tags).length > 0 || cover !== undefined;
  if (isDescribed && !holdsTags(container))
    throw new UsageError(
      `A ${container} file has no place for a title or a cover. Write mp3, opus or m4b, or leave out --title, --author, --tag and --cover.`,
    );
  if (isDescribed && isOnlyPlayed(options))
    throw new UsageError('--title, --author, --tag and --cover need a file: use -o FILE.');
  const picture =
    cover === undefined ? undefined : await readFile(await expectFile(cover, maximumCoverBytes));
  try {
    checkMetadata('mp3', tags, picture);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const words = error.message
      .replace(/^tags\.(title|author)/, '--$1')
      .replace(/^tags\./, '--tag ')
      .replace(/^cover/, `--cover ${cover}`);
    throw new UsageError(`${words}.`);
  }
  return { tags, cover: picture };
}

/** @throws UsageError for options that cannot be used with such an output */
export function checkOptions(options: SpeakOptions): void {
  const { play, output, chapters, chapterFiles } = options;
  if (play && output === '-') throw new UsageError('--play cannot be used with -o -.');
  if ((chapters || chapterFiles) && (isOnlyPlayed(options) || output === '-'))
    throw new UsageError(`${chapters ? '--chapters' : '--chapter-files'} needs a file name: use -o FILE.`);
}

const isOnlyPlayed = ({ play, output }: SpeakOptions): boolean => play === true && output === undefined;

/** The files that a text becomes. */
export function planJobs(
  text: string,
  options: SpeakOptions,
  tags: AudioTags,
  container: Container,
): readonly Job[] {
  const { output, chapters = false, chapterFiles = false } = options;
  const plan = planText(text, chapters || chapterFiles);
  const path = isOnlyPlayed(options) ? undefined : (output ?? `speech.${container}`);
  if (path === undefined || !chapterFiles)
    return [{ path, text, plan, tags, sidecars: sidecarsOf(path, options, container) }];
  const { stem, extension } = splitName(path);
  const digits = Math.max(2, String(plan.chapters.length).length);
  return plan.chapters.map(({ title, text: chapter }, index) => {
    const own = `${stem}-${String(index + 1).padStart(digits, '0')}${extension}`;
    // The chapter is the title, and the title of the whole is that of the album.
    const { title: album = tags.album, ...others } = tags;
    return {
      path: own,
      text: chapter,
      plan: planText(chapter, false),
      tags: holdsTags(container) ? given({ ...others, album, title }) : {},
      sidecars: sidecarsOf(own, options, container),
    };
  });
}

function planText(text: string, chapters: boolean): SpeechPlan {
  try {
    return planSpeech(text, { chapters });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      chapters
        ? `--chapters: the ${error.message}. A heading is a line that begins with # or ##, a line underlined with === or ---, or a line such as "Chapter 1" between blank lines.`
        : `The ${error.message}.`,
    );
  }
}

function sidecarsOf(path: string | undefined, options: SpeakOptions, container: Container): Sidecars {
  const { timestamps, captions, chapters } = options;
  if ((path === undefined || path === '-') && (timestamps || captions !== undefined))
    throw new UsageError('--timestamps and --captions need a file name: use -o FILE.');
  if (path === undefined) return {};
  const { stem } = splitName(path);
  return given({
    timestamps: timestamps ? `${stem}.json` : undefined,
    captions: captions && `${stem}.${captions}`,
    // The other containers have chapters in themselves.
    chapters: chapters && !holdsTags(container) ? `${stem}.chapters.json` : undefined,
  });
}

function splitName(path: string): { readonly stem: string; readonly extension: string } {
  const extension = extname(path);
  return { stem: path.slice(0, path.length - extension.length), extension };
}

const lengthOf = (text: string): number => [...text].length;

/** The file with the times of the words, if there is one. */
export const timesOf = ({ sidecars }: Job): string | undefined => sidecars.timestamps ?? sidecars.captions;

/** The folder of finished parts: the user's, or one next to the file until that is complete, so that none is billed twice. */
export function folderOf({ path }: Job, { journal }: SpeakOptions): string | undefined {
  return journal ?? (path === undefined || path === '-' ? undefined : `${path}.parts`);
}

/** A job that is spoken as it comes, in one call: it reads and writes no finished parts. */
export function isOneCall({ plan, tags }: Job, options: SpeakOptions, container: Container): boolean {
  const isPlain = !options.chapters && options.journal === undefined && options.cover === undefined;
  return isPlain && container !== 'm4b' && plan.parts.length === 1 && Object.keys(tags).length === 0;
}

/** The parts of a job that no earlier run has kept. */
async function partsToSend(
  session: Session,
  options: SpeakOptions,
  job: Job,
  container: Container,
  request: SpeechRequest,
): Promise<readonly string[]> {
  const folder = folderOf(job, options);
  const baseUrl = serviceOf(session);
  if (!folder || !baseUrl || isOneCall(job, options, container)) return job.plan.parts;
  const model = options.model ?? session.settings.values.model.value ?? defaultModel;
  const timestamps = timesOf(job) !== undefined;
  const service = { baseUrl, model, timestamps };
  const kept = await findKeptSpeech(readJournal(folder), request, job.plan.parts, service);
  return job.plan.parts.filter((_part, index) => !kept[index]);
}

/** The output of `--dry-run`: what would be sent and billed now. */
export async function describeJobs(
  session: Session,
  options: SpeakOptions,
  jobs: readonly Job[],
  container: Container,
  request: SpeechRequest,
): Promise<void> {
  const { json, speed = 1, chapterFiles } = options;
  const parts = jobs.flatMap(({ plan }) => plan.parts);
  const sent: string[] = [];
  for (const job of jobs) sent.push(...(await partsToSend(session, options, job, container, request)));
  const kept = parts.length - sent.length;
  const text = kept === 0 ? request.text : sent.join('');
  const characters = lengthOf(text);
  const requests = sent.length;
  const share = kept === 0 ? 1 : characters / lengthOf(parts.join(''));
  const allSeconds = jobs.reduce((sum, { plan }) => sum + plan.estimatedSeconds / speed, 0);
  const seconds = Math.round(allSeconds * share);
  const chapters = chapterFiles
    ? jobs.map((job) => ({ title: job.path ?? '', ...sizeOf([job.text], job.plan.parts.length) }))
    : jobs.flatMap(({ plan }) =>
        plan.chapters.map(({ title, firstPart }, index) => {
          const parts = plan.parts.slice(firstPart, plan.chapters[index + 1]?.firstPart);
          return { title, ...sizeOf(parts, parts.length) };
        }),
      );
  const bytes = Buffer.byteLength(text);
  const cost = describeCost(session.settings.prices, 'speak', { characters, bytes, seconds, requests });
  const paths = jobs.map(({ path }) => path);
  if (json) {
    const place = isOnlyPlayed(options) ? undefined : chapterFiles ? paths : paths[0];
    const listed = chapters.length === 0 ? undefined : chapters;
    const counts = { characters, requests, kept_parts: kept, estimated_seconds: seconds };
    printJson(given({ ...counts, chapters: listed, format: container, output: place, ...cost.json }));
    return;
  }
  const place = chapterFiles ? `${jobs.length} files` : plain(paths[0] ?? '');
  const done = isOnlyPlayed(options) ? 'played' : `spoken into ${place}`;
  print(
    `${characters} characters in ${requests} request(s) would be ${done}${describeKept(kept)}, about ${clock(seconds)}${cost.words}\n`,
  );
  for (const { title, characters: count, requests: calls } of chapters)
    print(`  ${plain(title)}: ${count} characters, ${calls} request(s)\n`);
}

function sizeOf(texts: readonly string[], requests: number) {
  return { characters: texts.reduce((sum, text) => sum + lengthOf(text), 0), requests };
}
