import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { SpeechClient, SpeechRequest } from '@speech-api/client';
import type { AudioFormat, latencyModes } from '@speech-api/types';
import { audioFormats, limits, synthesisDefaults } from '@speech-api/types/constants';
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
import { readSamples } from '../samples.ts';
import { type CommonOptions, printJson, type Session } from '../session.ts';
import { size } from '../terminal.ts';

interface SpeakOptions extends CommonOptions {
  readonly output?: string;
  readonly format?: AudioFormat;
  readonly voice?: string;
  readonly reference?: readonly string[];
  readonly speaker?: readonly string[];
  readonly model?: string;
  readonly rate?: number;
  readonly bitrate?: number;
  readonly speed?: number;
  readonly volume?: number;
  readonly latency?: (typeof latencyModes)[number];
  readonly timestamps?: boolean;
  readonly captions?: 'vtt' | 'srt';
}

/** UTF-8 takes four bytes a character at most. */
const maximumTextBytes = 4 * limits.textCodePoints;

export async function speak(
  session: Session,
  options: SpeakOptions,
  inputs: readonly string[],
): Promise<void> {
  const text = await readText(inputs);
  if (text.trim() === '') throw new UsageError('There is no text to speak.');
  const format = formatOf(options, session.settings.values.format.value);
  const path = options.output ?? `speech.${format}`;
  const beside = sidecars(path, options);
  const request = await buildRequest(session, options, text, format);
  if (options.dryRun) {
    const plan = { characters: [...text].length, requests: 1, format, output: path };
    if (options.json) printJson(plan);
    else process.stdout.write(`${plan.characters} characters in 1 request would be spoken into ${path}\n`);
    return;
  }
  for (const sidecar of Object.values(beside)) await refuseExisting(sidecar, options.force);
  const client = session.client();
  const output = await openOutput(path, { force: options.force, isWav: format === 'wav' });
  try {
    if (Object.keys(beside).length > 0) {
      const timeline = await speakTimed(session, client, request, options, output);
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
  if (options.json && path !== '-') printJson({ output: path, bytes: output.bytes, format, ...beside });
  else session.terminal.note([`wrote ${path}, ${size(output.bytes)}`, ...Object.values(beside)].join(', '));
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
    if (/^\S+\.(txt|md)$/i.test(first)) throw new UsageError(`There is no file ${first}.`);
  }
  return inputs.join(' ');
}

function formatOf(options: SpeakOptions, configured: string | undefined): AudioFormat {
  const ending = extname(options.output ?? '')
    .slice(1)
    .toLowerCase();
  const named = ending === 'ogg' ? 'opus' : audioFormats.find((format) => format === ending);
  if (options.format !== undefined && named !== undefined && named !== options.format) {
    throw new UsageError(`--format ${options.format} does not fit the file name ${options.output}.`);
  }
  if (options.format === undefined && ending !== '' && named === undefined) {
    throw new UsageError(
      `"${ending}" is not an audio format. Use ${audioFormats.join(', ')}, or say it with --format.`,
    );
  }
  const fromProfile = audioFormats.find((format) => format === configured);
  if (configured !== undefined && fromProfile === undefined) {
    throw new UsageError(`format "${configured}" in the profile is unknown. Use ${audioFormats.join(', ')}.`);
  }
  return options.format ?? named ?? fromProfile ?? synthesisDefaults.format;
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
  const { rate, bitrate, speed, volume, latency, speaker, reference } = options;
  if (bitrate !== undefined && format !== 'mp3' && format !== 'opus') {
    throw new UsageError(`--bitrate is for mp3 and opus, not for ${format}.`);
  }
  const prosody = {
    ...(speed === undefined ? {} : { speed }),
    ...(volume === undefined ? {} : { volume }),
  };
  const common = {
    text,
    format,
    ...(rate === undefined ? {} : { sample_rate: rate }),
    // The client checks that the number is one of those that the specification names.
    ...(bitrate === undefined ? {} : format === 'mp3' ? { mp3_bitrate: bitrate } : { opus_bitrate: bitrate }),
    ...(Object.keys(prosody).length === 0 ? {} : { prosody }),
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
