import type { Replay, Step } from './steps.ts';

/** What a step does, in a sentence or two: for the eye, and to be read out. */
export function describeStep(step: Step, number: number, secondsOf: (bytes: number) => string): string {
  const { audio, effect, before, wire } = step;
  const added = `Event ${number} adds ${audio.length.toLocaleString('en')} bytes of audio${secondsOf(audio.length)}.`;
  return [added, effectText(), ...step.remarks].join(' ');

  function effectText(): string {
    const chunk = `chunk ${wire.chunk_seq}`;
    const count = wire.alignment?.segments.length ?? 0;
    switch (effect) {
      case 'none-yet':
        return `Its alignment is null: there is no snapshot of ${chunk} yet.`;
      case 'first':
        return `It brings the first snapshot of ${chunk}, with ${segments(count)}.`;
      case 'replaced':
        return `Its snapshot replaces that of ${chunk}: ${segments(before?.segments.length ?? 0)} before, ${count} now. Nothing is appended.`;
      case 'repeated':
        return `It repeats the snapshot of ${chunk}: it is replaced by an identical one.`;
      case 'unchanged-by-null':
        return `Its alignment is null: the snapshot of ${chunk} stays as it is.`;
    }
  }
}

/** What the end of a stream means. */
export function describeEnding({ steps, ending }: Replay): string {
  const events = `${steps.length} ${steps.length === 1 ? 'event' : 'events'}`;
  if (ending.kind === 'clean') return `The body ended cleanly after ${events}: all of it has arrived.`;
  return `${ending.message}. What the ${events} brought is kept and can be heard; the stream is reported as broken, never as complete.`;
}

function segments(count: number): string {
  return `${count} ${count === 1 ? 'segment' : 'segments'}`;
}
