import type { OperationId } from '@speech-api/types';
import type { Mutant, Topic } from './mutant.ts';

/** A scenario of the judge, as far as it is looked at here. */
export interface KnownScenario {
  readonly name: string;
  readonly steps: readonly { readonly name: string }[];
}

/** Which scenarios show what of an operation. What is not listed here is shown by nothing. */
const topics: Partial<Record<OperationId, Partial<Record<Topic, readonly string[]>>>> = {
  createSpeech: {
    success: ['speech-traceparent-invalid'],
    schema: ['speech-without-text'],
    rule: ['rule-sample-rate-of-wav-and-pcm'],
    'media type': ['speech-media-type'],
    formats: ['speech-wav-6', 'speech-pcm-2', 'speech-mp3-9', 'speech-opus-1'],
    encodings: ['speech-encodings'],
  },
  streamSpeechWithTimestamps: {
    success: ['stream-repeated'],
    schema: ['speech-malformed-json'],
    rule: ['rule-dialogue-not-on-s1'],
    formats: ['stream-encodings', 'stream-low'],
    encodings: ['stream-encodings'],
    'long stream': ['stream-balanced'],
  },
  createTranscription: {
    success: ['transcription-encodings'],
    encodings: ['transcription-encodings'],
    schema: ['transcription-without-audio'],
    'media type': ['transcription-as-json'],
  },
  listModels: {
    success: ['list-large-page'],
    schema: ['list-page-too-small'],
  },
  createModel: {
    success: ['voice-from-json'],
    schema: ['voice-without-title'],
    'media type': ['voice-plain-text'],
  },
  getModel: { success: ['voice-read-and-used'], 'not found': ['voice-unknown'] },
  updateModel: {
    success: ['voice-life'],
    schema: ['voice-an-unknown-visibility'],
    'not found': ['voice-unknown'],
    'media type': ['voice-a-change-as-plain-text'],
  },
  deleteModel: { success: ['voice-from-json'], 'not found': ['voice-unknown'] },
  getApiCredit: { success: ['wallet-own'], 'not found': ['wallet-foreign'] },
  getPackage: { success: ['wallet-own'], 'not found': ['wallet-foreign'] },
  openLiveSession: { success: ['live-session'], 'no upgrade': ['live-no-upgrade'] },
};

/**
 * The names of the scenarios that must see a mutant.
 *
 * @throws Error when there is none: a mutant that nobody looks at would survive for the wrong reason
 */
export function scenariosOf({ id, operation, shown }: Mutant, all: readonly KnownScenario[]): string[] {
  const isShown = ({ name, steps }: KnownScenario): boolean => {
    if (typeof shown === 'object' && 'step' in shown)
      return steps.some((step) => step.name.includes(shown.step));
    if (shown === 'key') return name === `key-missing-${operation}`;
    return (typeof shown === 'string' ? (topics[operation]?.[shown] ?? []) : shown).includes(name);
  };
  const found = all.filter(isShown).map(({ name }) => name);
  if (found.length === 0) throw new Error(`no scenario of the judge shows "${id}"`);
  return found;
}
