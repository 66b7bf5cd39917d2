import type { OperationId } from '@speech-api/types';
import type { Scenario } from '../step.ts';
import { addresses } from './addresses.ts';
import { inlineVoices } from './inline-voices.ts';
import { keys } from './keys.ts';
import { lists } from './lists.ts';
import { live } from './live.ts';
import { rules } from './rules.ts';
import { speechEncodings } from './speech-encodings.ts';
import { speechFormats } from './speech-formats.ts';
import { speechLong } from './speech-long.ts';
import { speechRefusals } from './speech-refusals.ts';
import { stream } from './stream.ts';
import { transcription } from './transcription.ts';
import { voiceLives } from './voice-lives.ts';
import { voiceReads } from './voice-reads.ts';
import { voiceRefusals } from './voice-refusals.ts';
import { wallets } from './wallet.ts';

/** Everything that is always the same; what is generated comes beside it. */
export const writtenScenarios: readonly Scenario[] = [
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
  ...keys,
  ...addresses,
];

/** The operations that a scenario calls. */
export function operationsOf(scenario: Scenario): OperationId[] {
  return [
    ...new Set(scenario.steps.map((step) => (step.kind === 'live' ? 'openLiveSession' : step.operationId))),
  ];
}
