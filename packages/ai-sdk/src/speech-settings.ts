import { InvalidArgumentError, type JSONObject, type SharedV4Warning } from '@ai-sdk/provider';
import type { SpeechRequest } from '@speech-api/client';
import type { AudioFormat } from '@speech-api/types';
import { audioFormats, audioMediaTypes, synthesisDefaults } from '@speech-api/types/constants';
import { providerName } from './errors.ts';

/** The settings that both ways of speaking share. */
export interface SpeechSettings {
  readonly voice?: string | undefined;
  readonly speed?: number | undefined;
  readonly instructions?: string | undefined;
  readonly language?: string | undefined;
  readonly providerOptions?: Readonly<Record<string, JSONObject>> | undefined;
}

/** The request, and a warning for each setting that the service does not have. Provider options win. */
export function toRequest(
  settings: SpeechSettings,
  outputFormat: string | undefined,
): { readonly request: Omit<SpeechRequest, 'text'>; readonly warnings: SharedV4Warning[] } {
  const { voice, speed, providerOptions } = settings;
  const fields = providerOptions?.[providerName] ?? {};
  if ('text' in fields) {
    throw new InvalidArgumentError({
      argument: `providerOptions.${providerName}.text`,
      message: `providerOptions.${providerName} has a text; give the text to the call.`,
    });
  }
  const warnings: SharedV4Warning[] = [];
  for (const feature of ['instructions', 'language'] as const) {
    if (settings[feature] === undefined) continue;
    const details = 'The voice and the text decide it.';
    warnings.push({ type: 'unsupported', feature, details });
  }
  const format = formatOf(outputFormat);
  if (outputFormat !== undefined && format === undefined) {
    const details = `"${outputFormat}" is not available, so the audio is ${synthesisDefaults.format}. Use one of ${audioFormats.join(', ')}.`;
    warnings.push({ type: 'unsupported', feature: 'outputFormat', details });
  }
  const request = {
    ...(format !== undefined && { format }),
    ...(voice !== undefined && { reference_id: voice }),
    ...fields,
    ...(speed !== undefined && { prosody: { speed, ...Object(fields.prosody) } }),
  };
  // Provider options are any JSON; the client refuses invalid combinations, and the service unknown fields.
  return { request: request as Omit<SpeechRequest, 'text'>, warnings };
}

/** The format by its name or its media type. */
function formatOf(name: string | undefined): AudioFormat | undefined {
  return audioFormats.find((format) => name === format || name === audioMediaTypes[format]);
}
