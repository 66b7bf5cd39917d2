import type { AudioFormat } from '@speech-api/types';

/** What a client may do in one session. What is left out is not limited beyond the relay's own limits. */
export interface Grant {
  /** Whom the limits count; stays in the relay. */
  readonly user: string;
  /** The model of the session. @defaultValue the relay's */
  readonly model?: string | undefined;
  /** Ids of the voices that may speak. An empty list allows the service's default voice alone. */
  readonly voices?: readonly string[] | undefined;
  readonly formats?: readonly AudioFormat[] | undefined;
  /** Unicode code points of the session. @defaultValue `charactersPerSession` of the limits */
  readonly characters?: number | undefined;
  /** Whether samples of a voice may be sent. @defaultValue false */
  readonly references?: boolean | undefined;
}
