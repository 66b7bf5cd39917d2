import { openPlayer } from '@speech-api/audio/player';
import { type SpeechEvent, Timeline } from '@speech-api/streaming';
import type { AudioFormat } from '@speech-api/types';
import { Stage } from '../playground/text/stage.ts';

/** How audio is played, and who hears of it. */
export interface Sound {
  readonly format: AudioFormat;
  readonly sampleRate?: number | undefined;
  /** Called once a frame with the seconds that were heard, and with undefined at the end. */
  readonly draw?: ((seconds: number | undefined) => void) | undefined;
  /** Called when the first sound is heard. */
  readonly started?: () => void;
  /** Called with a sentence when audio waits and no sound comes out. */
  readonly silent: (sentence: string) => void;
}

/** The audio of events, and what lights each of its words while it is heard. */
export function lightWords(events: AsyncIterable<SpeechEvent>, text: string, root: HTMLElement) {
  const stage = new Stage(root);
  const timeline = new Timeline();
  stage.show(text);
  async function* audioOf(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
    for await (const event of events) {
      timeline.apply(event);
      if (event.type === 'audio-chunk') yield event.audio;
    }
  }
  const draw = (seconds: number | undefined): void =>
    stage.draw(timeline.segments, seconds === undefined ? -1 : timeline.indexAt(seconds));
  return { audio: audioOf(), draw };
}

/** Plays audio while it arrives. Resolves when it was heard to its end, or at a stop. */
export async function play(
  audio: AsyncIterable<Uint8Array>,
  sound: Sound,
  signal: AbortSignal,
): Promise<void> {
  const { format, sampleRate, draw, started, silent } = sound;
  const player = openPlayer(format, {
    ...(sampleRate && { sampleRate }),
    onSilence: () =>
      silent('No sound comes out: the browser waits for a click, or there is no sound device.'),
  });
  let isHeard = false;
  const stop = () => void player.stop();
  let frame = requestAnimationFrame(function next() {
    const seconds = player.playedMilliseconds / 1000;
    if (seconds > 0 && !isHeard) started?.();
    isHeard ||= seconds > 0;
    draw?.(seconds);
    frame = requestAnimationFrame(next);
  });
  signal.addEventListener('abort', stop);
  try {
    // What arrived before a failure is heard, too.
    await player.play(audio).finally(() => player.drained);
  } finally {
    signal.removeEventListener('abort', stop);
    cancelAnimationFrame(frame);
    draw?.(undefined);
    await player.close();
  }
}
