import { SpeechError } from './speech-error.ts';

/** What a refused request is about. */
export interface RequestErrorContext {
  /** The field at fault, as it is named on the wire: `sample_rate`, `prosody.speed`, or `model` for the header. */
  readonly field: string;
  /** The id of the rule of the specification that is broken, where there is one. */
  readonly rule?: string | undefined;
}

/** The request cannot succeed, so it was refused here: nothing was sent and nothing is billed. */
export class RequestError extends SpeechError {
  static override readonly kind: string = 'RequestError';
  declare readonly name: 'RequestError';

  /** The field at fault, as it is named on the wire: `sample_rate`, `prosody.speed`, or `model` for the header. */
  readonly field: string;
  /** The id of the rule of the specification that is broken, where there is one. */
  readonly rule: string | undefined;

  constructor(message: string, context: RequestErrorContext) {
    super(message);
    this.field = context.field;
    this.rule = context.rule;
  }
}
