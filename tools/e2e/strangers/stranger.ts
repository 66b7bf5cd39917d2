import type { Behaviour } from './proxy.ts';

/** A server by somebody else. Written from the interface alone, before a rule of the judge was read. */
export interface Stranger {
  readonly id: string;
  /** What it does, in one sentence. */
  readonly does: string;
  /** The sentence of the interface that it breaks, or whose freedom it uses. */
  readonly sentence: string;
  /** Whether the interface says so, or only public or assumed knowledge. */
  readonly rests: 'stated' | 'public' | 'assumed';
  /** A new one for each run: it may remember. */
  readonly behave: () => Behaviour;
}
