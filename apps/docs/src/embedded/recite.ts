import { openPlayer } from '@speech-api/audio/player';
import { Timeline } from '@speech-api/streaming';
import { Stage } from '../playground/text/stage.ts';
import { beginSound } from './one-sound.ts';
import { type HereSettings, sampleRate, speakHere } from './speak-here.ts';

export interface Recitation {
  readonly text: string;
  readonly folder: string;
  /** The element in which the text is shown and its words are lit. */
  readonly stage: HTMLElement;
  readonly stopped: AbortController;
  readonly settings?: HereSettings;
  started(): void;
  /** Called when audio is there, yet nothing sounds: the machine may have no audio device. */
  silent(): void;
}

/** Audio that waits for so long to be heard has no device to sound on. */
const silenceMilliseconds = 4000;

/** Speaks a text in the page and lights each word while it is heard. Resolves when all of it was heard. */
export async function recite(recitation: Recitation): Promise<void> {
  const { text, folder, stage, stopped, settings = {}, started, silent } = recitation;
  const { signal } = stopped;
  beginSound(() => stopped.abort());
  const view = new Stage(stage, () => {});
  view.show(text);
  const timeline = new Timeline();
  const player = openPlayer('pcm', { sampleRate });
  let placed: readonly unknown[] = [];
  let isHeard = false;
  const frame = (): void => {
    const position = player.playedMilliseconds / 1000;
    if (timeline.segments !== placed) view.place(timeline.segments);
    placed = timeline.segments;
    if (!isHeard && position > 0) {
      isHeard = true;
      started();
    }
    view.light(timeline.indexAt(position));
    next = requestAnimationFrame(frame);
  };
  let next = requestAnimationFrame(frame);
  let doubt: ReturnType<typeof setTimeout> | undefined;

  async function* spoken(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of speakHere(text, folder, signal, settings)) {
      if (piece.alignment !== null)
        timeline.apply({ type: 'alignment-update', ...piece, alignment: piece.alignment });
      doubt ??= setTimeout(() => isHeard || silent(), silenceMilliseconds);
      yield new Uint8Array(piece.audio);
    }
  }

  const stop = (): void => void player.stop();
  signal.addEventListener('abort', stop);
  try {
    await player.play(spoken());
    await player.drained;
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(doubt);
    cancelAnimationFrame(next);
    view.light(-1);
    await player.close();
  }
}
