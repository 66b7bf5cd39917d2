import { find } from '../page/page.ts';
import type { SessionFigures } from './session.ts';
import { countWords } from './typing.ts';

/** The bar is full with this many seconds ahead: text waits beyond this. */
const fullSeconds = 4;

const states: Record<SessionFigures['state'], string> = {
  connecting: 'connecting …',
  speaking: 'open, speaking',
  ready: 'open, ready',
  closed: 'closed; opens with the next text',
};

/** The figures of a session and the marks below its text. */
export class LiveView {
  readonly #root: HTMLElement;
  readonly #marks: HTMLElement;
  /** The figures before there is a session. */
  readonly #starts: readonly (readonly [name: string, text: string])[];
  /** End of the sent text; the rest of the text handed to the session waits for its clause to end. */
  #sent = 0;
  /** Stretches of the text that were cut off. */
  #cutOff: { from: number; to: number }[] = [];
  #drawn = '';

  constructor(root: HTMLElement) {
    this.#root = root;
    this.#marks = find(root, '[data-marks]');
    const figures = root.querySelectorAll<HTMLElement>('[data-figure]');
    this.#starts = [...figures].map((figure) => [figure.dataset.figure ?? '', figure.textContent.trim()]);
  }

  clear(): void {
    this.#sent = 0;
    this.#cutOff = [];
    this.mark('', 0);
    for (const [name, start] of this.#starts) this.figure(name, start);
  }

  show(figures: SessionFigures, text: string): void {
    const { state, metrics, from, characters, bytes, heardSeconds, waitingSeconds, underruns } = figures;
    this.#sent = from + [...text.slice(from)].slice(0, metrics?.characters ?? 0).join('').length;
    this.figure('state', states[state]);
    const first = metrics?.firstAudioMilliseconds;
    const socket = metrics?.connectionReused ? 'same socket' : 'new socket';
    this.figure('first', first === undefined ? '–' : `${Math.round(first)} ms, ${socket}`);
    this.figure('sent', `${countWords(text.slice(0, this.#sent))} words, ${characters} characters`);
    this.figure('arrived', `${Math.round(bytes / 1000).toLocaleString('en')} kB`);
    const gaps = underruns === 0 ? '' : `, ${underruns} ${underruns === 1 ? 'gap' : 'gaps'}`;
    if (heardSeconds > 0) this.figure('heard', `${heardSeconds.toFixed(1)} s${gaps}`);
    this.figure('waiting', `${waitingSeconds.toFixed(1)} s`);
    find(this.#root, '[data-flow]').style.setProperty('--ahead', (waitingSeconds / fullSeconds).toFixed(3));
  }

  /** Of the text from here on nothing was heard, up to what had been handed over. */
  cutOff(from: number, to: number): void {
    this.#cutOff.push({ from, to });
  }

  /** Draws below the text what was sent, what waits and what was cut off. */
  mark(text: string, handed: number): void {
    const kindAt = (index: number): string => {
      if (this.#cutOff.some(({ from, to }) => from <= index && index < to)) return 'unheard';
      if (index >= handed) return '';
      return index < this.#sent ? 'sent' : 'waiting';
    };
    const pieces: { kind: string; text: string }[] = [];
    for (const [index, character] of text.split('').entries()) {
      const kind = kindAt(index);
      const last = pieces.at(-1);
      // The sent text may end inside the cut-off text, which stays one piece.
      if (last?.kind === kind) last.text += character;
      else pieces.push({ kind, text: character });
    }
    const drawn = JSON.stringify(pieces);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const spans = pieces.map((piece) => {
      const span = document.createElement('span');
      span.dataset.mark = piece.kind;
      span.textContent = piece.text;
      return span;
    });
    // The line break keeps the last line open, as the field does.
    this.#marks.replaceChildren(...spans, '\n');
  }

  figure(name: string, text: string): void {
    const figure = find(this.#root, `[data-figure="${name}"]`);
    if (figure.textContent !== text) figure.textContent = text;
  }
}
