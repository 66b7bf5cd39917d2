import { extname } from 'node:path';
import type { SpeechClient, SpeechRequest } from '@speech-api/client';
import { findKeptSpeech, planSpeech, type SpeechPlan, speakLong } from '@speech-api/recordings';
import { readJournal } from '@speech-api/recordings/node';
import type { AudioFormat, latencyModes } from '@speech-api/types';
import { defaultModel, defaultSampleRates } from '@speech-api/types/constants';
import { ask } from '../ask.ts';
import { decodeText, look, readSamples, readStandardInput, readTextFile } from '../files.ts';
import { given } from '../given.ts';
import {
  expectWritable,
  type Output,
  openOutput,
  refuseCollisions,
  removeLeftovers,
  writeText,
} from '../output.ts';
import { describeKept, keepParts, serviceOf } from '../parts.ts';
import { openPlayer, writeToBoth } from '../player.ts';
import { print, printJson, type Session } from '../session.ts';
import { bytesPerSecond, formatOf, type SoundOptions, soundOf } from '../sound.ts';
import { clock, plain, size, type Terminal } from '../terminal.ts';
import { UsageError } from '../usage.ts';

interface SpeakOptions extends SoundOptions {
  readonly play?: boolean;
  readonly text?: boolean;
  readonly reference?: readonly string[];
  readonly speaker?: readonly string[];
  readonly latency?: (typeof latencyModes)[number];
  readonly timestamps?: boolean;
  readonly captions?: 'vtt' | 'srt';
  readonly journal?: string;
  readonly jobs?: number;
}

/** The files that a text becomes. */
interface Job {
  /** Undefined if it is only played. */
  readonly path: string | undefined;
  readonly format: AudioFormat;
  readonly plan: SpeechPlan;
  readonly sidecars: { readonly timestamps?: string; readonly captions?: string };
  /** The folder of finished parts, so that none is billed twice. */
  readonly folder: string | undefined;
  /** True if the audio is played or written while it arrives: finished parts are neither read nor written. */
  readonly isOneCall: boolean;
}

/** A long book is two million characters. */
const maximumTextBytes = 20_000_000;

export async function speak(
  session: Session,
  options: SpeakOptions,
  inputs: readonly string[],
): Promise<void> {
  if (options.play && options.output === '-') throw new UsageError('--play cannot be used with -o -.');
  const text = await readText(session.terminal, inputs);
  if (text.trim() === '') throw new UsageError('There is no text to speak.');
  if (!options.text && looksLikeMarkup(text)) await confirmMarkup(session);
  const format = formatOf(options, session);
  const request = await buildRequest(session, options, text, format);
  const job = planJob(request.text, options, format);
  const outputs = [job.path ?? '-', ...Object.values(job.sidecars)];
  await refuseCollisions([...inputs, ...(options.reference ?? [])], outputs);
  if (options.dryRun) return describeJob(session, options, job, request);
  await expectRoom(job, options);
  const { warnings, ...facts } = await speakJob(session, options, job, request);
  const { path, sidecars } = job;
  for (const warning of warnings) session.terminal.note(`warning: ${warning}`);
  const place = path === undefined ? 'played' : `wrote ${path},`;
  if (!options.json || path === '-')
    session.terminal.note([`${place} ${size(facts.bytes)}`, ...Object.values(sidecars)].join(', '));
  const listed = warnings.length === 0 ? undefined : warnings;
  if (options.json && path !== '-')
    printJson(given({ output: path, ...facts, format, ...sidecars, warnings: listed }));
}

/** HTML and SSML: the service leaves their tags out, and they are billed all the same. */
function looksLikeMarkup(text: string): boolean {
  return /^\s*<(?:!doctype|html|\?xml|speak)\b/i.test(text) || /<\/[a-z][\w:-]*\s*>/i.test(text);
}

async function confirmMarkup({ signal }: Session): Promise<void> {
  const warning = 'This text looks like HTML or SSML, whose tags are billed and not understood.';
  const otherwise = `${warning} Save it as plain text, or add --text to speak it as it is.`;
  const answer = await ask({ text: `${warning} Speak it? [y/N] `, otherwise, signal });
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('Nothing was sent.');
}

function planJob(text: string, options: SpeakOptions, format: AudioFormat): Job {
  const { play, output, journal, timestamps, captions } = options;
  const path = play && output === undefined ? undefined : (output ?? `speech.${format}`);
  const hasFile = path !== undefined && path !== '-';
  if (!hasFile && (timestamps || captions !== undefined))
    throw new UsageError('--timestamps and --captions need a file name: use -o FILE.');
  const stem = path?.slice(0, path.length - extname(path).length);
  const plan = planSpeech(text);
  return {
    ...{ path, format, plan },
    sidecars: given({
      timestamps: timestamps ? `${stem}.json` : undefined,
      captions: captions && `${stem}.${captions}`,
    }),
    folder: journal ?? (hasFile ? `${path}.parts` : undefined),
    isOneCall: journal === undefined && plan.parts.length === 1,
  };
}

