import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { SpeechClient, SpeechRequest } from '@speech-api/client';
import { speakLong, splitText } from '@speech-api/recordings';
import { openJournal } from '@speech-api/recordings/node';
import type { AudioFormat, latencyModes } from '@speech-api/types';
import { defaultSampleRates } from '@speech-api/types/constants';
import { checkSound, formatOf, type SoundOptions, soundOf } from '../audio-options.ts';
import { readDialogue } from '../dialogue.ts';
import { UsageError } from '../failures.ts';
import {
  type Output,
  openOutput,
  readStandardInput,
  readTextFile,
  refuseExisting,
  writeText,
} from '../files.ts';
import { openPlayer, writeToBoth } from '../player.ts';
import { readSamples } from '../samples.ts';
import { type CommonOptions, printJson, type Session } from '../session.ts';
import { clock, size } from '../terminal.ts';

interface SpeakOptions extends CommonOptions, SoundOptions {
  readonly play?: boolean;
  readonly voice?: string;
  readonly reference?: readonly string[];
  readonly speaker?: readonly string[];
  readonly model?: string;
  readonly latency?: (typeof latencyModes)[number];
  readonly timestamps?: boolean;
  readonly journal?: string;
  readonly captions?: 'vtt' | 'srt';
}

/** A long book is two million characters. */
const maximumTextBytes = 20_000_000;
/** Code points of one call; a longer text is spoken in several. */
const charactersPerCall = 3000;

export async function speak(
  session: Session,
  options: SpeakOptions,
  inputs: readonly string[],
): Promise<void> {
  const text = await readText(inputs);
  if (text.trim() === '') throw new UsageError('There is no text to speak.');
  const format = formatOf(options, session.settings.values.format.value);
  const isOnlyPlayed = options.play === true && options.output === undefined;
  const path = options.output ?? `speech.${format}`;
  if (options.play && options.output === '-') throw new UsageError('--play and -o - exclude each other.');
  const beside = sidecars(path, options);
  const request = await buildRequest(session, options, text, format);
  if (options.dryRun) {
    const requests = splitText(text, charactersPerCall).length;
    const plan = {
      characters: [...text].length,
      requests,
      format,
      ...(isOnlyPlayed ? {} : { output: path }),
    };
    if (options.json) printJson(plan);
    else
      process.stdout.write(
        `${plan.characters} characters in ${requests} request(s) would be ${isOnlyPlayed ? 'played' : `spoken into ${path}`}\n`,
      );
    return;
  }
  for (const sidecar of Object.values(beside)) await refuseExisting(sidecar, options.force);
  const client = session.client();
  const output = await openSpeechOutput(session, options, path, format);
  try {
    const isTimed = Object.keys(beside).length > 0;
    const isLong = options.journal !== undefined || request.text.length > charactersPerCall;
    if (isTimed || isLong) {
      const timeline = isLong
        ? await speakInParts(session, client, request, options, output, isTimed)
        : await speakTimed(session, client, request, options, output);
      await output.finish();
      if (beside.timestamps) {
        await writeText(beside.timestamps, `${JSON.stringify(timeline, undefined, 2)}\n`, options.force);
      }
      if (beside.captions) {
        const captions = options.captions === 'srt' ? timeline.toSrt() : timeline.toVtt();
        await writeText(beside.captions, captions, options.force);
      }
    } else {
      await speakPlainly(session, client, request, options, output);
      await output.finish();
    }
  } finally {
    session.terminal.clear();
    await output.discard();
  }
  const wrote = isOnlyPlayed ? {} : { output: path };
  if (options.json && path !== '-') printJson({ ...wrote, bytes: output.bytes, format, ...beside });
  else {
    const place = isOnlyPlayed ? 'played' : `wrote ${path},`;
    session.terminal.note([`${place} ${size(output.bytes)}`, ...Object.values(beside)].join(', '));
  }
}

/** A file, a player, or both. */
async function openSpeechOutput(
  { signal }: Session,
  { play, output, force, rate }: SpeakOptions,
  path: string,
  format: AudioFormat,
): Promise<Output> {
  if (play && output === undefined) return openPlayer(format, rate ?? defaultSampleRates[format], signal);
  const file = await openOutput(path, { force, isWav: format === 'wav' });
  if (!play) return file;
  try {
    return writeToBoth(file, await openPlayer(format, rate ?? defaultSampleRates[format], signal));
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

/** A long text, in several calls that become one file. */
async function speakInParts(
  { terminal, signal }: Session,
  client: SpeechClient,
  request: SpeechRequest,
  { model, journal: folder }: SpeakOptions,
  output: Output,
  timestamps: boolean,
) {
  const journal = folder === undefined ? undefined : await openJournal(folder);
  try {
    const speech = speakLong(client, request, {
      model,
      signal,
      journal,
      timestamps,
      maximumCharacters: charactersPerCall,
      onProgress: ({ finishedParts, parts, seconds }) =>
        terminal.progress(
          `speaking: part ${finishedParts} of ${parts}, ${clock(seconds)}, ${size(output.bytes)}`,
        ),
    });
    terminal.progress(`speaking: part 0 of ${speech.parts.length}`);
    for await (const piece of speech) await output.write(piece);
    return speech;
  } catch (error) {
    if (folder !== undefined)
      terminal.note(`finished parts are kept in ${folder}; the same command goes on from there`);
    throw error;
  } finally {
    await journal?.close();
  }
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
    if (/^\S+\.(txt|md)$/i.test(first)) throw new UsageError(`There is no file ${first}.`);
  }
  return inputs.join(' ');
}

function sidecars(path: string, options: SpeakOptions): { timestamps?: string; captions?: string } {
  if (!options.timestamps && options.captions === undefined) return {};
  if (path === '-') throw new UsageError('--timestamps and --captions need a file name: use -o FILE.');
  const stem = path.slice(0, path.length - extname(path).length);
  return {
    ...(options.timestamps ? { timestamps: `${stem}.json` } : {}),
    ...(options.captions === undefined ? {} : { captions: `${stem}.${options.captions}` }),
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
