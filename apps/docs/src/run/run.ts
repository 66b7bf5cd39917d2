import { finishWav, writeWavHeader } from '@speech-api/audio';
import { ConnectionError, createSpeechClient } from '@speech-api/client';
import { encodeRequest } from '@speech-api/msgpack';
import { collectSpeech, readSpeechEvents, type SpeechEvent } from '@speech-api/streaming';
import {
  type AudioFormat,
  audioFormats,
  audioMediaTypes,
  defaultSampleRates,
  synthesisDefaults,
} from '@speech-api/types';
import { eventsHere } from '../embedded/events-here.ts';
import { beginSound } from '../embedded/one-sound.ts';
import { lightWords, play, type Sound } from '../embedded/recite.ts';
import { limitOf } from '../embedded/voice-limits.ts';
import { isAnswering, isLoopback, requirePath } from '../playground/connection/address.ts';
import { type Connection, type ConnectionFields, clientOptions } from '../playground/connection/fields.ts';
import { explainError, explainRefusal, explainSilence, showProblem } from '../playground/explain-error.ts';
import { find } from '../playground/page/page.ts';
import { formatJson } from '../reference/format-json.ts';
import { AnswerView } from './answer-view.ts';
import { type ApiRequest, faultHeader, isPacked, parseJson, readRequest } from './request.ts';

/** Time until the answer begins. */
const deadlineMilliseconds = 120_000;
/** Sentence to record if a form takes a file and none was chosen. */
const spokenSentence = 'Fresh bread and two cups of tea.';

/** The edited request; nothing changes it after this. */
interface Call extends Connection, ApiRequest {
  readonly operation: string;
  /** The fields of a request to speak; undefined for all other requests. */
  readonly speech: SpeechFields | undefined;
  readonly folder: string;
  /** Stops the call and its sound. */
  readonly signal: AbortSignal;
}

interface SpeechFields {
  readonly text: string;
  readonly format: AudioFormat;
  readonly sampleRate: number | undefined;
}

/** A page has one request and one place for its answer. */
let view: AnswerView | undefined;

/** Sends the request as it was edited, once, and shows what comes back. Resolves when all of it is shown and heard. */
export async function run(
  root: HTMLElement,
  connection: ConnectionFields,
  stop: AbortController,
): Promise<void> {
  view ??= new AnswerView(find(root, '[data-answer]'));
  const problem = find(root, '[data-problem]');
  showProblem(problem, undefined);
  let answered = false;
  try {
    view.clear('Sending …');
    const call = readCall(root, connection, stop.signal);
    const body = await readBody(root, call);
    const startTime = performance.now();
    const answer = await send(call, body).catch((error: unknown) => {
      if (stop.signal.aborted || !ConnectionError.isInstance(error)) throw error;
    });
    beginSound(() => stop.abort());
    if (answer === undefined) await answerWithout(call, view, problem);
    else {
      answered = true;
      view.head(answer.response, performance.now() - startTime);
      await showBody(answer, call, view);
      if (answer.error !== undefined) {
        const { status } = answer.response;
        const name = document.querySelector(`#error-${status} .error-class`)?.textContent.trim();
        showProblem(problem, explainRefusal(status, name ?? 'ApiError'));
      }
    }
    if (stop.signal.aborted) view.note('stopped');
  } catch (error) {
    if (stop.signal.aborted) view.say('Stopped.');
    else {
      const explanation = explainError(error, { baseUrl: connection.baseUrl, action: 'Run', answered });
      if (!answered) view.say('');
      showProblem(problem, explanation, (field) => connection.show(field));
      if (explanation.field) connection.show(explanation.field);
    }
  }
  view.reveal();
}

function readCall(root: HTMLElement, connection: ConnectionFields, signal: AbortSignal): Call {
  const target = connection.choose();
  const { operation = '', base = '/' } = root.dataset;
  const request = readRequest(root);
  requirePath(target.baseUrl, request.path);
  const isSpeech = operation === 'createSpeech' || operation === 'streamSpeechWithTimestamps';
  return {
    ...target,
    ...request,
    operation,
    speech: isSpeech ? readSpeech(Object(parseJson(request.json ?? ''))) : undefined,
    folder: `${base}engine/`,
    signal,
  };
}

/** What the sound of a request needs, also of a request that the service will refuse. */
function readSpeech({ text, format, sample_rate: rate }: Readonly<Record<string, unknown>>): SpeechFields {
  return {
    text: typeof text === 'string' ? text : '',
    format: audioFormats.find((name) => name === format) ?? synthesisDefaults.format,
    sampleRate: typeof rate === 'number' ? rate : undefined,
  };
}

/** The body as it was edited; undefined where the operation has none. */
async function readBody(root: HTMLElement, call: Call): Promise<BodyInit | undefined> {
  const { json, parts, files } = call;
  if (json !== undefined) {
    if (!isPacked(call)) return json;
    const value = parseJson(json);
    if (value === undefined)
      throw new Error('The body is not JSON, so it cannot be encoded. Nothing was sent.');
    return new Blob([...encodeRequest(value).parts]);
  }
  if (parts.length + files.length === 0) return undefined;
  const form = new FormData();
  for (const [name] of files) {
    const [file] = find<HTMLInputElement>(root, `[data-file][name="${name}"]`).files ?? [];
    form.append(name, file ?? (await spokenFile(call)));
  }
  for (const [name, value] of parts) form.append(name, value);
  return form;
}

