import { createPlayer } from '@speech-api/audio/play';
import { Stage } from '../playground/text/stage.ts';
import { beginSound } from './one-sound.ts';
import { type HereSettings, sampleRate, speakHere } from './speak-here.ts';

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Recitation {
  readonly text: string;
  /** Address of the engine's files, with a slash at the end. */
  readonly folder: string;
  /** The element in which the text is shown and its words are lit. */
  readonly stage: HTMLElement;
  readonly stopped: AbortController;
  readonly settings?: HereSettings;
  /** Called when the first sound is heard. */
  started(): void;
  /** Called when audio is there, yet nothing sounds: the machine may have no audio device. */
  silent?(): void;
}

/** Audio that waits for so long to be heard has no device to sound on. */
const silenceMilliseconds = 4000;

/** What was said, when all of it is there: `recited` events have it. The audio is pcm of {@link sampleRate}. */
export interface Recited {
  readonly words: readonly Word[];
  readonly audio: readonly Uint8Array[];
}

/** Speaks a text in the page and lights each word while it is heard. Resolves when all of it was heard. */
export async function recite({
  text,
  folder,
  stage,
  stopped,
  settings = {},
  started,
  silent,
}: Recitation): Promise<void> {
  const { signal } = stopped;
  beginSound(() => stopped.abort());
  const view = new Stage(stage, () => {});
  view.show([{ text, root: stage }]);
  const player = createPlayer({ format: 'pcm', sampleRate });
  const words: (readonly Word[])[] = [];
  const audio: Uint8Array[] = [];
  let placed: readonly Word[] = [];
  let isHeard = false;
  let waitingSince: number | undefined;
  const frame = (): void => {
    if (signal.aborted || player.state === 'ended' || player.state === 'stopped') {
      view.light(-1);
      return;
    }
    const known = words.flat();
    if (known.length !== placed.length) {
      placed = known;
      view.place(known);
    }
    if (!isHeard && player.currentTime > 0) {
      isHeard = true;
      started();
    } else if (
      !isHeard &&
      waitingSince !== undefined &&
      performance.now() - waitingSince > silenceMilliseconds
    ) {
      waitingSince = undefined;
      silent?.();
    }
    const position = player.currentTime;
    view.light(placed.findLastIndex(({ start, end }) => start <= position && position < end));
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const stop = (): void => void player.stop();
  signal.addEventListener('abort', stop);
  try {
    for await (const piece of speakHere(text, folder, signal, settings)) {
      const { alignment, chunk_seq: chunk, chunk_audio_offset_sec: offset } = piece;
      if (alignment !== null) {
        words[chunk] = alignment.segments.map(({ text, start, end }) => ({
          text,
          start: start + offset,
          end: end + offset,
        }));
      }
      audio.push(piece.audio);
      waitingSince ??= performance.now();
      await player.write(new Uint8Array(piece.audio));
    }
    const detail: Recited = { words: words.flat(), audio };
    stage.dispatchEvent(new CustomEvent('recited', { detail, bubbles: true }));
    await player.end();
    await player.finished;
  } finally {
    signal.removeEventListener('abort', stop);
    view.light(-1);
    await player.stop();
  }
}
