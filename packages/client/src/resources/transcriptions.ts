import type { Transcription, TranscriptionRequest } from '@speech-api/types';
import { headerNames, mediaTypes } from '@speech-api/types/constants';
import type { Call } from '../core/call.ts';
import { checkTranscription, withExtra } from '../core/check.ts';
import { encode } from '../core/encode.ts';
import { type CallPromise, type Core, send } from '../core/http.ts';
import type { TranscriptionOptions } from '../options.ts';
import { type Expected, readJson, requireFields } from './json.ts';

/** Speech to text (beta). */
export interface TranscriptionsResource {
  /**
   * Transcribes one audio file of 1 second to 60 minutes and at most 20 MB. All times are in seconds.
   *
   * Timed segments come only with `ignore_timestamps: false`. Sent once, like every POST; as a multipart form, or
   * as MessagePack with `contentType: 'application/msgpack'`. A long recording may take minutes: the deadline for the
   * headers is 300 s and 1 s more for each 100 KB that is sent.
   *
   * @throws `RequestError` for an empty or too large file and for several files before sending, and what every call throws.
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   * import { openAudioFile } from '@speech-api/client/node';
   *
   * const client = createSpeechClient();
   * const audio = await openAudioFile('interview.mp3');
   * const { text, segments } = await client.transcriptions.create({ audio, ignore_timestamps: false });
   * console.log(text, segments);
   * ```
   */
  create(request: TranscriptionRequest, options?: TranscriptionOptions): CallPromise<Transcription>;
}

const segmentFields: Expected = { text: 'string', start: 'number', end: 'number' };

export function createTranscriptionsResource(core: Core): TranscriptionsResource {
  return {
    create: (fields, options = {}) =>
      send(core, 'createTranscription', options, ({ model, extra, contentType = mediaTypes.multipart }) => {
        const request = withExtra(fields, extra, 'TranscriptionRequest');
        checkTranscription(request);
        const body = encode(request, contentType);
        const headers = 300_000 + body.byteLength / 100;
        return {
          method: 'post',
          path: '/v1/asr',
          header: model === undefined ? {} : { [headerNames.model]: model },
          body,
          timeouts: { headers, total: headers + 60_000 },
          traced: () => ({ model }),
          read: (call, response) => readTranscription(call, response, request.ignore_timestamps === false),
        };
      }),
  };
}

async function readTranscription(call: Call, response: Response, isTimed: boolean): Promise<Transcription> {
  const fields: Expected = { text: 'string', duration: 'number' };
  const transcription = await readJson<Transcription>(call, response, fields);
  // Without times, a service may omit the list.
  if (isTimed || (transcription.segments ?? undefined) !== undefined) {
    requireFields(call, transcription, { segments: 'list' });
    for (const segment of transcription.segments) requireFields(call, segment, segmentFields, transcription);
  }
  return transcription;
}
