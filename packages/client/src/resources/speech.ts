import type { AudioFormat, SynthesisRequest } from '@speech-api/types';
import { audioMediaTypes, mediaTypes, synthesisDefaults } from '@speech-api/types/constants';
import type { Answer, Core } from '../core/core.ts';
import { requireAudio, requireMediaType } from '../core/media-type.ts';
import { encodeBody } from '../encode.ts';
import type { SpeechOptions } from '../options.ts';
import type { CheckedRequest, SpeechRequest } from '../request-check.ts';
import { checkSynthesis } from '../rules.ts';
import { SpeechAudio } from './speech-audio.ts';
import type { SpeechStream } from './speech-stream.ts';

/** Text to speech. */
export interface SpeechResource {
  /**
   * Turns text into audio (section 4.1). Resolves when the answer begins; the audio follows as it is made.
   *
   * Sent once: a failure is never tried again unless `retry.methods` names POST. Sample rates, models and formats that
   * do not go together are refused before anything is sent.
   *
   * @throws `RequestError` before sending, `ApiError` when the service refuses, `ConnectionError`, `TimeoutError`,
   * `AbortError`, and `ProtocolError` when a success is no audio of the format.
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
  create<Request extends SpeechRequest, Options extends SpeechOptions = SpeechOptions>(
    request: Request & CheckedRequest<Request, Options>,
    options?: Options,
  ): Promise<SpeechAudio>;

  /**
   * Turns text into audio with the time of each word (section 4.2). Resolves when the answer begins.
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
  streamWithTimestamps<Request extends SpeechRequest, Options extends SpeechOptions = SpeechOptions>(
    request: Request & CheckedRequest<Request, Options>,
    options?: Options,
  ): Promise<SpeechStream>;
}

export function createSpeechResource(core: Core): SpeechResource {
  return {
    async create(request: SpeechRequest, options: SpeechOptions = {}) {
      const { format = synthesisDefaults.format } = request;
      // Errors of the service come as JSON, whatever is asked for.
      const accept = `${audioMediaTypes[format] ?? '*/*'}, */*;q=0.1`;
      const answer = await synthesize(core, 'createSpeech', accept, request, options);
      requireAudio(answer.response, answer.call, format);
      return new SpeechAudio({ ...answer, format, speakable: isSpeakable(request) });
    },

    async streamWithTimestamps(request: SpeechRequest, options: SpeechOptions = {}) {
      // Loaded while the service works, and only by those who stream with timestamps.
      const loading = import('./speech-stream.ts');
      // Its failure is seen below, unless the call fails first.
      loading.catch(() => undefined);
      const accept = mediaTypes.eventStream;
      const answer = await synthesize(core, 'streamSpeechWithTimestamps', accept, request, options);
      requireMediaType(answer.response, answer.call, accept);
      const { SpeechStream } = await loading;
      const format: AudioFormat = request.format ?? synthesisDefaults.format;
      return new SpeechStream({ ...answer, format, speakable: isSpeakable(request) });
    },
  };
}

async function synthesize(
  core: Core,
  operationId: 'createSpeech' | 'streamSpeechWithTimestamps',
  accept: string,
  request: SynthesisRequest,
  options: SpeechOptions,
): Promise<Answer> {
  const model = options.model ?? core.settings.model;
  checkSynthesis(operationId, request, model);
  const { body, headers } = await encodeBody(request);
  const path = operationId === 'createSpeech' ? '/v1/tts' : '/v1/tts/stream/with-timestamp';
  return core.call({ operationId, accept, traced: true, endless: true }, options, (init) =>
    core.http.POST(path, {
      ...init,
      headers: { ...headers, ...init.headers },
      params: { header: { model } },
      body: request,
      bodySerializer: () => init.sent(body),
    }),
  );
}

/** Whether the text has a letter or a digit once its tags are out: of `…` an empty clip is right. */
function isSpeakable({ text }: SynthesisRequest): boolean {
  return /[\p{L}\p{N}]/u.test(String(text).replace(/<\|[^|]*\|>/g, ''));
}
