import { type StreamEvent, withEvents, withText } from '../change/events.ts';
import type { Kind, Topic } from '../mutant.ts';
import type { AnswerChange } from './interferences.ts';

/** One way to break a stream of events. */
export interface StreamBreak {
  /** @defaultValue 'stream' */
  readonly kind?: Kind;
  readonly words: string;
  readonly topic: Topic;
  readonly rules: readonly string[];
  readonly change: AnswerChange;
}

/** Changes the list of events. */
export const events =
  (change: (events: StreamEvent[]) => readonly unknown[]): AnswerChange =>
  (answer) =>
    withEvents(answer, change);

/** Changes the blocks of text, one an event. */
export const text =
  (change: (blocks: string[]) => readonly string[]): AnswerChange =>
  (answer) =>
    withText(answer, change);

/** Changes the event in the middle. */
export const middle = (change: (event: StreamEvent) => unknown): AnswerChange =>
  events((all) => all.map((event, index) => (index === all.length >> 1 ? change(event) : event)));

/** Changes the text of the event in the middle. */
export const middleText = (change: (block: string) => string): AnswerChange =>
  text((all) => all.map((block, index) => (index === all.length >> 1 ? change(block) : block)));
