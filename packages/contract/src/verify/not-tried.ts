import { audioMediaTypes, operationTable } from '@speech-api/types';
import type { Uncovered } from '../judge/coverage.ts';
import { createMemory } from './memory.ts';
import type { LeftOut } from './plan.ts';
import type { Step } from './step.ts';

/** What the steps that were left out would have covered, with the reason; it is told where nothing else covers it. */
export function notTried(leftOut: readonly LeftOut[]): Uncovered[] {
  return leftOut.flatMap(({ scenario, reason }) => scenario.steps.flatMap((step) => coveredBy(step, reason)));
}

/** The same for a single step. */
export function coveredBy(step: Step, reason: string): Uncovered[] {
  if (step.kind === 'live') return [{ operationId: 'openLiveSession', what: 'operation', reason }];
  const { operationId } = step;
  const call = step.call(createMemory((name) => `<${name}>`));
  const request = call.mediaType ?? operationTable[operationId].requestMediaTypes[0];
  const answers =
    operationId === 'createSpeech'
      ? [mediaTypeOf(call.fields)]
      : operationTable[operationId].responseMediaTypes;
  return [
    { operationId, what: 'operation', reason },
    ...(request === undefined
      ? []
      : [{ operationId, what: 'request-media-type' as const, mediaType: request, reason }]),
    ...answers.map((mediaType) => ({ operationId, what: 'response-media-type' as const, mediaType, reason })),
  ];
}

function mediaTypeOf(fields: unknown): string {
  const format =
    typeof fields === 'object' && fields !== null && 'format' in fields ? fields.format : undefined;
  return Object.entries(audioMediaTypes).find(([name]) => name === format)?.[1] ?? audioMediaTypes.mp3;
}
