import type { AudioFormat } from '@speech-api/types';
import { audioMediaTypes, mediaTypes, synthesisDefaults } from '@speech-api/types/constants';
import { copyOf } from '../copy.ts';
import { type Answer, Call, type CallPromise, type Core, type Sent } from '../core/call.ts';
import { send } from '../core/http.ts';
import { ruleFields } from '../generated/rule-fields.ts';
import { loadLater } from '../on-demand.ts';
import type { SpeechOptions } from '../options.ts';
import {
  type AnyRequest,
  type CheckedOptions,
  type CheckedRequest,
  foreignFields,
  type OfferedRequest,
} from '../request-check.ts';
import { requireAudio, requireMediaType } from './answer.ts';
import { inspectorOf, SpeechAudio } from './speech-audio.ts';
import type { SpeechStream } from './speech-stream.ts';

/** Text to speech. */
export interface SpeechResource {
  /**
   * Turns text into audio. Resolves when the answer begins; the audio follows as it is made.
   *
   * Sent once: a failure is never tried again unless `retry.methods` names POST. Sample rates, models and formats that
   * do not go together are refused before anything is sent.
   *
   * @throws `RequestError` before sending, `ApiError` when the service refuses, `ConnectionError`, `TimeoutError`,
   * `AbortError`, and `ProtocolError` when a successful response is not audio of that format.
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   *
   * const client = createSpeechClient();
   * const audio = await client.speech.create({ text: 'Good morning.', format: 'mp3' });
   * for await (const piece of audio) console.log(piece.length);
   * ```
   */
  create<Request extends AnyRequest = OfferedRequest, Options extends SpeechOptions = SpeechOptions>(
    request: Request & CheckedRequest<Request, Options>,
    options?: Options & CheckedOptions<Options>,
  ): CallPromise<SpeechAudio>;

  /**
   * Turns text into audio with the time of each word. Resolves when the answer begins.
   *
   * @throws what {@link SpeechResource.create} throws.
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   *
   * const client = createSpeechClient();
   * const stream = await client.speech.streamWithTimestamps({ text: 'Good morning.', format: 'opus' });
   * const { audio, timeline } = await stream.collect();
   * console.log(audio.length, timeline.segments);
   * ```
   */
  streamWithTimestamps<
    Request extends AnyRequest = OfferedRequest,
    Options extends SpeechOptions = SpeechOptions,
  >(
    request: Request & CheckedRequest<Request, Options>,
    options?: Options & CheckedOptions<Options>,
  ): CallPromise<SpeechStream>;
}

export function createSpeechResource(core: Core): SpeechResource {
  return {
    create(request: AnyRequest, options: SpeechOptions = {}) {
      const call = new Call(core, 'createSpeech', options, true);
      return call.answer(createSpeech(call, request));
    },
    streamWithTimestamps(request: AnyRequest, options: SpeechOptions = {}) {
      const call = new Call(core, 'streamSpeechWithTimestamps', options, true);
      return call.answer(streamSpeech(call, request));
    },
  };
}

async function createSpeech(call: Call, given: AnyRequest): Promise<Answer<SpeechAudio>> {
  const request = copyOf(given);
  const format = formatOf(request);
  // Errors of the service come as JSON, whatever is asked for.
  const accept = `${audioMediaTypes[format] ?? '*/*'}, */*;q=0.1`;
  const response = await sendSpeech(call, request, '/v1/tts', accept);
  const speakable = isSpeakable(request);
  await requireAudio(call, response, format);
  if (speakable && response.body === null) throw call.protocolError('the answer has no body');
  const inspector = inspectorOf(call, format, speakable);
  return { data: new SpeechAudio({ call, response, format, inspector }), response };
}

async function streamSpeech(call: Call, given: AnyRequest): Promise<Answer<SpeechStream>> {
  const request = copyOf(given);
  // Loaded while the service works.
  const loading = loadLater();
  // Its failure is seen below, unless the call fails first.
  loading.catch(() => undefined);
  const response = await sendSpeech(call, request, '/v1/tts/stream/with-timestamp', mediaTypes.eventStream);
  await requireMediaType(call, response, mediaTypes.eventStream);
  const format = formatOf(request);
  const inspector = inspectorOf(call, format, isSpeakable(request));
  return { data: new (await loading).SpeechStream({ call, response, format, inspector }), response };
}

/** Sends a request that can work; most need no closer look. */
async function sendSpeech(
  call: Call,
  request: AnyRequest,
  path: Sent['path'],
  accept: string,
): Promise<Response> {
  const { model = call.core.settings.model } = call.options as SpeechOptions;
  const isPlain = typeof request?.text === 'string' && !lookedAt.some((name) => name in request);
  if (!isPlain) (await loadLater()).requireSpeech(request, call.operationId, model);
  return send(call, { method: 'post', path, accept, traced: true, header: { model }, body: request });
}

/** Fields that need a closer look: those of rules, and those that other services use. */
const lookedAt = [...ruleFields, ...Object.keys(foreignFields), 'reference_id', 'references'];

function formatOf(request: AnyRequest): AudioFormat {
  return request?.format ?? synthesisDefaults.format;
}

/** True if the text has a letter or a digit outside its tags: for `…` an empty clip is right. */
function isSpeakable({ text }: AnyRequest): boolean {
  return /[\p{L}\p{N}]/u.test(String(text).replace(/<\|[^|]*\|>/g, ''));
}
