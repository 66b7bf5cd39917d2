import { finishWav, writeWavHeader } from '@speech-api/audio';
import { collectSpeech, readSpeechEvents } from '@speech-api/streaming';
import { audioMediaTypes, defaultSampleRates, synthesisDefaults } from '@speech-api/types';
import { sampleRate, speakHere } from '../embedded/speak-here.ts';
import { findServers, isLoopback } from '../playground/connection/connection.ts';
import { explainSilence, showProblem } from '../playground/explain-error.ts';
import { find } from '../playground/page/page.ts';
import { AnswerView } from './answer-view.ts';

/** An answer that is longer is not kept: a page cannot show it. */
const maximumBytes = 50_000_000;
/** How long an answer may take as a whole. */
const deadlineMilliseconds = 120_000;
/** What is recorded where a form takes a file and none was chosen. */
const spokenSentence = 'Fresh bread and two cups of tea.';
const speaking = ['createSpeech', 'streamSpeechWithTimestamps'];

/** Sends the request as it was edited, once, and shows what comes back. Resolves when all of it is shown. */
export async function run(root: HTMLElement, stopped: AbortSignal): Promise<void> {
  const view = new AnswerView(find(root, '[data-answer]'));
  const problem = find(root, '[data-problem]');
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(deadlineMilliseconds)]);
  showProblem(problem, undefined);
  view.clear('Sending …');
  const folder = `${root.dataset.base ?? '/'}engine/`;
  await findServer(root);
  const call = readCall(root);
  try {
    const body = await bodyOf(root, folder, signal);
    const began = performance.now();
    const response = await send(call, body, signal).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return undefined;
    });
    if (response === undefined) await answerWithout(root, call, view, problem, folder, signal);
    else await showResponse(response, performance.now() - began, formatOf(body), view);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    view.fail(stopped.aborted ? 'Stopped.' : `The answer cannot be shown: ${reason}`);
  }
  view.reveal();
}

interface Call {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The status that the sandbox is asked to fail with; empty for the answer as it comes. */
  readonly status: string;
}

function value(root: ParentNode, selector: string): string {
  return find<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(root, selector).value;
}

function readCall(root: HTMLElement): Call {
  return {
    baseUrl: value(root, '[data-base-url]').trim().replace(/\/+$/, ''),
    apiKey: value(root, '[data-key]').trim(),
    method: root.dataset.method ?? 'GET',
    path: value(root, '[data-path]').trim(),
    headers: [...root.querySelectorAll<HTMLInputElement>('[data-header]')]
      .filter((field) => field.value !== '')
      .map((field) => [field.dataset.header ?? '', field.value]),
    status: value(root, '[data-status]'),
  };
}

/** A reader who typed an address keeps it; otherwise the server of this page says where its sandbox is. */
async function findServer(root: HTMLElement): Promise<void> {
  const field = find<HTMLInputElement>(root, '[data-base-url]');
  if (field.value !== field.defaultValue) return;
  const { baseUrl } = await findServers(root.dataset.base ?? '/');
  field.value = baseUrl ?? field.defaultValue;
}

/** The body as it was edited; undefined where the operation has none. */
async function bodyOf(
  root: HTMLElement,
  folder: string,
  signal: AbortSignal,
): Promise<string | FormData | undefined> {
  const json = root.querySelector<HTMLTextAreaElement>('[data-json]');
  if (json !== null) return json.value;
  const parts = [...root.querySelectorAll<HTMLInputElement>('[data-part]')];
  if (parts.length === 0) return undefined;
  const form = new FormData();
  for (const part of parts) {
    const name = part.dataset.part ?? '';
    if (part.type !== 'file') form.append(name, part.value);
    else form.append(name, part.files?.[0] ?? (await spokenFile(folder, signal)));
  }
  return form;
}

async function send(call: Call, body: string | FormData | undefined, signal: AbortSignal): Promise<Response> {
  const headers = new Headers();
  for (const [name, text] of call.headers) headers.append(name, text);
  if (call.apiKey !== '') headers.set('authorization', `Bearer ${call.apiKey}`);
  if (call.status !== '') headers.set('x-speech-fault', `status=${call.status}`);
  return fetch(call.baseUrl + call.path, {
    method: call.method,
    headers,
    ...(body === undefined ? {} : { body }),
    signal,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  });
}

