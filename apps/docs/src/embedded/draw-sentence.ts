import { find } from '../playground/page/page.ts';
import type { Recited } from './recite.ts';

/** Of the audio that the page makes: 16 bit, mono. */
const sampleRate = 22_050;
const bars = 160;

/** Draws what the page has just spoken, in place of the sentence that it begins with. */
function draw(root: HTMLElement, { words, audio }: Recited): void {
  const samples = audio.flatMap((piece) => [
    ...new Int16Array(piece.buffer, piece.byteOffset, piece.byteLength >> 1),
  ]);
  const seconds = samples.length / sampleRate;
  if (seconds === 0) return;
  const size = Math.ceil(samples.length / bars);
  const peaks = Array.from({ length: bars }, (_, bar) =>
    samples.slice(bar * size, (bar + 1) * size).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
  );
  const highest = Math.max(...peaks, 1);
  const drawn = find(root, '.bars');
  drawn.style.setProperty('--count', String(bars));
  drawn.replaceChildren(
    ...peaks.map((peak) => {
      const bar = document.createElement('i');
      bar.style.setProperty('--height', String(Math.max(peak / highest, 0.03)));
      return bar;
    }),
  );
  find(root, '.words').replaceChildren(
    ...words.map(({ text, start }) => {
      const place = document.createElement('span');
      const [word, time] = [document.createElement('b'), document.createElement('small')];
      place.style.setProperty('--left', `${((start / seconds) * 100).toFixed(2)}%`);
      word.textContent = text;
      time.textContent = start.toFixed(2);
      place.append(word, time);
      return place;
    }),
  );
  find(root, '[data-seconds]').textContent = `${seconds.toFixed(1)} s`;
}

addEventListener('recited', (event) => {
  const drawing = document.querySelector<HTMLElement>('[data-drawing]');
  const { target } = event;
  // Only what the form above it spoke, and only as much as fits.
  if (drawing === null || !(target instanceof Element) || target.closest('hero-speech') === null) return;
  const { detail } = event as CustomEvent<Recited>;
  if (detail.words.length <= 16) draw(drawing, detail);
});
