import { createReadStream } from 'node:fs';
import { access, constants, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative } from 'node:path';
import {
  JobPool,
  planRecording,
  RecordingError,
  type RecordingPlan,
  type RecordingTranscript,
  transcribeRecording,
} from '@speech-api/recordings';
import { openRecording, readJournal } from '@speech-api/recordings/node';
import { transcriptionModels } from '@speech-api/types/constants';
import { explain } from '../failures.ts';
import { expectFile, look } from '../files.ts';
import { given } from '../given.ts';
import { expectWritable, refuseCollisions, targetOf, writeText } from '../output.ts';
import { describeKept, keepParts, serviceOf } from '../parts.ts';
import { type CommonOptions, print, printJson, type Session, waitAsLongAsTheClient } from '../session.ts';
import { problemOf } from '../settings.ts';
import { clock, plain, plainJson, size } from '../terminal.ts';
import { exitCodes, UsageError } from '../usage.ts';

/** The second model tells speakers apart. */
const [, speakerModel] = transcriptionModels;

interface TranscribeOptions extends CommonOptions {
  readonly output?: string;
  readonly outputDir?: string;
  readonly language?: string;
  readonly speakers?: boolean;
  readonly timestamps?: boolean;
  readonly captions?: 'vtt' | 'srt';
  readonly journal?: string;
  readonly jobs: number;
  readonly words?: boolean;
  readonly jsonl?: boolean;
  readonly recursive?: boolean;
  readonly skipDone?: boolean;
  readonly acceptTruncated?: boolean;
  readonly track?: number;
}

/** The files that one recording becomes; `-` is stdout. */
interface Outputs {
  readonly text?: string;
  readonly timestamps?: string;
  readonly captions?: string;
}

interface Job {
  readonly input: string;
  readonly outputs: Outputs;
  /** Outputs of an earlier run, which stay as they are. */
  readonly finishedFiles: ReadonlySet<string>;
}

/** A recording as `--json` prints it. */
type Result = { readonly input: string } & Readonly<Record<string, unknown>>;

export async function transcribe(
  session: Session,
  options: TranscribeOptions,
  inputs: readonly string[],
): Promise<void> {
  const language = options.language ?? session.settings.values.language.value;
  checkOptions(options, language);
  const jobs = await planJobs(session, inputs, options);
  const results = new Map<Job, Result>();
  let failed = 0;
  const fail = (job: Job, message: string): void => {
    session.terminal.clear();
    process.stderr.write(`speech: ${plain(job.input)}: ${plain(message)}\n`);
    results.set(job, { input: job.input, error: message });
    failed += 1;
  };
  const todo: Job[] = [];
  for (const job of jobs) {
    const missing = filesOf(job.outputs).filter((path) => !job.finishedFiles.has(path));
    if (job.finishedFiles.size > 0 && missing.length === 0) {
      session.terminal.note(`${job.input} is done`);
      results.set(job, { input: job.input, done: true });
      continue;
    }
    try {
      for (const path of missing) await prepare(path, options);
      todo.push(job);
    } catch (error) {
      // If this run continues an earlier one, every recording may be finished already.
      if (!options.skipDone || jobs.length === 1 || !(error instanceof UsageError)) throw error;
      fail(job, error.message);
    }
  }
  const count = todo.length + failed;
  session.interrupt.writesFiles = !options.dryRun && todo.some(({ outputs }) => filesOf(outputs).length > 0);
  const pool = new JobPool(options.jobs);
  const languageOptions = { ...options, ...given({ language }) };
  const queue = todo.values();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const job of queue) {
      try {
        results.set(job, await transcribeOne(session, languageOptions, pool, job));
      } catch (error) {
        // One bad recording of many does not stop the others; a bad key would fail for each.
        const { message, code } = explain(error);
        const isForAll =
          code === exitCodes.access || (code === exitCodes.usage && !RecordingError.isInstance(error));
        if (session.signal.aborted || count === 1 || isForAll) failures.push(error);
        else fail(job, message);
      }
      // Those under way were paid for, so they finish.
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, todo.length) }, work));
  if (failures.length > 0) throw failures[0];
  // Prints one JSON document, which is a list if there are several recordings.
  const printed = jobs.map((job) => results.get(job));
  if (options.json) printJson(jobs.length === 1 ? printed[0] : printed);
  if (failed > 0) throw new Error(`${failed} of ${count} recordings were not transcribed`);
}

