import type { Experimental_StreamingSpeechModelV4 as StreamingSpeechModelV4 } from '@ai-sdk/provider';
import type { SpeechClient } from '@speech-api/client';
import { definedHeaders, providerName, shownHeaders, toProviderError } from './errors.ts';
import { toRequest } from './speech-settings.ts';
import { streamSpeech } from './stream-speech.ts';

/** A model for `generateSpeech` and `experimental_streamSpeech`. */
export function createSpeechModel(
  getClient: () => SpeechClient,
  modelId: string | undefined,
): StreamingSpeechModelV4 {
  return {
    specificationVersion: 'v4',
    provider: `${providerName}.speech`,
    get modelId() {
      return modelId ?? getClient().settings.model;
    },
    async doGenerate(options) {
      const client = getClient();
      const model = modelId ?? client.settings.model;
      const { abortSignal, outputFormat, text } = options;
      const { request, warnings } = toRequest(options, outputFormat);
      if (request.format === 'pcm') {
        const message =
          'pcm has no header, so the media type of the result is a guess. The samples are 16-bit, mono.';
        warnings.push({ type: 'other', message });
      }
      const timestamp = new Date();
      try {
        const headers = definedHeaders(options.headers);
        const speech = await client.speech.create(
          { ...request, text },
          { model, signal: abortSignal, headers },
        );
        const audio = await speech.bytes();
        return {
          audio,
          warnings,
          response: { timestamp, modelId: model, headers: shownHeaders(speech.headers) },
          providerMetadata: { [providerName]: { format: speech.format, traceId: speech.traceId ?? null } },
        };
      } catch (error) {
        throw toProviderError(error, { abortSignal, url: client.settings.baseUrl, modelId: model });
      }
    },
    async doStream(options) {
      try {
        const client = getClient();
        return await streamSpeech(client, modelId ?? client.settings.model, options);
      } catch (error) {
        // The adapter owns the text from this call on; if it is not read, its writer never ends.
        if (!options.text.locked) await options.text.cancel(error);
        throw error;
      }
    },
  };
}