const isTimed = ({ sidecars }: Job): boolean => Object.keys(sidecars).length > 0;

/** Checks before anything is billed that everything can be written, with room for it. */
async function expectRoom({ path, format, plan, sidecars }: Job, options: SpeakOptions): Promise<void> {
  const { force, speed = 1 } = options;
  const audioBytes = (plan.estimatedSeconds / speed) * bytesPerSecond(format, options);
  // Parts are kept until the file is complete.
  const estimatedBytes = audioBytes * (plan.parts.length > 1 ? 2 : 1);
  if (path !== undefined) await expectWritable(path, { force, estimatedBytes });
  for (const sidecar of Object.values(sidecars)) await expectWritable(sidecar, { force });
}

/** @returns what `--json` says of the file */
async function speakJob(
  session: Session,
  options: SpeakOptions,
  job: Job,
  request: SpeechRequest,
): Promise<{ bytes: number; seconds?: number; warnings: readonly string[] }> {
  const { signal, terminal } = session;
  const client = session.client();
  const output = await openSpeechOutput(session, options, job);
  const finish = async (timeline?: Timeline) => {
    const bytes = await output.finish();
    if (timeline !== undefined && isTimed(job)) await writeSidecars(job, options, request, timeline);
    return given({ bytes, seconds: timeline?.duration, warnings: timeline?.warnings ?? [] });
  };
  try {
    if (job.isOneCall) return await finish(await speakOnce(session, client, options, job, request, output));
    const isOwn = options.journal === undefined;
    const facts = await keepParts(terminal, job.folder, isOwn, async (journal) => {
      const speech = speakLong(client, request, {
        ...{ model: options.model, signal, jobs: options.jobs, journal, timestamps: isTimed(job) },
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
    return facts;
  } finally {
    terminal.clear();
    await output.discard();
  }
}

/** Speaks a text that fits into one call, and writes the audio while it comes. @returns its words, where they are timed */
async function speakOnce(
  { terminal, signal }: Session,
  client: SpeechClient,
  { model }: SpeakOptions,
  job: Job,
  request: SpeechRequest,
  output: Output,
): Promise<Timeline | undefined> {
  terminal.progress('waiting for the first audio');
  const call = given({ signal, model });
  const stream = isTimed(job) ? await client.speech.streamWithTimestamps(request, call) : undefined;
  for await (const piece of stream ?? (await client.speech.create(request, call))) {
    if (!(piece instanceof Uint8Array) && piece.type !== 'audio-chunk') continue;
    await output.write(piece instanceof Uint8Array ? piece : piece.audio);
    terminal.progress(`speaking: ${size(output.bytes)}`);
  }
  return stream?.timeline;
}

/** Times of the spoken text, complete once everything has been spoken. */
type Timeline = Pick<ReturnType<typeof speakLong>, 'duration' | 'toSrt' | 'toVtt'> & {
  readonly warnings?: readonly string[];
};

async function writeSidecars(
  { sidecars }: Job,
  { captions, force, speaker }: SpeakOptions,
  { text }: SpeechRequest,
  timeline: Timeline,
): Promise<void> {
  const speakers = speaker?.map((pair) => pair.slice(0, pair.indexOf('=')).trim());
  const dialogue = speakers && { text, speakers };
  if (sidecars.timestamps !== undefined)
    await writeText(sidecars.timestamps, `${JSON.stringify(timeline, undefined, 2)}\n`, force);
  if (sidecars.captions === undefined) return;
  const cues = captions === 'srt' ? timeline.toSrt(dialogue) : timeline.toVtt(dialogue);
  await writeText(sidecars.captions, cues, force);
}

/** The output: a file, a player, or both. */
async function openSpeechOutput({ signal }: Session, options: SpeakOptions, job: Job): Promise<Output> {
  const { play, force, rate } = options;
  const { path, format } = job;
  const sampleRate = rate ?? defaultSampleRates[format];
  if (path === undefined) return openPlayer(format, sampleRate, signal);
  const file = await openOutput(path, { force, isWav: format === 'wav' });
  if (!play) return file;
  try {
    return writeToBoth(file, await openPlayer(format, sampleRate, signal));
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Reads the file that a single argument names; several arguments are the words of a text. */
async function readText(terminal: Terminal, inputs: readonly string[]): Promise<string> {
  const [first] = inputs;
  if (first === undefined && process.stdin.isTTY)
    throw new UsageError('There is no text to speak. Try: speech speak "Good morning."');
  if (first === undefined) terminal.note('reading the text from stdin');
  if (first === undefined || (inputs.length === 1 && first === '-'))
    return decodeText(await readStandardInput(maximumTextBytes), 'stdin');
  if (inputs.length > 1) return inputs.join(' ');
  const file = await look(first);
  if (file?.isDirectory()) throw new UsageError(`${first} is a folder; name a text file.`);
  if (file !== undefined) return readTextFile(first, maximumTextBytes);
  // A misspelt name would be spoken, and paid for.
  if (/^\S+\.[a-z][a-z\d]{1,4}$/i.test(first))
    throw new UsageError(`There is no file ${first}. To speak these words, pipe them into: speech speak -`);
  return first;
}

async function buildRequest(
  session: Session,
  options: SpeakOptions,
  text: string,
  format: AudioFormat,
): Promise<SpeechRequest> {
  const { latency, speaker, reference } = options;
  const common = given({ text, ...soundOf(format, options, session), latency });
  if (speaker !== undefined) return { ...common, ...readDialogue(text, speaker) } as SpeechRequest;
  if (reference === undefined) return common as SpeechRequest;
  const references = (await readSamples(reference)).map(({ path, audio, text: words }) => {
    if (words === undefined)
      throw new UsageError(`Put what is said in ${path} into a file next to it that ends in .txt.`);
    return { audio, text: words };
  });
  return given({ ...common, reference_id: undefined, references }) as unknown as SpeechRequest;
}

/** Turns lines like `Anna: Hello.` into a dialogue. `speakers` are of the form `Anna=voice-id`. */
function readDialogue(script: string, speakers: readonly string[]) {
  const pairs = speakers.map((speaker) => {
    const [, name = '', voice = ''] = /^([^=]+)=(.+)$/.exec(speaker) ?? [];
    if (voice === '')
      throw new UsageError(`--speaker ${speaker} must be of the form NAME=VOICE, such as Anna=sandbox-alba.`);
    return { name: name.trim(), voice: voice.trim() };
  });
  let text = '';
  for (const [index, line] of script.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, name = '', words = ''] = /^([^:]{1,80}):(.*)$/.exec(line.trim()) ?? [];
    const number = pairs.findIndex((pair) => pair.name === name.trim());
    // A line without a name continues the words of the last speaker.
    if (number === -1 && (text === '' || name !== '')) {
      const names = pairs.map((pair) => pair.name).join(', ');
      throw new UsageError(
        `Line ${index + 1} must begin with a speaker and a colon. The speakers are ${names}.`,
      );
    }
    text += number === -1 ? ` ${line.trim()}` : `<|speaker:${number}|>${words.trim()}`;
  }
  return { text, reference_id: pairs.map(({ voice }) => voice) };
}

/** The output of `--dry-run`: what would be sent and billed now. */
async function describeJob(
  session: Session,
  options: SpeakOptions,
  job: Job,
  request: SpeechRequest,
): Promise<void> {
  const { speed = 1 } = options;
  const { path, format, plan } = job;
  const lengthOf = (text: string): number => [...text].length;
  const sent = await partsToSend(session, options, job, request);
  const keptCount = plan.parts.length - sent.length;
  const text = keptCount === 0 ? request.text : sent.join('');
  const characters = lengthOf(text);
  const requests = sent.length;
  const share = keptCount === 0 ? 1 : characters / lengthOf(plan.parts.join(''));
  const seconds = Math.round((plan.estimatedSeconds / speed) * share);
  const counts = { characters, requests, kept_parts: keptCount, estimated_seconds: seconds };
  if (options.json) return printJson(given({ ...counts, format, output: path }));
  const done = path === undefined ? 'played' : `spoken into ${plain(path)}`;
  print(
    `${characters} characters in ${requests} request(s) would be ${done}${describeKept(keptCount)}, about ${clock(seconds)}\n`,
  );
}

/** The parts that no earlier run has finished. */
async function partsToSend(
  session: Session,
  options: SpeakOptions,
  job: Job,
  request: SpeechRequest,
): Promise<readonly string[]> {
  const { folder, plan, isOneCall } = job;
  const baseUrl = serviceOf(session);
  if (!folder || !baseUrl || isOneCall) return plan.parts;
  const model = options.model ?? session.settings.values.model.value ?? defaultModel;
  const service = { baseUrl, model, timestamps: isTimed(job) };
  const isKept = await findKeptSpeech(readJournal(folder), request, plan.parts, service);
  return plan.parts.filter((_part, index) => !isKept[index]);
}
