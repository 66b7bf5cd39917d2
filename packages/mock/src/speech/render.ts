import type { Sound } from '../audio/sound.ts';
import type { Script, Step } from './script.ts';

/** A step with its audio. */
export interface Piece {
  readonly step: Step;
  readonly audio: Uint8Array;
}

/** Gives each step of a script its audio, one at a time: what nobody asks for is never made. */
export function* render({ steps, ending }: Script, sound: Sound): Generator<Piece> {
  let held: Step | undefined;
  for (const step of steps) {
    if (held !== undefined) yield { step: held, audio: sound.until(held.audioUntil) };
    held = step;
  }
  if (held === undefined) return;
  const { audioUntil } = held;
  yield { step: held, audio: ending === 'broken' ? sound.until(audioUntil) : sound.finish(audioUntil) };
}
