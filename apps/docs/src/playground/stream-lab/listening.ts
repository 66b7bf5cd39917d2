import { createPlayer, type SpeechPlayer } from '@speech-api/audio/play';
import type { LabAudio } from './replay.ts';

/** Plays what has arrived up to an event. */
export class Listening {
  readonly #moved: (seconds: number | undefined) => void;
  #player: SpeechPlayer | undefined;

  /** @param moved called with the second that is heard, once a frame; undefined when it is silent again */
  constructor(moved: (seconds: number | undefined) => void) {
    this.#moved = moved;
  }

  get isPlaying(): boolean {
    return this.#player !== undefined;
  }

  /** Call it from a click or a key press. */
  async play(bytes: Uint8Array, audio: LabAudio, from: number): Promise<void> {
    this.stop();
    const player = createPlayer({ ...audio, seekable: true, bufferSeconds: Number.POSITIVE_INFINITY });
    this.#player = player;
    const frame = () => {
      if (this.#player !== player) return;
      this.#moved(player.currentTime);
      requestAnimationFrame(frame);
    };
    player.addEventListener('ended', () => this.#player === player && this.stop());
    await player.write(bytes);
    await player.end();
    if (from > 0) await player.seek(from);
    frame();
  }

  stop(): void {
    const player = this.#player;
    this.#player = undefined;
    void player?.stop();
    this.#moved(undefined);
  }
}
