import type { SharedV4Warning, TranscriptionModelV4 } from '@ai-sdk/provider';
import { type SpeechClient, speakersOf } from '@speech-api/client';
import type { TranscriptionRequest } from '@speech-api/types';
import { defaultTranscriptionModel } from '@speech-api/types/constants';
import { definedHeaders, providerName, toProviderError } from './errors.ts';

/** A model for `transcribe`. */
export function createTranscriptionModel(
  getClient: () => SpeechClient,
  model: string | undefined,
): TranscriptionModelV4 {
  const modelId = model ?? defaultTranscriptionModel;
  return {
    specificationVersion: 'v4',
    provider: `${providerName}.transcription`,
    modelId,
    async doGenerate(options) {
      const client = getClient();
      const { abortSignal, mediaType, timestampGranularities, providerOptions } = options;
      const bytes = typeof options.audio === 'string' ? decode(options.audio) : new Uint8Array(options.audio);
      const timestamp = new Date();
      const request = {
        // `transcribe` gives segments, so they are requested; an empty list means that they are not wanted.
        ignore_timestamps: timestampGranularities?.length === 0,
        ...providerOptions?.[providerName],
        audio: new Blob([bytes], { type: mediaType }),
      };
      try {
        const answer = await client.transcriptions.create(request as TranscriptionRequest, {
          model,
          signal: abortSignal,
          headers: definedHeaders(options.headers),
        });
        return {
          text: answer.text,
          // A service may leave the list out where no times are wanted.
          segments: (answer.segments ?? []).map(({ text, start, end }) => ({
            text,
            startSecond: start,
            endSecond: end,
          })),
          language: answer.language_code,
          durationInSeconds: answer.duration,
          warnings: timestampGranularities?.includes('word') === true ? [noWords] : [],
          response: { timestamp, modelId },
          providerMetadata: {
            [providerName]: {
              turns: speakersOf(answer).map((turn) => ({ ...turn })),
              request_id: answer.request_id ?? null,
            },
          },
        };
      } catch (error) {
        throw toProviderError(error, { abortSignal, url: client.settings.baseUrl, modelId });
      }
    },
  };
}

const noWords: SharedV4Warning = {
  type: 'unsupported',
  feature: 'timestampGranularities',
  details: 'The service times segments, which need not be words.',
};

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
