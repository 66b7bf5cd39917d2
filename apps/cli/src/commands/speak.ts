import type { SpeechClient, SpeechRequest } from '@speech-api/client';
import { speakLong, writePodcastChapters } from '@speech-api/recordings';
import { defaultSampleRates } from '@speech-api/types/constants';
import { decodeText, look, readSamples, readStandardInput, readTextFile } from '../files.ts';
import { given } from '../given.ts';
import { openM4b } from '../m4b.ts';
import {
  type Ending,
  expectWritable,
  type Output,
  openOutput,
  refuseCollisions,
  removeLeftovers,
  writeText,
} from '../output.ts';
import { keepParts } from '../parts.ts';
import { openPlayer, writeToBoth } from '../player.ts';
import { printJson, type Session } from '../session.ts';
import { bytesPerSecond, formatOf, soundOf } from '../sound.ts';
import {
  type Container,
  checkOptions,
  describeJobs,
  folderOf,
  isOneCall,
  type Job,
  planJobs,
  readDescription,
  type SpeakOptions,
  timesOf,
} from '../speak-plan.ts';
import { clock, size } from '../terminal.ts';
import { UsageError } from '../usage.ts';

/** A long book is two million characters. */
const maximumTextBytes = 20_000_000;

/** Context shared by all files of one command. */
interface Speaking {
  readonly session: Session;
  readonly client: SpeechClient;
  readonly request: SpeechRequest;
  readonly options: SpeakOptions;
  readonly container: Container;
  readonly cover: Uint8Array | undefined;
}

export async function speak(
  session: Session,
  options: SpeakOptions,
  inputs: readonly string[],
): Promise<void> {
  checkOptions(options);
  const text = await readText(inputs);
  const container = containerOf(session, options);
  const { tags, cover } = await readDescription(options, container);
  const request = await buildRequest(session, options, text, container);
  const jobs = planJobs(request.text, options, tags, container);
  const outputs = jobs.flatMap(({ path = '-', sidecars }) => [path, ...Object.values(sidecars)]);
  await refuseCollisions([...inputs, ...(options.reference ?? []), options.cover ?? ''], outputs);
  if (options.dryRun) return describeJobs(session, options, jobs, container, request);
  for (const job of jobs) await expectRoom(job, options, container);
  const common = { session, client: session.client(), options, container, cover };
  const results: object[] = [];
  for (const job of jobs) {
    const { path, sidecars } = job;
    const facts = await speakJob({ ...common, request: { ...request, text: job.text } }, job);
    results.push(given({ output: path, ...facts, format: container, ...sidecars }));
    const place = path === undefined ? 'played' : `wrote ${path},`;
    if (!options.json || path === '-')
      session.terminal.note([`${place} ${size(facts.bytes)}`, ...Object.values(sidecars)].join(', '));
  }
  if (options.json && options.output !== '-') printJson(options.chapterFiles ? results : results[0]);
}

function containerOf(session: Session, options: SpeakOptions): Container {
  const { output = '', format, bitrate } = options;
  if (!/\.m4b$/i.test(output)) return formatOf(options, session);
  if (format !== undefined) throw new UsageError(`--format ${format} does not fit the file name ${output}.`);
  if (bitrate !== undefined) throw new UsageError('--bitrate is for mp3 and opus, not for m4b.');
  return 'm4b';
}

const soundFormat = (container: Container) => (container === 'm4b' ? 'pcm' : container);

/** Checks before anything is billed that everything can be written, with room for it. */
async function expectRoom(
  { path, plan, sidecars }: Job,
  options: SpeakOptions,
  container: Container,
): Promise<void> {
  const { force, speed = 1 } = options;
  const audioBytes = (plan.estimatedSeconds / speed) * bytesPerSecond(soundFormat(container), options);
  // Parts are kept until the file is complete.
  const copies = plan.parts.length > 1 || container === 'm4b' ? 2 : 1;
  if (path !== undefined) await expectWritable(path, { force, estimatedBytes: audioBytes * copies });
  for (const sidecar of Object.values(sidecars)) await expectWritable(sidecar, { force });
}

