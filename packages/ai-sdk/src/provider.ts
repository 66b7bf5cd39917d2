import {
  NoSuchModelError,
  type Experimental_StreamingSpeechModelV4 as StreamingSpeechModelV4,
  type TranscriptionModelV4,
} from '@ai-sdk/provider';
import { createSpeechClient, type SpeechClient, type SpeechClientOptions } from '@speech-api/client';
import type { SynthesisModel, TranscriptionModel } from '@speech-api/types';
import { toProviderError } from './errors.ts';
import { createSpeechModel } from './speech-model.ts';
import { createTranscriptionModel } from './transcription-model.ts';

/** Settings of {@link createSpeechProvider}: your own client, or the options of `createSpeechClient`. */
export type SpeechProviderSettings = SpeechClientOptions & {
  /** A client to use. The other settings are ignored then. */
  readonly client?: SpeechClient | undefined;
};

/** A provider for the `ai` package. */
export interface SpeechProvider {
  readonly specificationVersion: 'v4';
  /** A model for `generateSpeech` and `experimental_streamSpeech`. Any name is accepted, because new models appear. @defaultValue the client's model */
  speech(modelId?: SynthesisModel): StreamingSpeechModelV4;
  /** A model for `transcribe`, such as `transcribe-1-pro`. @defaultValue that of the service */
  transcription(modelId?: TranscriptionModel): TranscriptionModelV4;
  /** {@link SpeechProvider.speech}, by the name that a provider registry uses. */
  speechModel(modelId: string): StreamingSpeechModelV4;
  /** {@link SpeechProvider.transcription}, by the name that a provider registry uses. */
  transcriptionModel(modelId: string): TranscriptionModelV4;
  /** @throws NoSuchModelError always: the service has no language models. */
  languageModel(modelId: string): never;
  /** @throws NoSuchModelError always: the service has no embedding models. */
  embeddingModel(modelId: string): never;
  /** @throws NoSuchModelError always: the service has no image models. */
  imageModel(modelId: string): never;
}

/**
 * Creates a provider for the `ai` package: speech and transcription models.
 *
 * The client is created on the first call, so that a missing setting is an error of that call.
 *
 * @example
 * ```ts
 * import { createSpeechProvider } from '@speech-api/ai-sdk';
 *
 * const provider = createSpeechProvider({ apiKey: 'key', baseUrl: 'https://api.example.com' });
 * console.log(provider.speech('s2-pro').modelId);
 * ```
 */
export function createSpeechProvider(settings: SpeechProviderSettings = {}): SpeechProvider {
  let client = settings.client;
  function getClient(): SpeechClient {
    try {
      client ??= createSpeechClient(settings);
      return client;
    } catch (error) {
      throw toProviderError(error, {});
    }
  }
  const speech = (modelId?: string) => createSpeechModel(getClient, modelId);
  const transcription = (modelId?: string) => createTranscriptionModel(getClient, modelId);
  const none = (modelType: 'languageModel' | 'embeddingModel' | 'imageModel') => (modelId: string) => {
    throw new NoSuchModelError({ modelId, modelType });
  };
  return {
    specificationVersion: 'v4',
    speech,
    transcription,
    speechModel: speech,
    transcriptionModel: transcription,
    languageModel: none('languageModel'),
    embeddingModel: none('embeddingModel'),
    imageModel: none('imageModel'),
  };
}
