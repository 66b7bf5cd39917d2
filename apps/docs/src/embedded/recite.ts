import { openPlayer } from '@speech-api/audio/player';
import { Timeline } from '@speech-api/streaming';
import { type AudioFormat, audioFormats } from '@speech-api/types';
import { Stage } from '../playground/text/stage.ts';
import { sampleRate, speakHere } from './speak-here.ts';
import type { HearWords } from './spoken-by.ts';

/**
 * Speaks a text in the page and lights each word while it is heard. Resolves when all of it was heard, or at a stop.
 *
 * @param started called when the first sound is heard
 */
export async function recite(
  { text, ...settings }: HearWords,
  folder: string,
  stage: HTMLElement,
  signal: AbortSignal,
  started: () => void,
): Promise<void> {
  const words = new Stage(stage);
  words.show(text);
  const timeline = new Timeline();
  async function* audio(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of speakHere(text, folder, signal, settings)) {
      const { alignment } = piece;
      if (alignment !== null) timeline.apply({ type: 'alignment-update', ...piece, alignment });
      yield new Uint8Array(piece.audio);
    }
  }
  let isHeard = false;
  await play('pcm', sampleRate, audio(), signal, (seconds) => {
    if (seconds > 0 && !isHeard) started();
    isHeard ||= seconds > 0;
    words.draw(timeline.segments, timeline.indexAt(seconds));
  });
  words.light(-1);
}

/** Plays a file of this site. Resolves when it was heard to its end, or at a stop. */
export async function playFile({ src = '', rate }: DOMStringMap, signal: AbortSignal): Promise<void> {
  async function* audio(): AsyncGenerator<Uint8Array, void, undefined> {
    const response = await fetch(src, { signal });
    if (!response.ok) throw new Error(`the file answered ${response.status}`);
    yield new Uint8Array(await response.arrayBuffer());
  }
  // A file of opus ends in .ogg.
  const format = audioFormats.find((name) => src.endsWith(`.${name}`)) ?? 'opus';
  await play(format, rate === undefined ? undefined : Number(rate), audio(), signal);
}

async function play(
  format: AudioFormat,
  rate: number | undefined,
  audio: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  draw = (_seconds: number): void => {},
): Promise<void> {
  const player = openPlayer(format, rate === undefined ? {} : { sampleRate: rate });
  const stop = () => void player.stop();
  let frame = requestAnimationFrame(function next() {
    draw(player.playedMilliseconds / 1000);
    frame = requestAnimationFrame(next);
  });
  signal.addEventListener('abort', stop);
  try {
    await player.play(audio);
    await player.drained;
  } finally {
    signal.removeEventListener('abort', stop);
    cancelAnimationFrame(frame);
    await player.close();
  }
}
