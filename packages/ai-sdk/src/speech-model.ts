import {
  InvalidArgumentError,
  type SharedV4Warning,
  type SpeechModelV4,
  type SpeechModelV4CallOptions,
} from '@ai-sdk/provider';
import type { SpeechClient, SpeechRequest } from '@speech-api/client';
import type { AudioFormat } from '@speech-api/types';
import { audioFormats, synthesisDefaults } from '@speech-api/types/constants';
import { definedHeaders, providerName, shownHeaders, toProviderError } from './errors.ts';

/** A model for `generateSpeech`. */
export function createSpeechModel(getClient: () => SpeechClient, modelId: string | undefined): SpeechModelV4 {
  return {
    specificationVersion: 'v4',
    provider: `${providerName}.speech`,
    get modelId() {
      return modelId ?? getClient().settings.model;
    },
    async doGenerate(options) {
      const client = getClient();
      const model = modelId ?? client.settings.model;
      const { abortSignal } = options;
      const { request, warnings } = toRequest(options);
      const timestamp = new Date();
      try {
        const speech = await client.speech.create(request, {
          model,
          signal: abortSignal,
          headers: definedHeaders(options.headers),
        });
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
  };
}

/** The request, and a warning for each setting that the service does not have. Provider options win. */
function toRequest(options: SpeechModelV4CallOptions): {
  request: SpeechRequest;
  warnings: SharedV4Warning[];
} {
  const { text, voice, speed, outputFormat, providerOptions } = options;
  const own = providerOptions?.[providerName] ?? {};
  if ('text' in own) {
    throw new InvalidArgumentError({
      argument: `providerOptions.${providerName}.text`,
      message: `providerOptions.${providerName} has a text; give the text to generateSpeech.`,
    });
  }
  const warnings: SharedV4Warning[] = [];
  for (const feature of ['instructions', 'language'] as const) {
    if (options[feature] === undefined) continue;
    const details = 'The voice and the text decide it.';
    warnings.push({ type: 'unsupported', feature, details });
  }
  const isKnown = outputFormat === undefined || isFormat(outputFormat);
  if (!isKnown) {
    const details = `"${outputFormat}" is not available, so the audio is ${synthesisDefaults.format}. Use one of ${audioFormats.join(', ')}.`;
    warnings.push({ type: 'unsupported', feature: 'outputFormat', details });
  }
  if ((own.format ?? outputFormat) === 'pcm') {
    const message =
      'pcm has no header, so the media type of the result is a guess. The samples are 16-bit, mono.';
    warnings.push({ type: 'other', message });
  }
  const request = {
    ...(outputFormat !== undefined && isKnown && { format: outputFormat }),
    ...(voice !== undefined && { reference_id: voice }),
    ...(speed !== undefined && { prosody: { speed } }),
    ...own,
    text,
  };
  // Provider options are any JSON; the client refuses what does not go together, and the service what it does not know.
  return { request: request as SpeechRequest, warnings };
}

function isFormat(name: string): name is AudioFormat {
  return (audioFormats as readonly string[]).includes(name);
}
