import type { OperationId } from '@speech-api/types';
import type { Mutant, Topic } from './mutant.ts';

/** A scenario of the judge, as far as it is looked at here. */
export interface KnownScenario {
  readonly name: string;
  readonly steps: readonly { readonly name: string }[];
}

/** Which scenarios show what of an operation. What is not listed here is shown by nothing. */
const shown: Partial<Record<OperationId, Partial<Record<Topic, readonly string[]>>>> = {
  createSpeech: {
    success: ['speech-traceparent-invalid'],
    schema: ['speech-without-text'],
    rule: ['rule-sample-rate-of-wav-and-pcm'],
    'media type': ['speech-media-type'],
    formats: ['speech-wav-6', 'speech-pcm-2', 'speech-mp3-9', 'speech-opus-1'],
    rates: ['speech-wav-5', 'speech-mp3-2'],
    bitrates: ['speech-mp3-1', 'speech-opus-2'],
  },
  streamSpeechWithTimestamps: {
    success: ['stream-repeated'],
    schema: ['speech-malformed-json'],
    rule: ['rule-dialogue-not-on-s1'],
    formats: ['stream-encodings', 'stream-low'],
    'long stream': ['stream-balanced'],
  },
  createTranscription: {
    success: ['transcription-encodings'],
    schema: ['transcription-without-audio'],
    'media type': ['transcription-as-json'],
  },
  listModels: {
    success: ['list-large-page'],
    schema: ['list-page-too-small'],
    method: ['address-method'],
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
export function scenariosOf({ id, operation, topic }: Mutant, all: readonly KnownScenario[]): string[] {
  const named = namesOf(operation, topic, all);
  const found = all
    .map(({ name }) => name)
    .filter((name) =>
      named.some((wanted) => (wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted)),
    );
  if (found.length === 0)
    throw new Error(`no scenario of the judge shows "${id}"; it needs ${named.join(', ')}`);
  return found;
}

function namesOf(
  operation: OperationId,
  topic: Mutant['topic'],
  all: readonly KnownScenario[],
): readonly string[] {
  if (Array.isArray(topic)) return topic;
  if (typeof topic === 'object' && 'step' in topic) {
    const scenario = all.find(({ steps }) => steps.some(({ name }) => name.includes(topic.step)));
    return scenario === undefined ? [`a scenario with the step "${topic.step}"`] : [scenario.name];
  }
  if (topic === 'key') return [`key-missing-${operation}`];
  return shown[operation]?.[topic as Topic] ?? [`one for ${operation}: ${String(topic)}`];
}
