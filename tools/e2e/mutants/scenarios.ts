import type { OperationId } from '@speech-api/types';
import type { Mutant, Topic } from './mutant.ts';

/** A scenario of the judge, as far as it is looked at here. */
interface KnownScenario {
  readonly name: string;
  readonly steps: readonly { readonly name: string }[];
}

/** Which scenarios show what of an operation. What is not listed here is shown by nothing. */
const topics: Partial<Record<`${OperationId} ${Topic}`, readonly string[]>> = {
  'createSpeech success': ['speech-traceparent-invalid'],
  'createSpeech schema': ['speech-without-text'],
  'createSpeech rule': ['rule-sample-rate-of-wav-and-pcm'],
  'createSpeech media type': ['speech-media-type'],
  'createSpeech formats': ['speech-wav-6', 'speech-pcm-2', 'speech-mp3-9', 'speech-opus-1'],
  'createSpeech encodings': ['speech-encodings'],
  'streamSpeechWithTimestamps success': ['stream-repeated'],
  'streamSpeechWithTimestamps schema': ['speech-malformed-json'],
  'streamSpeechWithTimestamps rule': ['rule-dialogue-not-on-s1'],
  'streamSpeechWithTimestamps formats': ['stream-encodings', 'stream-low'],
  'streamSpeechWithTimestamps encodings': ['stream-encodings'],
  'streamSpeechWithTimestamps long stream': ['stream-balanced'],
  'createTranscription success': ['transcription-encodings'],
  'createTranscription encodings': ['transcription-encodings'],
  'createTranscription schema': ['transcription-without-audio'],
  'createTranscription media type': ['transcription-as-json'],
  'listModels success': ['list-large-page'],
  'listModels schema': ['list-page-too-small'],
  'createModel success': ['voice-from-json'],
  'createModel schema': ['voice-without-title'],
  'createModel media type': ['voice-plain-text'],
  'getModel success': ['voice-read-and-used'],
  'getModel not found': ['voice-unknown'],
  'updateModel success': ['voice-life'],
  'updateModel schema': ['voice-an-unknown-visibility'],
  'updateModel not found': ['voice-unknown'],
  'updateModel media type': ['voice-a-change-as-plain-text'],
  'deleteModel success': ['voice-from-json'],
  'deleteModel not found': ['voice-unknown'],
  'getApiCredit success': ['wallet-own'],
  'getApiCredit not found': ['wallet-foreign'],
  'getPackage success': ['wallet-own'],
  'getPackage not found': ['wallet-foreign'],
  'openLiveSession success': ['live-session'],
  'openLiveSession no upgrade': ['live-no-upgrade'],
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
    return (typeof shown === 'string' ? (topics[`${operation} ${shown}`] ?? []) : shown).includes(name);
  };
  const found = all.filter(isShown).map(({ name }) => name);
  if (found.length === 0) throw new Error(`no scenario of the judge shows "${id}"`);
  return found;
}