/** An answer; `error` is the body of a refusal, which has been read. */
interface Answer {
  readonly response: Response;
  readonly error?: unknown;
}

/** Sends the request as it is, valid or not: the client's own checks are those of its methods. */
async function send(call: Call, body: BodyInit | undefined): Promise<Answer> {
  const { http } = createSpeechClient(clientOptions(call));
  const request = http.request as unknown as (method: string, path: string, init: object) => Promise<Answer>;
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deadlineMilliseconds);
  return request(call.method.toLowerCase(), call.path, {
    headers: Object.fromEntries(call.headers),
    ...(body !== undefined && { body, bodySerializer: (value: unknown) => value }),
    parseAs: 'stream',
    signal: AbortSignal.any([call.signal, deadline.signal]),
  }).finally(() => clearTimeout(timer));
}

/** No answer that the page may read: where this machine has no server, speech is made here; else it is explained. */
async function answerWithout(call: Call, view: AnswerView, problem: HTMLElement): Promise<void> {
  const { baseUrl, operation, headers, speech, folder, signal } = call;
  const isThere = await isAnswering(baseUrl);
  const isSimulated = headers.some(([name]) => name === faultHeader);
  const text = speech?.text.trim() ?? '';
  if (isLoopback(baseUrl) && !isThere && !isSimulated && text !== '') {
    view.clear('No server answered, so this page speaks …');
    const events = eventsHere(text, folder, signal);
    const here = { text, format: 'wav', sampleRate: undefined } as const;
    await hearEvents(operation === 'createSpeech' ? events : view.list(events), here, call, view);
    view.say(`No server answered at ${baseUrl}; this page spoke the text itself.${limitOf(text)}`);
    return;
  }
  view.say('');
  const silence = explainSilence({ baseUrl, action: 'Run', isThere });
  // A sandbox simulates a status only if it was started with this option.
  const command = silence.command && silence.command + (isSimulated ? ' --fault on' : '');
  showProblem(problem, { ...silence, ...(command && { command }) });
}

async function showBody({ response, error }: Answer, call: Call, view: AnswerView): Promise<void> {
  const { speech } = call;
  const type = response.headers.get('content-type') ?? '';
  if (error !== undefined) view.text(typeof error === 'string' ? error : formatJson(error));
  else if (speech === undefined || response.body === null || /json|html/.test(type)) {
    const text = await response.text();
    const value = parseJson(text);
    view.text(value === undefined ? text : formatJson(value));
  } else if (type.startsWith('text/event-stream'))
    await hearEvents(view.list(readSpeechEvents(response.body)), speech, call, view);
  else await hear(bytesOf(response.body), speech, call, view);
}

/** Lets events sound, and lights their words. */
async function hearEvents(
  events: AsyncIterable<SpeechEvent>,
  speech: SpeechFields,
  call: Call,
  view: AnswerView,
): Promise<void> {
  const { audio, draw } = lightWords(events, speech.text, view.words);
  view.words.hidden = false;
  await hear(audio, speech, call, view, draw);
}

/** Lets audio sound while it arrives, and shows the whole, or what arrived of it, in the controls. */
async function hear(
  audio: AsyncIterable<Uint8Array<ArrayBuffer>>,
  { format, sampleRate }: SpeechFields,
  { signal }: Call,
  view: AnswerView,
  draw?: Sound['draw'],
): Promise<void> {
  const startTime = performance.now();
  async function* arriving(): AsyncGenerator<Uint8Array, void, undefined> {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    try {
      for await (const piece of audio) {
        pieces.push(piece);
        yield piece;
      }
    } finally {
      if (pieces.length > 0) view.audio(playable(await new Blob(pieces).arrayBuffer(), format, sampleRate));
    }
  }
  await play(
    arriving(),
    {
      format,
      sampleRate,
      draw,
      started: () => {
        view.note(`first sound ${Math.round(performance.now() - startTime)} ms later`);
        view.reveal();
      },
      silent: (sentence) => view.note(sentence),
    },
    signal,
  );
}

/** Audio in its format, with a header where it is pcm, which no browser plays. */
function playable(
  audio: ArrayBuffer,
  format: AudioFormat,
  sampleRate: number = defaultSampleRates.pcm,
): Blob {
  if (format !== 'pcm') return new Blob([audio], { type: audioMediaTypes[format] });
  const header = writeWavHeader({ sampleRate, dataBytes: audio.byteLength });
  return new Blob([header, audio], { type: audioMediaTypes.wav });
}

async function* bytesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

/** A recording for those who have none at hand. */
async function spokenFile({ folder, signal }: Call): Promise<File> {
  const { audio } = await collectSpeech(eventsHere(spokenSentence, folder, signal));
  return new File([finishWav(audio)], 'recording.wav', { type: audioMediaTypes.wav });
}
