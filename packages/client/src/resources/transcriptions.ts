import type { Transcription, TranscriptionRequest } from '@speech-api/types';
import { limits, mediaTypes } from '@speech-api/types/constants';
import type { Core } from '../core/core.ts';
import { readJson } from '../core/read-body.ts';
import { encodeAs } from '../encode.ts';
import { RequestError } from '../errors/request-error.ts';
import type { BodyOptions } from '../options.ts';

/** Speech to text (section 4.3, beta). */
export interface TranscriptionsResource {
  /**
   * Transcribes one audio file of 1 second to 60 minutes and at most 20 MB. All times are in seconds.
   *
   * Timed segments come only with `ignore_timestamps: false`. Sent once, like every POST; as a multipart form, or
   * as MessagePack with `contentType: 'application/msgpack'`, which copies no byte of the audio.
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
  create(
    request: TranscriptionRequest,
    options?: BodyOptions<'multipart/form-data' | 'application/msgpack'>,
  ): Promise<Transcription>;
}

export function createTranscriptionsResource(core: Core): TranscriptionsResource {
  return {
    async create(request, options = {}) {
      const fault = faultOf(request.audio);
      if (fault) throw new RequestError(`audio ${fault}`, { field: 'audio' });
      const { body, headers } = await encodeAs(options.contentType ?? mediaTypes.multipart, request);
      const { response, call } = await core.call(
        { operationId: 'createTranscription', accept: mediaTypes.json, traced: true },
        options,
        (init) =>
          core.http.POST('/v1/asr', {
            ...init,
            headers: { ...headers, ...init.headers },
            body: request,
            bodySerializer: () => init.sent(body),
          }),
      );
      return readJson<Transcription>(response, call);
    },
  };
}

/** What is wrong with the audio: it must be one file, with something in it, and no larger than is taken (section 8). */
function faultOf(audio: unknown): string | undefined {
  if (Array.isArray(audio)) return 'must be one file; send each recording in a call of its own';
  const isBinary = audio instanceof Blob || audio instanceof ArrayBuffer || ArrayBuffer.isView(audio);
  if (!isBinary) return 'must be bytes, a Blob or a File';
  const size = audio instanceof Blob ? audio.size : audio.byteLength;
  const most = limits.transcriptionFileBytesSent;
  if (size === 0) return 'is empty';
  return size > most ? `has ${size} bytes; ${most} are the most` : undefined;
}