/** Speaks one file. @returns what `--json` says of it */
async function speakJob(speaking: Speaking, job: Job): Promise<{ bytes: number; seconds?: number }> {
  const { session, options, container, cover } = speaking;
  const { tags } = job;
  const isTimed = timesOf(job) !== undefined;
  const output = await openSpeechOutput(speaking, job);
  const finish = async (timeline?: Timeline) => {
    const bytes = await output.finish(timeline);
    if (timeline) await writeSidecars(job, options, timeline);
    return given({ bytes, seconds: timeline?.duration });
  };
  try {
    if (isOneCall(job, options, container)) return await finish(await speakOnce(speaking, isTimed, output));
    const isOwn = options.journal === undefined;
    const facts = await keepParts(session.terminal, folderOf(job, options), isOwn, async (journal) => {
      const { signal, terminal } = session;
      const { model, jobs, chapters } = options;
      const speech = speakLong(speaking.client, speaking.request, {
        ...{ model, signal, jobs, journal, chapters, timestamps: isTimed },
        // ffmpeg writes those of an m4b file.
        ...(container === 'm4b' ? {} : { tags, cover }),
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
    session.terminal.clear();
    await output.discard();
  }
}

/** Speaks a text that fits into one call, and writes the audio while it comes. @returns its words, where they are timed */
async function speakOnce(
  { session: { terminal, signal }, client, request, options: { model } }: Speaking,
  isTimed: boolean,
  output: Output,
): Promise<Timeline | undefined> {
  terminal.progress('waiting for the first audio');
  const call = given({ signal, model });
  const stream = isTimed ? await client.speech.streamWithTimestamps(request, call) : undefined;
  for await (const piece of stream ?? (await client.speech.create(request, call))) {
    if (!(piece instanceof Uint8Array) && piece.type !== 'audio-chunk') continue;
    await output.write(piece instanceof Uint8Array ? piece : piece.audio);
    terminal.progress(`speaking: ${size(output.bytes)}`);
  }
  return stream?.timeline;
}

/** Times of the spoken text, complete once everything has been spoken. */
interface Timeline extends Ending {
  readonly duration: number;
  toSrt(): string;
  toVtt(): string;
}

async function writeSidecars({ sidecars }: Job, { captions, force }: SpeakOptions, timeline: Timeline) {
  const write = async (path: string | undefined, toText: () => string): Promise<void> => {
    if (path !== undefined) await writeText(path, toText(), force);
  };
  await write(sidecars.timestamps, () => `${JSON.stringify(timeline, undefined, 2)}\n`);
  await write(sidecars.captions, () => (captions === 'srt' ? timeline.toSrt() : timeline.toVtt()));
  await write(sidecars.chapters, () => writePodcastChapters(timeline.chapters ?? []));
}

/** A file, a player, or both. */
async function openSpeechOutput({ session, options, container }: Speaking, job: Job): Promise<Output> {
  const { signal } = session;
  const { play, force, rate, cover } = options;
  const format = soundFormat(container);
  const sampleRate = rate ?? defaultSampleRates[format];
  const { path, tags } = job;
  if (path === undefined) return openPlayer(format, sampleRate, signal);
  const file =
    container === 'm4b'
      ? await openM4b(path, { force, sampleRate, tags, cover, signal })
      : await openOutput(path, { force, isWav: format === 'wav' });
  if (!play) return file;
  try {
    return writeToBoth(file, await openPlayer(format, sampleRate, signal));
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** One argument that is a file is read; several are the words of a text. */
async function readText(inputs: readonly string[]): Promise<string> {
  const text = await readInputs(inputs);
  if (text.trim() === '') throw new UsageError('There is no text to speak.');
  return text;
}

async function readInputs(inputs: readonly string[]): Promise<string> {
  const [first] = inputs;
  if (first === undefined && process.stdin.isTTY)
    throw new UsageError('There is no text to speak. Try: speech speak "Good morning."');
  if (first === undefined || (inputs.length === 1 && first === '-'))
    return decodeText(await readStandardInput(maximumTextBytes), 'stdin');
  if (inputs.length > 1) return inputs.join(' ');
  const file = await look(first);
  if (file?.isFile()) return readTextFile(first, maximumTextBytes);
  if (file?.isDirectory()) throw new UsageError(`${first} is a folder; name a text file.`);
  // A misspelt name would be spoken, and paid for.
  if (/^\S+\.[a-z][a-z\d]{1,4}$/i.test(first))
    throw new UsageError(`There is no file ${first}. To speak these words, pipe them into: speech speak -`);
  return first;
}

async function buildRequest(
  session: Session,
  options: SpeakOptions,
  text: string,
  container: Container,
): Promise<SpeechRequest> {
  const { latency, speaker, reference } = options;
  const common = given({ text, ...soundOf(soundFormat(container), options, session), latency });
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
    // A line without a name goes on with what the last speaker says.
    if (number === -1 && (text === '' || name !== '')) {
      const known = pairs.map((pair) => pair.name).join(', ');
      throw new UsageError(
        `Line ${index + 1} must begin with a speaker and a colon. The speakers are ${known}.`,
      );
    }
    text += number === -1 ? ` ${line.trim()}` : `<|speaker:${number}|>${words.trim()}`;
  }
  return { text, reference_id: pairs.map(({ voice }) => voice) };
}
