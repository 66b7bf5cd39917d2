import { finishWav, writeWavHeader } from '@speech-api/audio';
import { collectSpeech, readSpeechEvents } from '@speech-api/streaming';
import { audioMediaTypes, defaultSampleRates, synthesisDefaults } from '@speech-api/types';
import { eventsHere } from '../embedded/events-here.ts';
import { limitOf } from '../embedded/voice-limits.ts';
import { AddressError, callAddress, isAnswering, isLoopback } from '../playground/connection/address.ts';
import type { ConnectionFields } from '../playground/connection/fields.ts';
import { explainAddress, explainSilence, showProblem } from '../playground/explain-error.ts';
import { find } from '../playground/page/page.ts';
import { AnswerView } from './answer-view.ts';
import { rememberModel } from './remembered-model.ts';

/** An answer that is longer is not kept: a page cannot show it. */
const maximumBytes = 50_000_000;
const deadlineMilliseconds = 120_000;
/** Sentence to record if a form takes a file and none was chosen. */
const spokenSentence = 'Fresh bread and two cups of tea.';

/** The edited request, with its address resolved; nothing changes it after this. */
interface Call {
  readonly address: URL;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly method: string;
  readonly operation: string;
  readonly headers: readonly (readonly [string, string])[];
  /** The status that the sandbox is asked to fail with; empty for the answer as it comes. */
  readonly status: string;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Sends the request as it was edited, once, and shows what comes back. Resolves when all of it is shown. */
export async function run(
  root: HTMLElement,
  connection: ConnectionFields,
  stopped: AbortSignal,
): Promise<void> {
  const view = new AnswerView(find(root, '[data-answer]'));
  const problem = find(root, '[data-problem]');
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(deadlineMilliseconds)]);
  showProblem(problem, undefined);
  try {
    const call = readCall(root, connection, signal);
    view.clear('Sending …');
    const body = await bodyOf(root, call);
    const began = performance.now();
    const response = await send(call, body).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return undefined;
    });
    if (response === undefined) await answerWithout(root, call, view, problem);
    else if (response.type === 'opaqueredirect')
      view.fail(`${call.address.origin} redirects, which is not followed.`);
    else await showResponse(response, performance.now() - began, call, body, view);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof AddressError) {
      view.fail('');
      showProblem(problem, explainAddress(error), (field) => connection.show(field));
      connection.show(error.field);
    } else view.fail(stopped.aborted ? 'Stopped.' : `The answer cannot be shown: ${reason}`);
  }
  view.reveal();
}

function value(root: ParentNode, selector: string): string {
  return find<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(root, selector).value;
}

function readCall(root: HTMLElement, connection: ConnectionFields, signal: AbortSignal): Call {
  const chosen = connection.choose();
  return {
    ...chosen,
    address: callAddress(chosen.baseUrl, value(root, '[data-path]')),
    method: root.dataset.method ?? 'GET',
    operation: root.dataset.operation ?? '',
    headers: [...root.querySelectorAll<HTMLInputElement>('[data-header]')]
      .filter((field) => field.value !== '')
      .map((field) => [field.dataset.header ?? '', field.value]),
    status: value(root, '[data-status]'),
    folder: `${root.dataset.base ?? '/'}engine/`,
    signal,
  };
}

/** The body as it was edited; undefined where the operation has none. */
async function bodyOf(root: HTMLElement, call: Call): Promise<string | FormData | undefined> {
  const json = root.querySelector<HTMLTextAreaElement>('[data-json]');
  if (json !== null) return json.value;
  const parts = [...root.querySelectorAll<HTMLInputElement>('[data-part]')];
  if (parts.length === 0) return undefined;
  const form = new FormData();
  for (const part of parts) {
    const name = part.dataset.part ?? '';
    if (part.type !== 'file') form.append(name, part.value);
    else form.append(name, part.files?.[0] ?? (await spokenFile(call)));
  }
  return form;
}

async function send(call: Call, body: string | FormData | undefined): Promise<Response> {
  const headers = new Headers();
  for (const [name, text] of call.headers) headers.append(name, text);
  if (call.apiKey !== '') headers.set('authorization', `Bearer ${call.apiKey}`);
  if (call.status !== '') headers.set('x-speech-fault', `status=${call.status}`);
  return fetch(call.address, {
    method: call.method,
    headers,
    ...(body === undefined ? {} : { body }),
    signal: call.signal,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
  });
}

/** No answer that the page may read: where this machine has no server, speech is made here; else it is explained. */
async function answerWithout(
  root: HTMLElement,
  call: Call,
  view: AnswerView,
  problem: HTMLElement,
): Promise<void> {
  const { baseUrl, operation, status, folder, signal } = call;
  const isThere = await isAnswering(baseUrl);
  const speaking = ['createSpeech', 'streamSpeechWithTimestamps'].includes(operation);
  const text = speaking ? textOf(value(root, '[data-json]')) : '';
  if (isLoopback(baseUrl) && !isThere && status === '' && text !== '') {
    view.clear('No server answered, so this page speaks …');
    const said = `No server answered at ${baseUrl}; this page spoke the text itself.${limitOf(text)}`;
    const events = eventsHere(text, folder, signal);
    const { audio } = await collectSpeech(operation === 'createSpeech' ? events : view.list(events));
    view.audio(new Blob([finishWav(audio)], { type: audioMediaTypes.wav }));
    view.speakHere(said);
    return;
  }
  view.fail('');
  const silence = explainSilence({ baseUrl, action: 'Run', isThere });
  const { advice, command } = silence;
  const needsFaults = status !== '' && isLoopback(baseUrl) && command !== undefined;
  const faults = `To be asked for a status, the sandbox needs the option --fault on.`;
  const asked = needsFaults ? { advice: `${advice} ${faults}`, command: `${command} --fault on` } : {};
  showProblem(problem, { ...silence, ...asked });
}

async function showResponse(
  response: Response,
  milliseconds: number,
  { operation }: Call,
  body: string | FormData | undefined,
  view: AnswerView,
): Promise<void> {
  view.head(response, milliseconds);
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
  if (response.body === null) return view.nothing();
  if (response.ok && type === 'text/event-stream') {
    const { audio } = await collectSpeech(view.list(readSpeechEvents(limited(response.body))));
    view.audio(playable([audio], formatOf(body)));
    return;
  }
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of limited(response.body)) pieces.push(piece);
  if (response.ok && type.startsWith('audio/')) return view.audio(playable(pieces, formatOf(body)));
  const text = await new Blob(pieces).text();
  if (response.ok && operation === 'createModel') rememberModel(text);
  view.text(text, type);
}

/** The bytes of an answer, up to the limit of this page. */
async function* limited(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let length = 0;
  const reader = body.getReader();
  try {
    for (;;) {
      const { value: piece, done } = await reader.read();
      if (done) return;
      length += piece.length;
      if (length > maximumBytes)
        throw new Error(`it is longer than ${maximumBytes / 1_000_000} MB, the limit of this page.`);
      yield piece;
    }
  } finally {
    await reader.cancel();
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

/** A recording for those who have none at hand. */
async function spokenFile({ folder, signal }: Call): Promise<File> {
  const { audio } = await collectSpeech(eventsHere(spokenSentence, folder, signal));
  return new File([finishWav(audio)], 'recording.wav', { type: audioMediaTypes.wav });
}