function checkOptions(options: TranscribeOptions, language: string | undefined): void {
  if (options.words && options.captions === undefined && !/\.(srt|vtt)$/i.test(options.output ?? ''))
    throw new UsageError('--words is about captions: add --captions vtt or srt.');
  if (options.jsonl && (options.json || options.output === '-'))
    throw new UsageError('--jsonl already writes to stdout; remove --json and -o -.');
  const problem = language === undefined ? undefined : problemOf('language', language);
  if (problem !== undefined) throw new UsageError(`--language ${language} will not work: ${problem}.`);
}

/** Lists each recording with its files. Refuses to overwrite a recording or to write an output twice. */
async function planJobs(
  session: Session,
  inputs: readonly string[],
  options: TranscribeOptions,
): Promise<readonly Job[]> {
  const recordings = await findRecordings(session, inputs, options.recursive);
  // All recordings are checked before the first one is sent and billed.
  for (const { path } of recordings) await expectRecording(path);
  const names = new Set<string>();
  for (const { path } of recordings) {
    const target = await targetOf(path);
    if (names.has(target)) throw new UsageError(`${path} is named twice. Name each recording once.`);
    names.add(target);
  }
  const planned = recordings.map(({ path: input, below }) => ({
    input,
    outputs: outputsOf(input, options, recordings.length, below),
  }));
  await refuseCollisions(
    planned.map(({ input }) => input),
    planned.flatMap(({ outputs }) => filesOf(outputs)),
  );
  return Promise.all(
    planned.map(async ({ input, outputs }) => {
      const finishedFiles = new Set(options.skipDone ? await finishedOf(input, filesOf(outputs)) : []);
      return { input, outputs, finishedFiles };
    }),
  );
}

async function prepare(path: string, { outputDir, dryRun, force }: TranscribeOptions): Promise<void> {
  const folder = outputDir === undefined ? undefined : dirname(path);
  // A plan makes no folder.
  if (folder !== undefined && dryRun && !(await look(folder))) return;
  if (folder !== undefined && !dryRun) await mkdir(folder, { recursive: true });
  await expectWritable(path, { force });
}

async function transcribeOne(
  session: Session,
  options: TranscribeOptions,
  pool: JobPool,
  job: Job,
): Promise<Result> {
  const { input, outputs } = job;
  const { terminal, signal, interrupt } = session;
  await using spool = await openInput(input, signal);
  const recording = await openRecording(spool.path);
  const { acceptTruncated, track, jsonl, language } = options;
  const cutting = { acceptTruncated, track };
  const speakerFields = options.speakers ? { model: speakerModel, diarize: true } : {};
  const folder = options.journal ?? (await partsFolder(spool.path === input ? input : '-', outputs));
  if (options.dryRun) {
    const baseUrl = serviceOf(session);
    const plan = { ...cutting, ...speakerFields, language };
    const planning = baseUrl ? { ...plan, journal: readJournal(folder), baseUrl } : plan;
    return describePlan(session, options, input, await planRecording(recording, planning));
  }
  const client = session.client();
  waitAsLongAsTheClient();
  try {
    if (options.speakers) {
      const { parts, conversionToOne } = await planRecording(recording, cutting);
      const advice = conversionToOne && `, unless you make one of it: ${conversionToOne}`;
      if (parts.length > 1)
        terminal.note(
          `${input}: ${parts.length} parts, each of which numbers its speakers anew${advice ?? ''}`,
        );
    }
    const transcript = await keepParts(terminal, folder, options.journal === undefined, async (journal) => {
      const result = await transcribeRecording(client, recording, {
        ...{ ...cutting, ...speakerFields, signal, language, jobs: pool, journal },
        onNote: (note) => terminal.note(`${input}: ${note}`),
        onPart: (part) => {
          if (interrupt.outputFailure) throw interrupt.outputFailure;
          if (jsonl) print(`${plainJson({ input, ...part })}\n`);
        },
        onProgress: ({ finishedParts, cutParts, seconds, bytes, totalBytes = 0 }) => {
          const share = totalBytes > 0 ? `, ${Math.floor((100 * bytes) / totalBytes)} % read` : '';
          const done = `${clock(seconds)} done, part ${finishedParts} of ${cutParts}`;
          terminal.progress(`${basename(input)}: ${done}${share}`);
        },
      });
      terminal.clear();
      await writeTranscript(session, options, job, result);
      return result;
    });
    const { text: output, ...beside } = outputs;
    // A text that is written to a file need not stay in memory until all others are done.
    if (output === '-') return { input, ...transcript.toJSON(), ...beside };
    return given({ input, output, duration: transcript.duration, ...beside });
  } finally {
    terminal.clear();
  }
}

