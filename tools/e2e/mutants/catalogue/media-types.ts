import type { OperationId } from '@speech-api/types';
import type { Mutant } from '../mutant.ts';
import { operations } from '../specification.ts';
import { onSuccess, withHeader } from './interferences.ts';

/** Another media type over the same bytes, or none. */
export function mediaTypes(): Mutant[] {
  return operations.flatMap(({ operationId, answers, success }) => {
    if (answers[String(success)] !== undefined) return calledOtherwise(operationId, ofJson);
    if (operationId === 'createSpeech') return calledOtherwise(operationId, ofAudio);
    if (operationId === 'streamSpeechWithTimestamps') return calledOtherwise(operationId, ofStream);
    return [];
  });
}

interface Name {
  readonly type: string | undefined;
  readonly rules: readonly string[];
}

const ofJson: readonly Name[] = [
  { type: 'text/plain', rules: ['media-type-documented'] },
  { type: 'text/html; charset=utf-8', rules: ['media-type-documented'] },
  { type: 'application/octet-stream', rules: ['media-type-documented'] },
  { type: 'json', rules: ['media-type-documented'] },
  { type: undefined, rules: ['media-type-documented'] },
];

const ofAudio: readonly Name[] = [
  { type: 'text/plain', rules: ['audio-is-not-text'] },
  { type: 'application/json', rules: ['audio-is-not-text'] },
  { type: 'text/html', rules: ['audio-is-not-text'] },
  { type: 'audio/flac', rules: ['audio-media-type', 'media-type-documented'] },
  { type: 'video/mp4', rules: ['audio-media-type', 'media-type-documented'] },
  { type: undefined, rules: ['audio-media-type', 'media-type-documented'] },
];

const ofStream: readonly Name[] = [
  { type: 'text/plain', rules: ['stream-media-type'] },
  { type: 'application/json', rules: ['stream-media-type'] },
  { type: 'application/x-ndjson', rules: ['stream-media-type'] },
  { type: 'application/octet-stream', rules: ['stream-media-type'] },
  { type: undefined, rules: ['stream-media-type'] },
];

function calledOtherwise(operation: OperationId, names: readonly Name[]): Mutant[] {
  return names.map(({ type, rules }) => ({
    id: `${operation}: success is called ${type ?? 'nothing'}`,
    kind: 'media type',
    operation,
    topic: 'success',
    rules,
    interference: { answer: onSuccess((answer) => withHeader(answer, 'content-type', type)) },
  }));
}
