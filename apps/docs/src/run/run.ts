import { finishWav, writeWavHeader } from '@speech-api/audio';
import { collectSpeech, readSpeechEvents } from '@speech-api/streaming';
import { audioMediaTypes, defaultSampleRates, synthesisDefaults } from '@speech-api/types';
import { eventsHere } from '../embedded/events-here.ts';
import { limitOf } from '../embedded/voice-limits.ts';
import { AddressError, callAddress, isAnswering, isLoopback } from '../playground/connection/address.ts';
import type { ConnectionFields } from '../playground/connection/fields.ts';
import { explainAddress, explainSilence, showProblem } from '../playground/explain-error.ts';
import { find } from '../playground/page/page.ts';
import { formatJson } from '../reference/format-json.ts';
import { AnswerView } from './answer-view.ts';

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
  /** The text of a JSON body, as it was edited. */
  readonly json: string | undefined;
  /** The fields of a request to speak; empty for all other requests. */
  readonly speech: Readonly<Record<string, unknown>>;
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
    const body = call.json ?? (await readForm(root, call));
    const startTime = performance.now();
    const response = await send(call, body).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return undefined;
    });
    if (response === undefined) await answerWithout(call, view, problem);
    else if (response.type === 'opaqueredirect')
      view.say(`${call.address.origin} redirects, which is not followed.`);
    else await showResponse(response, performance.now() - startTime, call, view);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof AddressError) {
      view.say('');
      showProblem(problem, explainAddress(error), (field) => connection.show(field));
      connection.show(error.field);
    } else view.say(stopped.aborted ? 'Stopped.' : `The answer cannot be shown: ${reason}`);
  }
  view.reveal();
}

function readCall(root: HTMLElement, connection: ConnectionFields, signal: AbortSignal): Call {
  const target = connection.choose();
  const { method = 'GET', operation = '', base = '/' } = root.dataset;
  const json = root.querySelector<HTMLTextAreaElement>('[data-json]')?.value;
  const isSpeech = operation === 'createSpeech' || operation === 'streamSpeechWithTimestamps';
  return {
    ...target,
    address: callAddress(target.baseUrl, find<HTMLInputElement>(root, '[data-path]').value),
    method,
    operation,
    headers: [...root.querySelectorAll<HTMLInputElement>('[data-header]')]
      .filter(({ value }) => value !== '')
      .map(({ dataset, value }) => [dataset.header ?? '', value]),
    status: find<HTMLSelectElement>(root, '[data-status]').value,
    json,
    speech: isSpeech && json !== undefined ? Object(parse(json)) : {},
    folder: `${base}engine/`,
    signal,
  };
}

/** The form as it was filled in; undefined where the operation has no body. */
async function readForm(root: HTMLElement, call: Call): Promise<FormData | undefined> {
  const parts = [...root.querySelectorAll<HTMLInputElement>('[data-part]')];
  if (parts.length === 0) return undefined;
  const form = new FormData();
  for (const { dataset, type, value, files } of parts)
    form.append(dataset.part ?? '', type === 'file' ? (files?.[0] ?? (await spokenFile(call))) : value);
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
async function answerWithout(call: Call, view: AnswerView, problem: HTMLElement): Promise<void> {
  const { baseUrl, operation, status, speech, folder, signal } = call;
  const isThere = await isAnswering(baseUrl);
  const text = typeof speech.text === 'string' ? speech.text.trim() : '';
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

async function showResponse(
  response: Response,
  milliseconds: number,
  { speech }: Call,
  view: AnswerView,
): Promise<void> {
  view.head(response, milliseconds);
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && type.startsWith('text/event-stream') && response.body !== null) {
    const { audio } = await collectSpeech(view.list(readSpeechEvents(response.body)));
    view.audio(playable(await new Blob([audio]).arrayBuffer(), speech));
  } else if (response.ok && type.startsWith('audio/')) {
    view.audio(playable(await response.arrayBuffer(), speech));
  } else {
    const text = await response.text();
    const value = type.includes('json') ? parse(text) : undefined;
    view.text(value === undefined ? text : formatJson(value));
  }
}

/** Audio in the format that the request asks for, with a header where it is pcm, which no browser plays. */
function playable(
  audio: ArrayBuffer,
  { format = synthesisDefaults.format, sample_rate }: Call['speech'],
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
