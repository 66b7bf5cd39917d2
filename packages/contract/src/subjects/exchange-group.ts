import type { Answer } from '../answer/answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { GroupMembership, Relation } from '../exchange/group.ts';

/** Answers that belong together. */
export interface ExchangeGroup {
  readonly id: string;
  readonly relation: Relation;
  /** The service says that it gives the same audio for the same request. */
  readonly isDeterministic: boolean;
  /** In the order of the exchanges. */
  readonly members: readonly GroupMember[];
}

export interface GroupMember {
  readonly exchange: Exchange;
  readonly membership: GroupMembership;
  readonly status: number;
  readonly mediaType: string;
  /** What was said, for comparing shapes: a body, the events of a stream, the facts of audio, the kinds of live messages. */
  readonly said: unknown;
  /** Of generated audio. */
  readonly fingerprint?: string;
  /** Left out for a live session. */
  readonly answer?: Answer;
}
