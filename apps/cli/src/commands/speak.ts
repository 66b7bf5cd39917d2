import { realpath, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { SpeechClient, SpeechRequest } from '@speech-api/client';
import { planSpeech, type SpeechPlan, writePodcastChapters } from '@speech-api/recordings';
import type { AudioFormat, latencyModes } from '@speech-api/types';
import { defaultSampleRates } from '@speech-api/types/constants';
import { checkSound, formatOf, type SoundOptions, soundOf } from '../audio-options.ts';
import {
  type Book,
  type BookOptions,
  charactersPerCall,
  describePlan,
  readBook,
  speakBook,
} from '../book.ts';
import { readDialogue } from '../dialogue.ts';
import {
  type Output,
  openOutput,
  placeOf,
  readStandardInput,
  readTextFile,
  refuseExisting,
  writeText,
} from '../files.ts';
import { openM4b } from '../m4b.ts';
import { openPlayer, writeToBoth } from '../player.ts';
import { readSamples } from '../samples.ts';
import { type CommonOptions, printJson, type Session } from '../session.ts';
import { clock, plain, size } from '../terminal.ts';
import { UsageError } from '../usage.ts';

interface SpeakOptions extends CommonOptions, SoundOptions, BookOptions {
  readonly output?: string;
  readonly voice?: string;
  readonly reference?: readonly string[];
  readonly model?: string;
  readonly latency?: (typeof latencyModes)[number];
  readonly timestamps?: boolean;
  readonly captions?: 'vtt' | 'srt';
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
  const isOnlyPlayed = options.play === true && options.output === undefined;
  const path = options.output ?? `speech.${format}`;
  if (options.play && options.output === '-') throw new UsageError('--play and -o - exclude each other.');
  const book = await readBook(options, container);
  const beside = sidecars(path, options, container);
  await keepSources(
    [...inputs, ...(options.reference ?? []), options.cover],
    [path, ...Object.values(beside)],
  );
  const request = await buildRequest(session, options, text, format);
  const plan = planned(request.text, book);
  if (options.dryRun) {
    const described = describePlan(plan, options.speed ?? 1);
    const characters = [...text].length;
    if (options.json)
      printJson({ characters, ...described, format: container, ...(isOnlyPlayed ? {} : { output: path }) });
    else {
      const place = isOnlyPlayed ? 'played' : `spoken into ${path}`;
      const lines = described.chapters?.map(
        ({ title, characters: count, requests }) =>
          `  ${plain(title)}: ${count} characters, ${requests} request(s)`,
      );
      process.stdout.write(
        `${characters} characters in ${described.requests} request(s) would be ${place}, about ${clock(described.estimated_seconds)}\n${(lines ?? []).map((line) => `${line}\n`).join('')}`,
      );
    }
    return;
  }
  for (const sidecar of Object.values(beside)) await refuseExisting(sidecar, options.force);
  const client = session.client();
  const output = await openSpeechOutput(session, options, path, format, isM4b ? book : undefined);
  let bytes = 0;
  let measured = {};
  try {
    const isTimed = beside.timestamps !== undefined || beside.captions !== undefined;
    if (book.isAsked || plan.parts.length > 1) {
      const kind = { ...options, isTimed, isM4b };
      const { speech, forget } = await speakBook(session, client, request, kind, book, plan, output);
      bytes = await output.finish(speech);
      await writeSidecars(beside, options, speech);
      if (beside.chapters)
        await writeText(beside.chapters, writePodcastChapters(speech.chapters), options.force);
      await forget();
      measured = { seconds: speech.duration };
    } else if (isTimed) {
      const timeline = await speakTimed(session, client, request, options, output);
      bytes = await output.finish();
      await writeSidecars(beside, options, timeline);
    } else {
      await speakPlainly(session, client, request, options, output);
      bytes = await output.finish();
    }
  } finally {
    session.terminal.clear();
    await output.discard();
  }
  const wrote = isOnlyPlayed ? {} : { output: path };
  if (options.json && path !== '-') printJson({ ...wrote, bytes, format: container, ...measured, ...beside });
  else {
    const place = isOnlyPlayed ? 'played' : `wrote ${path},`;
    session.terminal.note([`${place} ${size(bytes)}`, ...Object.values(beside)].join(', '));
  }
}

/** What is read is never written over, not even with --force. */
async function keepSources(
  sources: readonly (string | undefined)[],
  outputs: readonly string[],
): Promise<void> {
  // A text is no file, even if the output has its name.
  const read = new Set(
    await Promise.all(sources.map((source) => source && realpath(source).catch(() => undefined))),
  );
  for (const output of outputs)
    if (output !== '-' && read.has(await placeOf(output)))
      throw new UsageError(`${output} is read by this command and would be written over. Name another file.`);
}

function planned(text: string, { chapters }: Book): SpeechPlan {
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
  if (captions) {
    const text = options.captions === 'srt' ? timeline.toSrt() : timeline.toVtt();
    await writeText(captions, text, options.force);
  }
}

/** A file, a player, or both. */
async function openSpeechOutput(
  { signal }: Session,
  { play, output, force, rate }: SpeakOptions,
  path: string,
  format: AudioFormat,
  m4b: Book | undefined,
): Promise<Output> {
  const sampleRate = rate ?? defaultSampleRates[format];
  if (play && output === undefined) return openPlayer(format, sampleRate, signal);
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
): Promise<void> {
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
  if (first === undefined || (inputs.length === 1 && first === '-')) {
    const bytes = await readStandardInput(maximumTextBytes);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      throw new UsageError('stdin is not UTF-8 text.');
    }
  }
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

function sidecars(path: string, options: SpeakOptions, container: AudioFormat | 'm4b'): Sidecars {
  // The other containers have chapters in themselves.
  const needsChapters = options.chapters && (container === 'wav' || container === 'pcm');
  if (path === '-' && (options.timestamps || options.captions !== undefined))
    throw new UsageError('--timestamps and --captions need a file name: use -o FILE.');
  const stem = path.slice(0, path.length - extname(path).length);
  return {
    ...(options.timestamps ? { timestamps: `${stem}.json` } : {}),
    ...(options.captions === undefined ? {} : { captions: `${stem}.${options.captions}` }),
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
        throw new UsageError(`Put what is said in ${path} into a file beside it that ends in .txt.`);
      return { audio, text: words };
    });
    return { ...common, references } as SpeechRequest;
  }
  const voice = options.voice ?? settings.values.voice.value;
  return voice === undefined ? common : ({ ...common, reference_id: voice } as SpeechRequest);
}
