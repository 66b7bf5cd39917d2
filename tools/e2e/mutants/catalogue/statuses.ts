import type { OperationId } from '@speech-api/types';
import type { Kind, Mutant, Topic } from '../mutant.ts';
import type { CarriedAnswer } from '../proxy/carried.ts';
import { operations } from '../specification.ts';
import { type AnswerChange, generalError, onStatus, onSuccess, withStatus } from './interferences.ts';
import { refusalsSeen } from './refusals-seen.ts';

interface StatusBreak {
  readonly words: string;
  readonly kind: Kind;
  readonly rules: readonly string[];
  readonly change: AnswerChange;
}

/** Another status in place of the documented one, and refusals of what is right. */
export function statuses(): Mutant[] {
  return operations.flatMap(({ operationId, success }) => [
    ...(operationId === 'openLiveSession' ? [] : ofSuccess(operationId, success)),
    ...refusalsSeen(operationId).flatMap(({ status, topic }) => ofRefusal(operationId, status, topic)),
  ]);
}

function ofSuccess(operation: OperationId, status: number): Mutant[] {
  const other = status === 201 ? 200 : 202;
  const breaks: StatusBreak[] = [
    {
      words: `success is ${other}`,
      kind: 'status',
      rules: ['success-status'],
      change: (answer) => withStatus(answer, other),
    },
    {
      words: 'a good request is refused with 400',
      kind: 'good request refused',
      rules: ['success-expected'],
      change: (answer) => generalError(answer, 400),
    },
    {
      words: 'a good request is answered with 500',
      kind: 'good request refused',
      rules: ['success-expected'],
      change: (answer) => generalError(answer, 500),
    },
    {
      words: 'a good request is redirected to nowhere',
      kind: 'good request refused',
      rules: ['success-expected'],
      change: (answer) => ({ ...answer, status: 304, body: Buffer.alloc(0) }),
    },
  ];
  return breaks.map(({ words, kind, rules, change }) => ({
    id: `${operation}: ${words}`,
    kind,
    operation,
    topic: 'success',
    rules,
    interference: { answer: onSuccess(change) },
  }));
}

function ofRefusal(operation: OperationId, status: number, topic: Topic): Mutant[] {
  const to = (other: number) => (answer: CarriedAnswer) => withStatus(answer, other);
  const breaks: StatusBreak[] = [
    { words: '500', kind: 'status', rules: ['server-fault'], change: to(500) },
    {
      words: 'another refusal, 409',
      kind: 'status',
      rules: ['refusal-status', 'status-documented'],
      change: to(409),
    },
    {
      words: '200',
      kind: topic === 'key' ? 'key let in' : 'bad request accepted',
      rules: topic === 'key' ? ['key-checked'] : ['refusal-expected'],
      change: to(200),
    },
  ];
  return breaks.map(({ words, kind, rules, change }) => ({
    id: `${operation}: ${status} for ${whatIsWrong[topic] ?? topic} becomes ${words}`,
    kind,
    operation,
    topic,
    rules,
    interference: { answer: onStatus(status, change) },
  }));
}

const whatIsWrong: Partial<Record<Topic, string>> = {
  key: 'a bad key',
  schema: 'a broken schema',
  rule: 'a broken rule',
  'media type': 'an unknown media type',
  'not found': 'an unknown id',
  'no upgrade': 'a plain request',
};
