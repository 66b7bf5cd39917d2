import { realpath, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { SpeechClient, SpeechRequest } from '@speech-api/client';
import { planSpeech, type SpeechPlan, writePodcastChapters } from '@speech-api/recordings';
import type { AudioFormat, latencyModes } from '@speech-api/types';
import { defaultSampleRates } from '@speech-api/types/constants';
import { bytesPerSecond, checkSound, formatOf, type SoundOptions, soundOf } from '../audio-options.ts';
import {
  type Book,
  type BookOptions,
  charactersPerCall,
  describePlan,
  readBook,
  speakBook,
} from '../book.ts';
import { readDialogue } from '../dialogue.ts';
import { decodeText, readStandardInput, readTextFile } from '../files.ts';
import { openM4b } from '../m4b.ts';
import { expectWritable, type Output, openOutput, targetOf, writeText } from '../output.ts';
import { openPlayer, writeToBoth } from '../player.ts';
import { describeCost } from '../prices.ts';
import { readSamples } from '../samples.ts';
import { type CommonOptions, print, printJson, type Session } from '../session.ts';
import { clock, plain, size } from '../terminal.ts';
import { UsageError } from '../usage.ts';

interface SpeakOptions extends CommonOptions, SoundOptions, BookOptions {
  readonly voice?: string;
  readonly reference?: readonly string[];
  readonly model?: string;
  readonly latency?: (typeof latencyModes)[number];
  readonly timestamps?: boolean;
  readonly captions?: 'vtt' | 'srt';
}

/** One file to write: all of the text, or a chapter of it. */
interface Job {
  /** Undefined if it is only played. */
  readonly path: string | undefined;
  readonly text: string;
  readonly plan: SpeechPlan;
  readonly book: Book;
  readonly sidecars: Sidecars;
}

/** A long book is two million characters. */
const maximumTextBytes = 20_000_000;

export async function speak(
  session: Session,
  options: SpeakOptions,
  inputs: readonly string[],
): Promise<void> {
  const text = await readText(inputs);
  if (text.trim() === '') throw new UsageError('There is no text to speak.');
  const isM4b = /\.m4b$/i.test(options.output ?? '');
  // ffmpeg makes it out of pcm.
  const format = isM4b ? checkM4b(options) : formatOf(options, session.settings.values.format.value);
  const container = isM4b ? 'm4b' : format;
  if (options.play && options.output === '-') throw new UsageError('--play and -o - exclude each other.');
  const book = await readBook(options, container);
  const request = await buildRequest(session, options, text, format);
  const jobs = planJobs(request.text, options, book, container);
  const outputs = jobs.flatMap(({ path, sidecars }) => [path ?? '-', ...Object.values(sidecars)]);
  await keepSources([...inputs, ...(options.reference ?? []), options.cover], outputs);
  if (options.dryRun) return describeJobs(session, options, jobs, container, request.text);
  for (const job of jobs) await expectRoom(job, options, format, isM4b);
  const client = session.client();
  const results: object[] = [];
  for (const job of jobs) {
    const facts = await speakJob(session, client, { ...request, text: job.text }, options, job, format);
    const { path, sidecars } = job;
    const wrote = path === undefined ? {} : { output: path };
    results.push({ ...wrote, ...facts, format: container, ...sidecars });
    const place = path === undefined ? 'played' : `wrote ${path},`;
    if (!options.json || path === '-')
      session.terminal.note([`${place} ${size(facts.bytes)}`, ...Object.values(sidecars)].join(', '));
  }
  if (options.json && options.output !== '-') printJson(options.chapterFiles ? results : results[0]);
}

function planJobs(
  text: string,
  options: SpeakOptions,
  book: Book,
  container: AudioFormat | 'm4b',
): readonly Job[] {
  const { play, output, chapterFiles } = options;
  const plan = planned(text, book.chapters || chapterFiles === true);
  const path = play && output === undefined ? undefined : (output ?? `speech.${container}`);
  if (path === undefined || !chapterFiles)
    return [{ path, text, plan, book, sidecars: sidecarsOf(path, options, container) }];
  const extension = extname(path);
  const digits = Math.max(2, String(plan.chapters.length).length);
  return plan.chapters.map(({ title, text: chapter }, index) => {
    const own = `${path.slice(0, path.length - extension.length)}-${String(index + 1).padStart(digits, '0')}${extension}`;
    // The chapter is the title, and the title of the whole is that of the album.
    const { title: album, ...tags } = book.tags;
    const hasTags = container !== 'wav' && container !== 'pcm';
    const own_tags = hasTags ? { ...(album === undefined ? {} : { album }), ...tags, title } : {};
    return {
      path: own,
      text: chapter,
      plan: planned(chapter, false),
      book: { ...book, tags: own_tags, isAsked: true },
      sidecars: sidecarsOf(own, options, container),
    };
  });
}

function describeJobs(
  { settings }: Session,
  { json, speed = 1, output, play, chapterFiles }: SpeakOptions,
  jobs: readonly Job[],
  container: string,
  text: string,
): void {
  const characters = [...text].length;
  const plans = jobs.map(({ plan }) => describePlan(plan, speed));
  const requests = plans.reduce((sum, plan) => sum + plan.requests, 0);
  const seconds = plans.reduce((sum, plan) => sum + plan.estimated_seconds, 0);
  const chapters = chapterFiles
    ? jobs.map(({ path, text: chapter }, index) => ({
        title: path ?? '',
        characters: [...chapter].length,
        requests: plans[index]?.requests ?? 0,
      }))
    : plans[0]?.chapters;
  const bytes = Buffer.byteLength(text);
  const cost = describeCost(settings.prices, 'speak', { characters, bytes, seconds, requests });
  const isOnlyPlayed = play === true && output === undefined;
  if (json) {
    const place = isOnlyPlayed ? {} : { output: chapterFiles ? jobs.map(({ path }) => path) : jobs[0]?.path };
    printJson({
      characters,
      requests,
      estimated_seconds: seconds,
      ...(chapters ? { chapters } : {}),
      format: container,
      ...place,
      ...cost.json,
    });
    return;
  }
  const place = chapterFiles ? `${jobs.length} files` : plain(jobs[0]?.path ?? '');
  print(
    `${characters} characters in ${requests} request(s) would be ${isOnlyPlayed ? 'played' : `spoken into ${place}`}, about ${clock(seconds)}${cost.words}\n`,
  );
  for (const { title, characters: count, requests: calls } of chapters ?? [])
    print(`  ${plain(title)}: ${count} characters, ${calls} request(s)\n`);
}

/** Checks before anything is billed that everything can be written, with room for it. */
async function expectRoom(
  { path, plan, sidecars }: Job,
  options: SpeakOptions,
  format: AudioFormat,
  isM4b: boolean,
): Promise<void> {
  const { force, speed = 1 } = options;
  const audioBytes = (plan.estimatedSeconds / speed) * bytesPerSecond(format, options);
  // Parts are kept until the file is complete.
  const estimatedBytes = Math.round(audioBytes * (plan.parts.length > 1 || isM4b ? 2 : 1));
  if (path !== undefined && path !== '-') await expectWritable(path, { force, estimatedBytes });
  for (const sidecar of Object.values(sidecars)) await expectWritable(sidecar, { force });
}

/** Speaks one file. @returns what `--json` says of it */
async function speakJob(
  session: Session,
  client: SpeechClient,
  request: SpeechRequest,
  options: SpeakOptions,
  job: Job,
  format: AudioFormat,
): Promise<{ readonly bytes: number; readonly seconds?: number }> {
  const { plan, book, sidecars, path } = job;
  const isM4b = /\.m4b$/i.test(path ?? '');
  const output = await openSpeechOutput(session, options, path, format, isM4b ? book : undefined);
  try {
    const isTimed = sidecars.timestamps !== undefined || sidecars.captions !== undefined;
    if (!book.isAsked && plan.parts.length === 1 && !isM4b) {
      const timeline = isTimed
        ? await speakTimed(session, client, request, options, output)
        : await speakPlainly(session, client, request, options, output);
      const bytes = await output.finish();
      if (timeline) await writeSidecars(sidecars, options, timeline);
      return { bytes };
    }
    const kind = { ...options, isTimed, isM4b };
    return await speakBook(session, client, request, kind, book, plan, output, async (speech) => {
      const bytes = await output.finish(speech);
      await writeSidecars(sidecars, options, speech);
      if (sidecars.chapters)
        await writeText(sidecars.chapters, writePodcastChapters(speech.chapters), options.force);
      return { bytes, seconds: speech.duration };
    });
  } finally {
    session.terminal.clear();
    await output.discard();
  }
}

/** Files that are read are never overwritten, not even with --force. */
async function keepSources(
  sources: readonly (string | undefined)[],
  outputs: readonly string[],
): Promise<void> {
  // A text is no file, even if the output has its name.
  const read = new Set(
    await Promise.all(sources.map((source) => source && realpath(source).catch(() => undefined))),
  );
  for (const output of outputs)
    if (output !== '-' && read.has(await targetOf(output)))
      throw new UsageError(`${output} is read by this command and would be overwritten. Name another file.`);
}

function planned(text: string, chapters: boolean): SpeechPlan {
  try {
    return planSpeech(text, { chapters, maximumCharacters: charactersPerCall });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(
      chapters
        ? `--chapters: the ${error.message}. A heading is a line that begins with # or ##, a line underlined with === or ---, or a line such as "Chapter 1" between blank lines.`
        : `The ${error.message}.`,
    );
  }
}

function checkM4b({ format, bitrate, output }: SpeakOptions): 'pcm' {
  if (format !== undefined) throw new UsageError(`--format ${format} does not fit the file name ${output}.`);
  if (bitrate !== undefined) throw new UsageError('--bitrate is for mp3 and opus, not for m4b.');
  return 'pcm';
}

async function writeSidecars(
  { timestamps, captions }: Sidecars,
  options: SpeakOptions,
  timeline: { toSrt(): string; toVtt(): string },
): Promise<void> {
  if (timestamps) await writeText(timestamps, `${JSON.stringify(timeline, undefined, 2)}\n`, options.force);
  const text = options.captions === 'srt' ? timeline.toSrt() : timeline.toVtt();
  if (captions) await writeText(captions, text, options.force);
}

/** A file, a player, or both. */
async function openSpeechOutput(
  { signal }: Session,
  { play, force, rate }: SpeakOptions,
  path: string | undefined,
  format: AudioFormat,
  m4b: Book | undefined,
): Promise<Output> {
  const sampleRate = rate ?? defaultSampleRates[format];
  if (path === undefined) return openPlayer(format, sampleRate, signal);
  const file = m4b
    ? await openM4b(path, { force, sampleRate, tags: m4b.tags, cover: m4b.cover?.path, signal })
    : await openOutput(path, { force, isWav: format === 'wav' });
  if (!play) return file;
  try {
    return writeToBoth(file, await openPlayer(format, sampleRate, signal));
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function speakPlainly(
  { terminal, signal }: Session,
  client: SpeechClient,
  request: SpeechRequest,
  { model }: SpeakOptions,
  output: Output,
): Promise<undefined> {
  terminal.progress('waiting for the first audio');
  const audio = await client.speech.create(request, { signal, ...(model === undefined ? {} : { model }) });
  for await (const piece of audio) {
    await output.write(piece);
    terminal.progress(`speaking: ${size(output.bytes)}`);
  }
}

async function speakTimed(
  { terminal, signal }: Session,
  client: SpeechClient,
  request: SpeechRequest,
  { model }: SpeakOptions,
  output: Output,
) {
  terminal.progress('waiting for the first audio');
  const stream = await client.speech.streamWithTimestamps(request, {
    signal,
    ...(model === undefined ? {} : { model }),
  });
  for await (const event of stream) {
    if (event.type !== 'audio-chunk') continue;
    await output.write(event.audio);
    terminal.progress(`speaking: ${size(output.bytes)}`);
  }
  return stream.timeline;
}

/** One argument that is a file is read; several are the words of a text. */
async function readText(inputs: readonly string[]): Promise<string> {
  const [first] = inputs;
  if (first === undefined && process.stdin.isTTY) {
    throw new UsageError('There is no text to speak. Try: speech speak "Good morning."');
  }
  if (first === undefined || (inputs.length === 1 && first === '-'))
    return decodeText(await readStandardInput(maximumTextBytes), 'stdin');
  if (inputs.length === 1) {
    const file = await stat(first).catch(() => undefined);
    if (file?.isFile()) return readTextFile(first, maximumTextBytes);
    if (file?.isDirectory()) throw new UsageError(`${first} is a folder; name a text file.`);
    // A misspelt name would be spoken, and paid for.
    if (/^\S+\.[a-z][a-z\d]{1,4}$/i.test(first))
      throw new UsageError(`There is no file ${first}. To speak these words, pipe them into: speech speak -`);
  }
  return inputs.join(' ');
}

interface Sidecars {
  readonly timestamps?: string;
  readonly captions?: string;
  readonly chapters?: string;
}

function sidecarsOf(
  path: string | undefined,
  { timestamps, captions, chapters }: SpeakOptions,
  container: AudioFormat | 'm4b',
): Sidecars {
  // The other containers have chapters in themselves.
  const needsChapters = chapters && (container === 'wav' || container === 'pcm');
  if ((path === undefined || path === '-') && (timestamps || captions !== undefined))
    throw new UsageError('--timestamps and --captions need a file name: use -o FILE.');
  if (path === undefined) return {};
  const stem = path.slice(0, path.length - extname(path).length);
  return {
    ...(timestamps ? { timestamps: `${stem}.json` } : {}),
    ...(captions === undefined ? {} : { captions: `${stem}.${captions}` }),
    ...(needsChapters ? { chapters: `${stem}.chapters.json` } : {}),
  };
}

async function buildRequest(
  { settings }: Session,
  options: SpeakOptions,
  text: string,
  format: AudioFormat,
): Promise<SpeechRequest> {
  const { latency, speaker, reference } = options;
  checkSound(format, options);
  const common = {
    text,
    ...soundOf(format, options),
    ...(latency === undefined ? {} : { latency }),
  } as SpeechRequest;
  if (speaker !== undefined) {
    const dialogue = readDialogue(text, speaker);
    return { ...common, text: dialogue.text, reference_id: [...dialogue.voices] } as SpeechRequest;
  }
  if (reference !== undefined) {
    const references = (await readSamples(reference)).map(({ path, audio, text: words }) => {
      if (words === undefined)
        throw new UsageError(`Put what is said in ${path} into a file next to it that ends in .txt.`);
      return { audio, text: words };
    });
    return { ...common, references } as SpeechRequest;
  }
  const voice = options.voice ?? settings.values.voice.value;
  if (voice === '') throw new UsageError('--voice is empty. Leave it out for the voice of the service.');
  return voice === undefined ? common : ({ ...common, reference_id: voice } as SpeechRequest);
}
