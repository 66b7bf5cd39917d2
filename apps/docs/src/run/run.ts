import { finishWav, writeWavHeader } from '@speech-api/audio';
import { ConnectionError, createSpeechClient } from '@speech-api/client';
import { collectSpeech, readSpeechEvents } from '@speech-api/streaming';
import { audioMediaTypes, defaultSampleRates, synthesisDefaults } from '@speech-api/types';
import { eventsHere } from '../embedded/events-here.ts';
import { limitOf } from '../embedded/voice-limits.ts';
import { isAnswering, isLoopback, requirePath } from '../playground/connection/address.ts';
import { type Connection, type ConnectionFields, clientOptions } from '../playground/connection/fields.ts';
import { explainError, explainSilence, showProblem } from '../playground/explain-error.ts';
import { find } from '../playground/page/page.ts';
import { formatJson } from '../reference/format-json.ts';
import { AnswerView } from './answer-view.ts';

const deadlineMilliseconds = 120_000;
/** Sentence to record if a form takes a file and none was chosen. */
const spokenSentence = 'Fresh bread and two cups of tea.';

/** The edited request; nothing changes it after this. */
interface Call extends Connection {
  /** With its query. */
  readonly path: string;
  readonly method: string;
  readonly operation: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The status that the sandbox is asked to fail with; empty for the answer as it comes. */
  readonly status: string;
  /** The text of a JSON body, as it was edited. */
  readonly json: string | undefined;
  /** The fields of a request to speak; undefined for all other requests. */
  readonly speech: Readonly<Record<string, unknown>> | undefined;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** A page has one request and one place for its answer. */
let view: AnswerView | undefined;

/** Sends the request as it was edited, once, and shows what comes back. Resolves when all of it is shown. */
export async function run(
  root: HTMLElement,
  connection: ConnectionFields,
  stopped: AbortSignal,
): Promise<void> {
  view ??= new AnswerView(find(root, '[data-answer]'));
  const problem = find(root, '[data-problem]');
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(deadlineMilliseconds)]);
  showProblem(problem, undefined);
  let answered = false;
  try {
    const call = readCall(root, connection, signal);
    view.clear('Sending …');
    const body = call.json ?? (await readForm(root, call));
    const startTime = performance.now();
    const answer = await send(call, body).catch((error: unknown) => {
      if (signal.aborted || !ConnectionError.isInstance(error)) throw error;
    });
    if (answer === undefined) await answerWithout(call, view, problem);
    else {
      answered = true;
      view.head(answer.response, performance.now() - startTime);
      await showBody(answer, call, view);
    }
  } catch (error) {
    if (stopped.aborted) view.say('Stopped.');
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
  const { method = 'GET', operation = '', base = '/' } = root.dataset;
  const path = find<HTMLInputElement>(root, '[data-path]').value.trim();
  requirePath(target.baseUrl, path);
  const json = root.querySelector<HTMLTextAreaElement>('[data-json]')?.value;
  const isSpeech = operation === 'createSpeech' || operation === 'streamSpeechWithTimestamps';
  const headers = [...root.querySelectorAll<HTMLInputElement>('[data-header]')]
    .filter(({ value }) => value !== '')
    .map(({ dataset, value }) => [dataset.header ?? '', value]);
  return {
    ...target,
    ...{ path, method, operation, json, signal },
    headers: Object.fromEntries(headers),
    status: find<HTMLSelectElement>(root, '[data-status]').value,
    speech: isSpeech ? Object(parse(json ?? '')) : undefined,
    folder: `${base}engine/`,
  };
}

/** The form as it was filled in, without what was left empty; undefined where the operation has no body. */
async function readForm(root: HTMLElement, call: Call): Promise<FormData | undefined> {
  const parts = [...root.querySelectorAll<HTMLInputElement>('[data-part]')];
  if (parts.length === 0) return undefined;
  const form = new FormData();
  for (const { dataset, type, value, files } of parts) {
    const content = type === 'file' ? (files?.[0] ?? (await spokenFile(call))) : value;
    if (content !== '') form.append(dataset.part ?? '', content);
  }
  return form;
}