/** The folder of the parts of one recording: next to its text, else next to the recording, else here. */
async function partsFolder(input: string, outputs: Outputs): Promise<string> {
  const [output = input === '-' ? 'stdin' : input] = filesOf(outputs);
  const name = `${output}.parts`;
  return access(dirname(name), constants.W_OK).then(
    () => name,
    () => basename(name),
  );
}

function describePlan(
  { terminal }: Session,
  { json }: TranscribeOptions,
  input: string,
  { parts, ...plan }: RecordingPlan,
): Result {
  const { description, seconds, requests, keptParts, bytesSent: bytes, overlapSeconds } = plan;
  if (plan.note !== undefined) terminal.note(`${input}: ${plan.note}`);
  const length = seconds === undefined ? 'of unknown length' : clock(seconds);
  const sent = `${requests} request(s), ${size(bytes)}, ${overlapSeconds.toFixed(1)} s sent twice${describeKept(keptParts)}`;
  if (!json) print(`${plain(input)}: ${plain(description)}, ${length}, ${sent}\n`);
  return { input, ...plan, parts };
}

async function writeTranscript(
  { terminal }: Session,
  { words, speakers, force, json, jsonl }: TranscribeOptions,
  { outputs, finishedFiles }: Job,
  transcript: RecordingTranscript,
): Promise<void> {
  const written: string[] = [];
  const write = async (path: string | undefined, toText: () => string): Promise<void> => {
    if (path === undefined || path === '-' || finishedFiles.has(path)) return;
    await writeText(path, toText(), force);
    written.push(path);
  };
  const cues = words ? { lineLength: 1, linesPerCue: 1 } : undefined;
  await write(outputs.timestamps, () => `${JSON.stringify(transcript, undefined, 2)}\n`);
  const isSrt = outputs.captions !== undefined && /\.srt$/i.test(outputs.captions);
  const isUntimed = !transcript.hasTimes && (outputs.captions ?? outputs.timestamps) !== undefined;
  if (!isUntimed)
    await write(outputs.captions, () => (isSrt ? transcript.toSrt(cues) : transcript.toVtt(cues)));
  const text = speakers ? turnsOf(transcript) : transcript.text;
  await write(
    outputs.text ?? (isUntimed ? `${outputs.captions ?? outputs.timestamps}.txt` : undefined),
    () => `${text}\n`,
  );
  if (outputs.text === '-' && !json && !jsonl) await writeText('-', `${plain(text)}\n`);
  if (written.length > 0) terminal.note(`wrote ${written.join(', ')}`);
  if (isUntimed)
    throw new Error(
      'the service gave no times for these words, so there are no captions; the text is complete',
    );
}

/** A line for each turn. */
function turnsOf(transcript: RecordingTranscript): string {
  const { turns, text } = transcript;
  if (turns.length === 0) return text;
  return turns.map((turn) => `${transcript.speakerOf(turn)}: ${turn.text}`).join('\n');
}

/** Only files with these endings are picked from folders; a file named on the command line is always tried. */
const recordingEndings =
  /\.(3gp|aac|ac3|aiff?|amr|au|avi|caf|flac|m2ts|m4[abv]|mk[av]|mov|mp[234]|mpga|mts|og[agv]|opus|qta|spx|ts|tta|w64|wav|web[am]|wma|wv)$/i;

