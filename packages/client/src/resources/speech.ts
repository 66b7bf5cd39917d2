import type { AudioFormat, SpeechRequest } from '@speech-api/types';
import { audioMediaTypes, defaultFormat, headerNames, mediaTypes } from '@speech-api/types/constants';
import { checkSpeech, withExtra } from '../core/check.ts';
import { encode } from '../core/encode.ts';
import { type CallPromise, type Core, type Operation, send } from '../core/http.ts';
import { ConnectionError } from '../errors.ts';
import type { SpeechOptions } from '../options.ts';
import {
  AudioAnswer,
  audioInspector,
  isAudioOf,
  mediaTypeOf,
  refuseMediaType,
  type SpeechAudio,
} from './speech-audio.ts';
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
  create(request: SpeechRequest, options?: SpeechOptions): CallPromise<SpeechAudio>;

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
  streamWithTimestamps(request: SpeechRequest, options?: SpeechOptions): CallPromise<SpeechStream>;
}

export function createSpeechResource(core: Core): SpeechResource {
  const operationOf = (operationId: string, fields: SpeechRequest, options: SpeechOptions) => {
    const { model = core.settings.model, extra } = options;
    const request = withExtra(fields, extra, 'SynthesisRequest');
    checkSpeech(request, operationId, model);
    const format: AudioFormat = request.format ?? defaultFormat;
    return {
      format,
      // An empty clip is correct for a text that has no letter or digit outside its tags.
      isSpeakable: /[\p{L}\p{N}]/u.test(request.text.replace(/<\|[^|]*\|>/g, '')),
      method: 'post' as const,
      header: { [headerNames.model]: model },
      body: encode(request),
      timeouts: { total: Number.POSITIVE_INFINITY },
      traced: () => ({ model, format, characters: [...request.text].length }),
    };
  };
  return {
    create: (request, options = {}) =>
      send(core, 'createSpeech', options, (chosen): Operation<SpeechAudio> => {
        const { format, isSpeakable, ...operation } = operationOf('createSpeech', request, chosen);
        return {
          ...operation,
          path: '/v1/tts',
          accept: `${audioMediaTypes[format] ?? '*/*'}, ${orError}`,
          async read(call, response) {
            if (!isAudioOf(mediaTypeOf(response), format))
              await refuseMediaType(call, response, `${format} audio`);
            return new AudioAnswer(call, response, format, audioInspector(call, format, isSpeakable));
          },
        };
      }),
    streamWithTimestamps: (request, options = {}) =>
      send(core, 'streamSpeechWithTimestamps', options, (chosen): Operation<SpeechStream> => {
        const operationId = 'streamSpeechWithTimestamps';
        const { format, isSpeakable, ...operation } = operationOf(operationId, request, chosen);
        return {
          ...operation,
          path: '/v1/tts/stream/with-timestamp',
          accept: `${mediaTypes.eventStream}, ${orError}`,
          load: loadStream,
          async read(call, response) {
            if (mediaTypeOf(response) !== mediaTypes.eventStream)
              await refuseMediaType(call, response, mediaTypes.eventStream);
            const { EventAnswer } = await loadStream();
            return new EventAnswer(call, response, format, audioInspector(call, format, isSpeakable));
          },
        };
      }),
  };
}

/** Errors of the service are JSON, whatever the request accepts; a strict server sends no other type than it names. */
const orError = '*/*;q=0.1';

/** The event stream with its captions, which a program that only speaks never needs. */
const loadStream = () =>
  import('./speech-stream.ts').catch((cause: unknown) => {
    throw new ConnectionError('a part of the client could not be loaded; is its bundle complete?', { cause });
  });
