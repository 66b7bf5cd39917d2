import type { OperationId } from '@speech-api/types';
import type { Scenario } from '../step.ts';
import { addresses, keys, wallets } from './every-operation.ts';
import { lists } from './lists.ts';
import { live } from './live.ts';
import { inlineVoices, speechEncodings, speechFormats, speechLong } from './speech.ts';
import { rules, speechRefusals } from './speech-refusals.ts';
import { stream } from './stream.ts';
import { transcription } from './transcription.ts';
import { voiceReads, voiceRefusals } from './voice-calls.ts';
import { voiceLives } from './voice-lives.ts';

/** All scenarios, in the order in which a run plays them. */
export const scenarios: readonly Scenario[] = [
  ...speechEncodings,
  ...speechFormats,
  ...speechLong,
  ...speechRefusals,
  ...rules,
  ...inlineVoices,
  ...stream,
  ...live,
  ...transcription,
  ...voiceLives,
  ...voiceReads,
  ...voiceRefusals,
  ...lists,
  ...wallets,
  ...addresses,
  ...keys,
];

/** The operations that a scenario calls. */
export function operationsOf(scenario: Scenario): OperationId[] {
  return [
    ...new Set(scenario.steps.map((step) => (step.kind === 'live' ? 'openLiveSession' : step.operationId))),
  ];
}
