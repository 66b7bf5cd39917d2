import type { OperationId } from '@speech-api/types';
import { refusals } from '@speech-api/types';
import type { Topic } from '../mutant.ts';
import { operationOf } from '../specification.ts';

/** A refusal that a judge with one good key can bring about. */
export interface SeenRefusal {
  readonly status: number;
  readonly topic: Topic;
}

/** Which entry of the spec's table of refusals each topic is about. */
const entries: Partial<Record<Topic, string>> = {
  key: 'key-unknown',
  schema: 'schema',
  rule: 'rule',
  'media type': 'media-type',
  'not found': 'not-found',
  'no upgrade': 'upgrade-required',
};

/** Operations whose requests have something that a schema can refuse: a body, or a query with numbers. */
const withSchema: readonly OperationId[] = [
  'createSpeech',
  'streamSpeechWithTimestamps',
  'createTranscription',
  'listModels',
  'createModel',
  'updateModel',
];

/** The refusals of an operation that can be brought about; no key of the judge is without credit or over its limit. */
export function refusalsSeen(operation: OperationId): SeenRefusal[] {
  return Object.entries(entries).flatMap(([topic, id]) => {
    const entry = refusals.find((one) => one.id === id);
    if (entry === undefined) throw new Error(`the spec has no refusal ${id}`);
    const applies = entry.applies_to?.includes(operation) ?? true;
    if (!applies || (id === 'schema' && !withSchema.includes(operation))) return [];
    // Speech is asked for in another media type at one of its two operations.
    if (id === 'media-type' && operation === 'streamSpeechWithTimestamps') return [];
    if (operationOf(operation).answers[String(entry.status)] === undefined) return [];
    return [{ status: entry.status, topic: topic as Topic }];
  });
}