/** An answer; `error` is the body of a refusal, which has been read. */
interface Answer {
  readonly response: Response;
  readonly error?: unknown;
}

/** Sends the request as it is, valid or not: the client's own checks are those of its methods. */
async function send(call: Call, body: string | FormData | undefined): Promise<Answer> {
  const { http } = createSpeechClient(clientOptions(call));
  const request = http.request as unknown as (method: string, path: string, init: object) => Promise<Answer>;
  return request(call.method.toLowerCase(), call.path, {
    headers: { ...call.headers, ...(call.status && { 'x-speech-fault': `status=${call.status}` }) },
    ...(body !== undefined && { body, bodySerializer: (value: unknown) => value }),
    parseAs: 'stream',
    signal: call.signal,
  });
}

/** No answer that the page may read: where this machine has no server, speech is made here; else it is explained. */
async function answerWithout(call: Call, view: AnswerView, problem: HTMLElement): Promise<void> {
  const { baseUrl, operation, status, speech, folder, signal } = call;
  const isThere = await isAnswering(baseUrl);
  const text = typeof speech?.text === 'string' ? speech.text.trim() : '';
  if (isLoopback(baseUrl) && !isThere && status === '' && text !== '') {
    view.clear('No server answered, so this page speaks …');
    const events = eventsHere(text, folder, signal);
    const { audio } = await collectSpeech(operation === 'createSpeech' ? events : view.list(events));
    view.audio(new Blob([finishWav(audio)], { type: audioMediaTypes.wav }));
    view.say(`No server answered at ${baseUrl}; this page spoke the text itself.${limitOf(text)}`);
    return;
  }
  view.say('');
  const silence = explainSilence({ baseUrl, action: 'Run', isThere });
  // A sandbox simulates a status only if it was started with this option.
  const command = silence.command && silence.command + (status === '' ? '' : ' --fault on');
  showProblem(problem, { ...silence, ...(command && { command }) });
}

async function showBody({ response, error }: Answer, { speech }: Call, view: AnswerView): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (error !== undefined) view.text(typeof error === 'string' ? error : formatJson(error));
  else if (speech === undefined || response.body === null || /json|html/.test(type)) {
    const text = await response.text();
    const value = parse(text);
    view.text(value === undefined ? text : formatJson(value));
  } else await hear(response.body, type, speech, view);
}

/** Plays the audio of an answer; of one that breaks off, what had arrived. */
async function hear(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  type: string,
  speech: Readonly<Record<string, unknown>>,
  view: AnswerView,
): Promise<void> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  try {
    if (type.startsWith('text/event-stream')) {
      for await (const event of view.list(readSpeechEvents(body)))
        if (event.type === 'audio-chunk') pieces.push(event.audio);
    } else {
      const reader = body.getReader();
      for (let read = await reader.read(); !read.done; read = await reader.read()) pieces.push(read.value);
    }
  } finally {
    if (pieces.length > 0) view.audio(playable(await new Blob(pieces).arrayBuffer(), speech));
  }
}

/** Audio in the format that the request asks for, with a header where it is pcm, which no browser plays. */
function playable(
  audio: ArrayBuffer,
  { format = synthesisDefaults.format, sample_rate }: Readonly<Record<string, unknown>>,
): Blob {
  if (format !== 'pcm') {
    const mediaType = Object.entries(audioMediaTypes).find(([name]) => name === format);
    return new Blob([audio], { type: mediaType?.[1] ?? '' });
  }
  const sampleRate = typeof sample_rate === 'number' ? sample_rate : defaultSampleRates.pcm;
  const header = writeWavHeader({ sampleRate, dataBytes: audio.byteLength });
  return new Blob([header, audio], { type: audioMediaTypes.wav });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A recording for those who have none at hand. */
async function spokenFile({ folder, signal }: Call): Promise<File> {
  const { audio } = await collectSpeech(eventsHere(spokenSentence, folder, signal));
  return new File([finishWav(audio)], 'recording.wav', { type: audioMediaTypes.wav });
}
