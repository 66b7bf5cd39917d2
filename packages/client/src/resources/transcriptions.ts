import type { Transcription, TranscriptionRequest } from '@speech-api/types';
import { limits, mediaTypes } from '@speech-api/types/constants';
import type { CallPromise, Core, Operation } from '../core/http.ts';
import { pathIsNoAudio } from '../encode.ts';
import { RequestError } from '../errors.ts';
import type { BodyOptions } from '../options.ts';
import { readJson, requireFields } from './answer.ts';

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
  ): CallPromise<Transcription>;
}

export function createTranscriptionsResource(core: Core): TranscriptionsResource {
  return {
    create(request, options = {}) {
      const timed = request?.ignore_timestamps === false;
      const operation: Operation<Transcription> = {
        operationId: 'createTranscription',
        method: 'post',
        path: '/v1/asr',
        traced: true,
        async read(call, response) {
          const transcription = await readJson<Transcription>(call, response, { text: 'string' });
          // Without times a service may leave the list out.
          if (timed || transcription.segments !== undefined) {
            requireFields(call, response, transcription, { segments: '[]' });
          }
          return transcription;
        },
      };
      return core.call(operation, options, () => {
        const reason = reasonAgainst(request?.audio);
        if (reason) throw new RequestError(`audio ${reason}`, { field: 'audio' });
        return { body: request, contentType: options.contentType ?? mediaTypes.multipart };
      });
    },
  };
}

/** Why the audio cannot be sent: it must be one file, with something in it, and no larger than is accepted. */
function reasonAgainst(audio: unknown): string | undefined {
  if (Array.isArray(audio)) return 'must be one file; send each recording in a call of its own';
  if (typeof audio === 'string') return pathIsNoAudio;
  const isBinary = audio instanceof Blob || audio instanceof ArrayBuffer || ArrayBuffer.isView(audio);
  if (!isBinary) return 'must be bytes, a Blob or a File';
  const size = audio instanceof Blob ? audio.size : audio.byteLength;
  const maximum = limits.transcriptionFileBytesSent;
  if (size === 0) return 'is empty';
  return size > maximum ? `has ${size} bytes; the limit is ${maximum}` : undefined;
}
