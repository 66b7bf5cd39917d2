import type { BinaryInput, Transcription, TranscriptionRequest } from '@speech-api/types';
import type { CallPromise, Core } from '../core/call.ts';
import type { BodyOptions } from '../options.ts';
import type { NoPath } from '../request-check.ts';
import { answerJson } from './answer-json.ts';

/** Speech to text (beta). */
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
  create<Audio extends BinaryInput | string>(
    request: Omit<TranscriptionRequest, 'audio'> & { readonly audio: Audio & NoPath<Audio> },
    options?: BodyOptions<'multipart/form-data' | 'application/msgpack'>,
  ): CallPromise<Transcription>;
}

export function createTranscriptionsResource(core: Core): TranscriptionsResource {
  return {
    create: (request, options = {}) => answerJson(core, 'createTranscription', options, request),
  };
}
