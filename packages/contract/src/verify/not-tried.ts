import { audioMediaTypes, operationTable } from '@speech-api/types';
import type { Uncovered } from '../judge/coverage.ts';
import { asObject } from '../specification/document.ts';
import { readAskedAudio } from '../subjects/judged-audio.ts';
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
  const gaps = gapsOf.get(step) ?? findGaps(step);
  gapsOf.set(step, gaps);
  return gaps.map((gap) => ({ ...gap, reason }));
}

/** Steps are made once, and asking one for its call makes its body: up to 20 MB of sound, which takes longer than a whole small run. */
const gapsOf = new WeakMap<Step, readonly Uncovered[]>();

/** A step that is to be refused would have covered nothing: what covers is a success. */
function findGaps(step: Step): readonly Uncovered[] {
  if (step.expectation.outcome === 'refused') return [];
  if (step.kind === 'live') return [{ operationId: 'openLiveSession', what: 'operation' }];
  const { operationId } = step;
  const { requestMediaTypes, responseMediaTypes } = operationTable[operationId];
  const { mediaType = requestMediaTypes[0], fields } = step.call(pretended);
  const { format } = readAskedAudio({ text: '', ...asObject(fields) }) ?? { format: 'mp3' as const };
  const answers = operationId === 'createSpeech' ? [audioMediaTypes[format]] : responseMediaTypes;
  const gaps = (what: Uncovered['what'], types: readonly string[]) =>
    types.map((type): Uncovered => ({ operationId, what, mediaType: type }));
  return [
    { operationId, what: 'operation' },
    ...gaps('request-media-type', mediaType === undefined ? [] : [mediaType]),
    ...gaps('response-media-type', answers),
  ];
}
