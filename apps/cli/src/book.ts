import { readFile, stat } from 'node:fs/promises';
import type { SpeechClient, SpeechRequest } from '@speech-api/client';
import {
  type AudioTags,
  type LongSpeech,
  maximumCoverBytes,
  type SpeechPlan,
  speakLong,
  tagNames,
} from '@speech-api/recordings';
import type { AudioFormat } from '@speech-api/types';
import { type Output, removeLeftovers } from './output.ts';
import { keepParts } from './parts.ts';
import type { Session } from './session.ts';
import { clock, plain, size } from './terminal.ts';
import { UsageError } from './usage.ts';

export interface BookOptions {
  readonly output?: string;
  readonly play?: boolean;
  readonly speaker?: readonly string[];
  readonly chapters?: boolean;
  readonly chapterFiles?: boolean;
  readonly title?: string;
  readonly author?: string;
  readonly tag?: readonly string[];
  readonly cover?: string;
  readonly journal?: string;
  readonly jobs?: number;
}

/** The checked options of a text that is more than sound. */
export interface Book {
  readonly chapters: boolean;
  readonly tags: AudioTags;
  readonly cover: { readonly path: string; readonly bytes: Uint8Array } | undefined;
  /** Whether any option asks for more than sound. */
  readonly isAsked: boolean;
}

/** Code points of one call; a longer text is spoken in several. */
export const charactersPerCall = 3000;
const otherTags = tagNames.filter((name) => name !== 'title' && name !== 'author');

/** @throws UsageError that names the option */
export async function readBook(options: BookOptions, container: AudioFormat | 'm4b'): Promise<Book> {
  const {
    chapters = false,
    chapterFiles = false,
    title,
    author,
    tag = [],
    cover,
    output,
    play,
    journal,
  } = options;
  const isOnlyPlayed = play === true && output === undefined;
  const tags: Record<string, string> = {};
  const put = (option: string, name: string, value: string): void => {
    if (value.trim() === '' || value.length > 1000 || /\p{Cc}/u.test(value))
      throw new UsageError(`${option} must be one line of text, of up to 1000 characters.`);
    if (name === 'year' && !/^\d{4}$/.test(value))
      throw new UsageError(`${option} ${value} must have four digits.`);
    tags[name] = value;
  };
  if (title !== undefined) put('--title', 'title', title);
  if (author !== undefined) put('--author', 'author', author);
  for (const given of tag) {
    const [, name = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(given) ?? [];
    if (!otherTags.some((known) => known === name))
      throw new UsageError(`--tag ${plain(given)} must be NAME=TEXT. The names are ${otherTags.join(', ')}.`);
    put(`--tag ${name}`, name, value);
  }
  const described = Object.keys(tags).length > 0 || cover !== undefined;
  if (described && (container === 'wav' || container === 'pcm')) {
    throw new UsageError(
      `A ${container} file has no place for a title or a cover. Write mp3, opus or m4b, or leave out --title, --author, --tag and --cover.`,
    );
  }
  if (chapters && chapterFiles) throw new UsageError('--chapters and --chapter-files exclude each other.');
  const cut = chapterFiles ? '--chapter-files' : '--chapters';
  if ((chapters || chapterFiles) && options.speaker !== undefined)
    throw new UsageError(`${cut} and --speaker exclude each other: a dialogue has no headings.`);
  if ((chapters || chapterFiles) && (isOnlyPlayed || output === '-'))
    throw new UsageError(`${cut} needs a file name: use -o FILE.`);
  if (described && isOnlyPlayed)
    throw new UsageError('--title, --author, --tag and --cover need a file: use -o FILE.');
  return {
    chapters,
    tags,
    cover: cover === undefined ? undefined : { path: cover, bytes: await readCover(cover) },
    isAsked: chapters || described || journal !== undefined,
  };
}

async function readCover(path: string): Promise<Uint8Array> {
  const file = await stat(path).catch(() => undefined);
  if (!file?.isFile()) throw new UsageError(`There is no picture ${path}.`);
  if (file.size > maximumCoverBytes)
    throw new UsageError(
      `${path} is ${size(file.size)}; a cover may have ${size(maximumCoverBytes)}. Make it smaller.`,
    );
  const bytes = await readFile(path);
  const head = bytes.subarray(0, 4).toString('latin1');
  if (!head.startsWith('\u00ff\u00d8\u00ff') && head !== '\u0089PNG')
    throw new UsageError(`${path} is not a jpeg or png picture.`);
  return bytes;
}

/**
 * Speaks a text in several calls that become one file. Finished parts are kept until `finish` has written everything.
 *
 * @param finish - Is called with the speech when all of its bytes were written.
 */
export async function speakBook<Result>(
  { terminal, signal }: Session,
  client: SpeechClient,
  request: SpeechRequest,
  options: BookOptions & { readonly model?: string; readonly isTimed: boolean; readonly isM4b: boolean },
  book: Book,
  plan: SpeechPlan,
  output: Output,
  finish: (speech: LongSpeech) => Promise<Result>,
): Promise<Result> {
  const { model, jobs, isTimed, isM4b } = options;
  // Without a folder of the user's, parts are kept next to the file until it is complete, so that none is billed twice.
  const isOwn =
    options.journal === undefined && (plan.parts.length > 1 || isM4b) && output.path !== undefined;
  const folder = isOwn ? `${output.path}.parts` : options.journal;
  const result = await keepParts(terminal, folder, isOwn, async (journal) => {
    const speech = speakLong(client, request, {
      model,
      signal,
      jobs,
      journal,
      timestamps: isTimed,
      chapters: book.chapters,
      maximumCharacters: charactersPerCall,
      // ffmpeg writes those of an m4b file.
      ...(isM4b ? {} : { tags: book.tags, cover: book.cover?.bytes }),
      onProgress: ({ finishedParts, parts, seconds }) =>
        terminal.progress(
          `speaking: part ${finishedParts} of ${parts}, ${clock(seconds)}, ${size(output.bytes)}`,
        ),
    });
    terminal.progress(`speaking: part 0 of ${speech.parts.length}`);
    for await (const piece of speech) await output.write(piece);
    return finish(speech);
  });
  if (output.path !== undefined) await removeLeftovers(output.path);
  return result;
}

/** Facts of a plan, for `--dry-run`. */
export function describePlan(
  plan: SpeechPlan,
  speed: number,
): {
  readonly requests: number;
  readonly estimated_seconds: number;
  readonly chapters?: readonly {
    readonly title: string;
    readonly characters: number;
    readonly requests: number;
  }[];
} {
  const chapters = plan.chapters.map(({ title, firstPart }, index) => {
    const parts = plan.parts.slice(firstPart, plan.chapters[index + 1]?.firstPart);
    return {
      title,
      characters: parts.reduce((sum, part) => sum + [...part].length, 0),
      requests: parts.length,
    };
  });
  return {
    requests: plan.parts.length,
    estimated_seconds: Math.round(plan.estimatedSeconds / speed),
    ...(chapters.length === 0 ? {} : { chapters }),
  };
}
