import { SpeechError } from './speech-error.ts';

/** What was waited for: response headers, the first byte of the body, its next bytes, the whole call, or a training. */
export type TimeoutPhase = 'headers' | 'firstByte' | 'idle' | 'total' | 'training';

const waitedFor: Record<TimeoutPhase, string> = {
  headers: 'no response headers',
  firstByte: 'no first byte of the body',
  idle: 'no further bytes of the body',
  total: 'no complete answer',
  training: 'no trained voice model',
};

/** A deadline passed; {@link TimeoutError.phase} tells which. The connection was closed. */
export class TimeoutError extends SpeechError {
  static override readonly kind: string = 'TimeoutError';
  declare readonly name: 'TimeoutError';

  /** What was waited for. */
  readonly phase: TimeoutPhase;
  /** The deadline that passed, in milliseconds. */
  readonly milliseconds: number;

  constructor(phase: TimeoutPhase, milliseconds: number) {
    const option = phase === 'training' ? 'deadline' : `timeouts.${phase}`;
    super(`${waitedFor[phase]} within ${milliseconds} ms; set ${option} to wait longer`);
    this.phase = phase;
    this.milliseconds = milliseconds;
  }
}
