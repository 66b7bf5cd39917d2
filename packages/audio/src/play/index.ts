import { createPlayerOn } from './create-player.ts';
import { browserPlatform } from './platform.ts';
import type { PlayerOptions, SpeechPlayer } from './types.ts';

export type { DecodedSamples, PlayerEventName, PlayerOptions, PlayerState, SpeechPlayer } from './types.ts';

/**
 * Plays speech in a browser while it arrives. wav and pcm are played directly, mp3 and opus through WebCodecs; where a
 * browser can not decode them piece by piece, sound begins after `end()`.
 *
 * Call it in the handler of a click, so that the browser lets sound begin.
 *
 * @example
 * ```ts
 * const player = createPlayer({ format: 'opus' });
 * for await (const bytes of audio) await player.write(bytes);
 * await player.end();
 * await player.finished;
 * ```
 */
export function createPlayer(options: PlayerOptions): SpeechPlayer {
  return createPlayerOn(browserPlatform(), options);
}
