import type { OperationId } from '@speech-api/types';
import type { Language } from './samples.ts';

interface MissingSample {
  readonly operationId: OperationId;
  readonly language: Language;
  readonly reason: string;
}

/** Samples that there cannot be, and why. */
export const missingSamples: readonly MissingSample[] = [
  {
    operationId: 'openLiveSession',
    language: 'curl',
    reason: 'curl sends no MessagePack frames over a WebSocket',
  },
  { operationId: 'openLiveSession', language: 'python', reason: 'requests opens no WebSocket' },
];