/** No server answered: speech is made here, and for everything else the page says what would help. */
async function answerWithout(
  root: HTMLElement,
  call: Call,
  view: AnswerView,
  problem: HTMLElement,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const text = speaking.includes(root.dataset.operation ?? '') ? textOf(value(root, '[data-json]')) : '';
  if (call.status === '' && text !== '') {
    view.clear('No server answered, so this page speaks …');
    const audio = await speakWav(text, folder, signal);
    view.speakHere(`No server answered at ${call.baseUrl}; this page spoke the text itself.`);
    view.audio(new Blob([audio], { type: audioMediaTypes.wav }));
    return;
  }
  view.fail('');
  const isFault = call.status !== '' && isLoopback(call.baseUrl);
  const silence = explainSilence({ ...call, ...situation }, '');
  const faults = `To be asked for a status, the sandbox needs the option --fault on.`;
  showProblem(problem, {
    ...silence,
    ...(isFault && silence.command !== undefined
      ? { advice: `${silence.advice} ${faults}`, command: `${silence.command} --fault on` }
      : {}),
  });
}

const situation = {
  get pageUrl() {
    return location.href;
  },
  action: 'Run',
  answered: false,
  receivedSeconds: 0,
};

async function showResponse(
  response: Response,
  milliseconds: number,
  format: AudioSettings,
  view: AnswerView,
): Promise<void> {
  view.head(response, milliseconds);
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
  if (response.body === null) return view.nothing();
  if (response.ok && type === 'text/event-stream') {
    const events = readSpeechEvents(response.body);
    const { audio } = await collectSpeech(view.list(events));
    view.audio(playable([audio], format));
    return;
  }
  const pieces = await readAll(response.body);
  if (response.ok && type.startsWith('audio/')) view.audio(playable(pieces, format));
  else view.text(await new Blob(pieces).text(), type);
}

async function readAll(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (const reader = body.getReader(); ; ) {
    const { value: piece, done } = await reader.read();
    if (done) return pieces;
    length += piece.length;
    pieces.push(piece);
    if (length <= maximumBytes) continue;
    await reader.cancel();
    throw new Error(`it is longer than ${maximumBytes / 1_000_000} MB, the limit of this page.`);
  }
}

interface AudioSettings {
  readonly format: keyof typeof audioMediaTypes;
  readonly sampleRate: number;
}

/** The format that the request asks for: pcm has no header that could tell. */
function formatOf(body: string | FormData | undefined): AudioSettings {
  const asked = typeof body === 'string' ? parse(body) : {};
  const format = Object.keys(audioMediaTypes).find((name) => name === asked.format) as
    | AudioSettings['format']
    | undefined;
  const chosen = format ?? synthesisDefaults.format;
  const rate = typeof asked.sample_rate === 'number' ? asked.sample_rate : defaultSampleRates[chosen];
  return { format: chosen, sampleRate: rate };
}

function playable(
  pieces: readonly Uint8Array<ArrayBuffer>[],
  { format, sampleRate: rate }: AudioSettings,
): Blob {
  const type = audioMediaTypes[format === 'pcm' ? 'wav' : format];
  if (format !== 'pcm') return new Blob([...pieces], { type });
  const dataBytes = pieces.reduce((sum, { length }) => sum + length, 0);
  return new Blob([writeWavHeader({ sampleRate: rate, dataBytes }), ...pieces], { type });
}

function parse(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? { ...read } : {};
  } catch {
    return {};
  }
}

function textOf(json: string): string {
  const { text } = parse(json);
  return typeof text === 'string' ? text.trim() : '';
}

async function speakWav(text: string, folder: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [writeWavHeader({ sampleRate })];
  for await (const { audio } of speakHere(text, folder, signal)) pieces.push(new Uint8Array(audio));
  return finishWav(new Uint8Array(await new Blob(pieces).arrayBuffer()));
}

/** A recording for those who have none at hand. */
async function spokenFile(folder: string, signal: AbortSignal): Promise<File> {
  const audio = await speakWav(spokenSentence, folder, signal);
  return new File([audio], 'recording.wav', { type: audioMediaTypes.wav });
}
