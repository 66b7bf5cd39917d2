import { randomUUID } from 'node:crypto';
import type { OperationId } from '@speech-api/types';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Memory } from '../memory.ts';
import { toneAsWav } from '../request/tone.ts';
import type { Call, CallStep } from '../step.ts';
import { jsonOf, success } from './making.ts';

/** In the title of every voice model that a run makes, so that a person can tell whose it is. */
export const runMark = `speech-contract ${randomUUID().slice(0, 8)}`;

/** Recordings are not judged, so a tone will do. */
export const recording = toneAsWav({ seconds: 2 });

type StepOptions = Partial<
  Pick<CallStep, 'expectation' | 'groups' | 'remember' | 'needs' | 'needsState' | 'cost'>
>;

/** One call of a voice model operation. */
export function callModels(
  operationId: OperationId,
  what: string,
  call: (memory: Memory) => Call,
  options: StepOptions = {},
): CallStep {
  return {
    kind: 'call',
    operationId,
    name: `${operationId}, ${what}`,
    expectation: success,
    ...options,
    call,
  };
}

/** A server that makes what it should refuse costs a second call: the voice model is deleted again. */
export const makeAndDelete = { calls: 2 };

/** The id of the voice model that a step before has noted. */
export const path = (memory: Memory) => ({ path: { id: memory.get('voice') } });
export const needs = ['voice'];

/** Notes the id of the voice model that was answered. */
export function rememberVoice(exchange: Exchange, memory: Memory): void {
  const id = jsonOf(exchange)?._id;
  if (typeof id === 'string') memory.set('voice', id);
}

/** A private voice, so that nobody else finds what a test has made. */
export function settings(title: string) {
  return {
    type: 'tts',
    title,
    train_mode: 'fast',
    visibility: 'private',
    description: 'Made by a test of the contract; it is deleted again.',
    tags: ['speech-contract'],
  };
}

/** The voice models of a list that was answered; none for any other answer. */
export function itemsOf(exchange: Exchange): Record<string, unknown>[] {
  const items = jsonOf(exchange)?.items;
  return Array.isArray(items) ? items.filter((item) => typeof item === 'object' && item !== null) : [];
}
