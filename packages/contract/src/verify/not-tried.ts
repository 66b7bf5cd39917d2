import { audioMediaTypes, operationTable } from '@speech-api/types';
import type { Uncovered } from '../judge/coverage.ts';
import type { LeftOut } from './plan.ts';
import { pretended, type Step } from './step.ts';

/** Coverage that the omitted steps would have added, with the reason. Reported if nothing else covers it. */
export function notTried(leftOut: readonly LeftOut[]): Uncovered[] {
  // The first reason is reported. The plan lists last what only needs a larger budget, so that is first here.
  return leftOut
    .toReversed()
    .flatMap(({ scenario, reason }) => scenario.steps.flatMap((step) => coveredBy(step, reason)));
}

/** The same for a single step. */
export function coveredBy(step: Step, reason: string): Uncovered[] {
  let gaps = gapsOf.get(step);
  if (gaps === undefined) {
    gaps = findGaps(step);
    gapsOf.set(step, gaps);
  }
  return gaps.map((gap) => ({ ...gap, reason }));
}

/** Steps are made once, and asking one for its call makes its body: up to 20 MB of sound, which takes longer than a whole small run. */
const gapsOf = new WeakMap<Step, readonly Uncovered[]>();

/** A step that is to be refused would have covered nothing: what covers is a success. */
function findGaps(step: Step): Uncovered[] {
  if (step.expectation.outcome === 'refused') return [];
  if (step.kind === 'live') return [{ operationId: 'openLiveSession', what: 'operation' }];
  const { operationId } = step;
  const call = step.call(pretended);
  const request = call.mediaType ?? operationTable[operationId].requestMediaTypes[0];
  const answers =
    operationId === 'createSpeech'
      ? [mediaTypeOf(call.fields)]
      : operationTable[operationId].responseMediaTypes;
  return [
    { operationId, what: 'operation' },
    ...(request === undefined
      ? []
      : [{ operationId, what: 'request-media-type' as const, mediaType: request }]),
    ...answers.map((mediaType) => ({ operationId, what: 'response-media-type' as const, mediaType })),
  ];
}

function mediaTypeOf(fields: unknown): string {
  const format =
    typeof fields === 'object' && fields !== null && 'format' in fields ? fields.format : undefined;
  return Object.entries(audioMediaTypes).find(([name]) => name === format)?.[1] ?? audioMediaTypes.mp3;
}
