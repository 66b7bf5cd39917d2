import { limits, mediaTypes, type Transcription, type TranscriptionRequest } from '@speech-api/types';
import type { Core } from '../core/core.ts';
import { readJson } from '../core/read-body.ts';
import { RequestError } from '../errors/request-error.ts';
import { createForm, toBlob } from '../form.ts';
import type { CallOptions } from '../options.ts';

/** Speech to text (section 4.3, beta). */
export interface TranscriptionsResource {
  /**
   * Transcribes one audio file of 1 second to 60 minutes and at most 20 MB. All times are in seconds.
   *
   * Timed segments come only with `ignore_timestamps: false`. Sent once, like every POST.
   *
   * @throws `RequestError` for an empty or too large file before sending, and what every call throws.
   *
   * @example
   * ```ts norun
   * import { createSpeechClient } from '@speech-api/client';
   * import { openAudioFile } from '@speech-api/client/node';
   *
   * const client = createSpeechClient();
   * const audio = await openAudioFile('interview.mp3');
   * const { text, segments } = await client.transcriptions.create({ audio, ignore_timestamps: false });
   * console.log(text, segments);
   * ```
   */
  create(request: TranscriptionRequest, options?: CallOptions): Promise<Transcription>;
}

export function createTranscriptionsResource(core: Core): TranscriptionsResource {
  return {
    async create(request, options = {}) {
      const audio = toBlob(request.audio);
      const most = limits.transcriptionFileBytesSent;
      if (audio.size === 0) throw new RequestError('audio is empty', { field: 'audio' });
      if (audio.size > most) {
        throw new RequestError(`audio has ${audio.size} bytes; ${most} are the most`, { field: 'audio' });
      }
      const form = createForm({ ...request, audio });
      const { response, call } = await core.call(
        { operationId: 'createTranscription', accept: mediaTypes.json, traced: true },
        options,
        (init) => core.http.POST('/v1/asr', { ...init, body: request, bodySerializer: () => form }),
      );
      return readJson<Transcription>(response, call);
    },
  };
}