/** The named files, and the recordings of named folders with their place in the folder. */
async function findRecordings(
  { terminal }: Session,
  inputs: readonly string[],
  recursive = false,
): Promise<readonly { readonly path: string; readonly below?: string }[]> {
  const lists = await Promise.all(
    inputs.map(async (input) => {
      const isFolder = recursive && (await look(input))?.isDirectory();
      if (!isFolder) return { path: input };
      const files = new Map<string, string>();
      const leftOut: string[] = [];
      const entries = await readdir(input, { recursive: true, withFileTypes: true });
      // Links come last: one whose target is in the folder, too, is the same recording.
      entries.sort((left, right) => Number(left.isSymbolicLink()) - Number(right.isSymbolicLink()));
      for (const entry of entries) {
        const path = join(entry.parentPath, entry.name);
        const file = await look(path);
        // macOS keeps metadata of NAME in a file ._NAME, which is not a recording.
        const isRecording =
          file?.isFile() && recordingEndings.test(entry.name) && !entry.name.startsWith('._');
        const target = isRecording ? await targetOf(path) : path;
        if (isRecording && !files.has(target)) files.set(target, path);
        else if (!entry.isDirectory()) leftOut.push(path);
      }
      if (leftOut.length > 0)
        terminal.note(`left out, not being recordings of this folder: ${leftOut.sort().join(', ')}`);
      if (files.size === 0) throw new UsageError(`There is no recording in ${input}.`);
      return [...files.values()].sort().map((path) => ({ path, below: relative(input, dirname(path)) }));
    }),
  );
  return lists.flat();
}

function outputsOf(input: string, options: TranscribeOptions, count: number, below = ''): Outputs {
  const { output, outputDir, timestamps } = options;
  if (output !== undefined && count > 1)
    throw new UsageError('-o is for one recording; use --output-dir for several.');
  if (count > 1 && outputDir === undefined && !options.jsonl)
    throw new UsageError('Several recordings need a folder for their texts: --output-dir FOLDER');
  const hasFile = output !== undefined && output !== '-';
  if (input === '-' && !hasFile && outputDir === undefined && (timestamps || options.captions))
    throw new UsageError('--timestamps and --captions of stdin need a file name: use -o FILE.');
  const folder = outputDir === undefined ? dirname(input) : join(outputDir, below);
  const base = hasFile ? output : join(folder, input === '-' ? 'stdin' : basename(input));
  const stem = base.slice(0, base.length - extname(base).length);
  const ending = output === undefined ? '' : extname(output).slice(1).toLowerCase();
  if (recordingEndings.test(`.${ending}`))
    throw new UsageError(`-o ${output}: a transcript is no audio. Use a name in .txt, .srt, .vtt or .json.`);
  const isCaptions = ending === 'srt' || ending === 'vtt';
  if (isCaptions && options.captions !== undefined && options.captions !== ending)
    throw new UsageError(`--captions ${options.captions} does not fit the file name ${output}.`);
  const captions = isCaptions ? ending : options.captions;
  return given({
    text: isCaptions || ending === 'json' ? undefined : (output ?? (outputDir ? `${stem}.txt` : '-')),
    timestamps: timestamps || ending === 'json' ? `${stem}.json` : undefined,
    captions: captions && `${stem}.${captions}`,
  });
}

function filesOf(outputs: Outputs): string[] {
  return Object.values(outputs).filter((path) => path !== '-');
}

/** The outputs that exist and are not older than the recording. */
async function finishedOf(input: string, paths: readonly string[]): Promise<readonly string[]> {
  const recording = await look(input);
  if (input === '-' || recording === undefined) return [];
  const files = await Promise.all(paths.map(look));
  return paths.filter((_path, index) => {
    const file = files[index];
    return file?.isFile() && file.size > 0 && file.mtimeMs >= recording.mtimeMs;
  });
}

/** @throws UsageError for an input that cannot be a recording */
async function expectRecording(input: string): Promise<void> {
  if (input === '-') {
    if (process.stdin.isTTY)
      throw new UsageError('stdin is this terminal. Pipe a recording into speech transcribe -');
    return;
  }
  if (/^https?:\/\//.test(input))
    throw new UsageError(`${input} is an address, not a file. Pipe it in: curl -L URL | speech transcribe -`);
  if ((await look(input))?.isDirectory())
    throw new UsageError(`${input} is not a file; name a recording, or add --recursive for a folder.`);
  await expectFile(input);
}

/** stdin and pipes with a name can be read once and a plan reads twice, so they go to a file first. */
async function openInput(input: string, signal: AbortSignal): Promise<{ path: string } & AsyncDisposable> {
  if (input !== '-' && (await expectFile(input)).isFile())
    return { path: input, [Symbol.asyncDispose]: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'speech-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'stdin');
    await writeFile(path, input === '-' ? process.stdin : createReadStream(input), { signal });
    return { path, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
