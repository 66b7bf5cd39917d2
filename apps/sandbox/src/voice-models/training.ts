import type { VoiceModelState } from '@speech-api/types';

/**
 * How a voice model is trained. Its state follows from the clock alone, so that it goes on while the sandbox is not
 * running. Unix times in milliseconds.
 */
export interface Training {
  readonly starts_at: number;
  readonly ends_at: number;
  readonly outcome: Extract<VoiceModelState, 'trained' | 'failed'>;
}

/** How much of the whole time a voice model waits before its training starts. */
const waitingShare = 0.25;

/** Plans a training. */
export function planTraining(
  createdAt: number,
  milliseconds: number,
  outcome: Training['outcome'],
): Training {
  return {
    starts_at: createdAt + Math.round(milliseconds * waitingShare),
    ends_at: createdAt + milliseconds,
    outcome,
  };
}

/** The state at a time, and since when it holds: `created`, then `training`, then `trained` or `failed`. */
export function stateAt(
  training: Training,
  createdAt: number,
  now: number,
): { readonly state: VoiceModelState; readonly since: number } {
  if (now >= training.ends_at) return { state: training.outcome, since: training.ends_at };
  if (now >= training.starts_at) return { state: 'training', since: training.starts_at };
  return { state: 'created', since: createdAt };
}
