import { find } from '../page/find.ts';
import type { Ending, Snapshot, SnapshotEffect, Step } from './steps.ts';

/** What stands on the mark of a chunk after an event. */
const marks: Record<SnapshotEffect, string> = {
  'none-yet': 'no snapshot yet',
  first: 'first snapshot',
  replaced: 'replaced',
  repeated: 'repeated',
  'unchanged-by-null': 'unchanged by null',
};

/** The audio buffer and the snapshots after an event. */
export class LabView {
  readonly #buffer: HTMLElement;
  readonly #bytes: HTMLElement;
  readonly #snapshots: HTMLElement;
  readonly #choose: (event: number) => void;

  /** @param choose told of the number of the event whose audio was pressed, from 1 */
  constructor(island: HTMLElement, choose: (event: number) => void) {
    this.#buffer = find(island, '[data-buffer]');
    this.#bytes = find(island, '[data-bytes]');
    this.#snapshots = find(island, '[data-snapshots]');
    this.#choose = choose;
  }

  /**
   * Shows what there is after the first `count` events.
   *
   * @param ending shown in place of the last event's effect when the stream is over
   */
  show(steps: readonly Step[], count: number, ending: Ending | undefined): void {
    const total = steps.reduce((sum, { audio }) => sum + audio.length, 0);
    const current = steps[count - 1];
    this.#showBuffer(steps, count, total);
    const there = current === undefined ? 0 : current.bytesBefore + current.audio.length;
    this.#bytes.textContent = `${there.toLocaleString('en')} of ${total.toLocaleString('en')} bytes`;
    const cards = (current?.snapshots ?? []).map((snapshot) =>
      snapshotCard(snapshot, ending === undefined ? current : undefined),
    );
    const isMissing = current !== undefined && ending === undefined && current.effect === 'none-yet';
    if (isMissing) cards.push(emptyCard(current));
    if (cards.length === 0) cards.push(text('p', 'placeholder', 'No snapshot yet.'));
    this.#snapshots.replaceChildren(...cards);
  }

  #showBuffer(steps: readonly Step[], count: number, total: number): void {
    // The same buttons are kept, so that the one that was pressed keeps the focus.
    while (this.#buffer.children.length > steps.length) this.#buffer.lastElementChild?.remove();
    steps.forEach((step, index) => {
      const piece = this.#buffer.children[index] ?? this.#buffer.appendChild(this.#piece(index));
      const button = find(piece, 'button');
      if (piece instanceof HTMLElement) piece.style.setProperty('--part', String(step.audio.length / total));
      piece.toggleAttribute('data-arrived', index < count);
      piece.toggleAttribute('data-current', index === count - 1);
      button.setAttribute('aria-pressed', String(index === count - 1));
      button.setAttribute(
        'aria-label',
        `Event ${index + 1}, ${step.audio.length.toLocaleString('en')} bytes`,
      );
      button.textContent = String(index + 1);
    });
  }

  #piece(index: number): HTMLElement {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.addEventListener('click', () => this.#choose(index + 1));
    item.append(button);
    return item;
  }
}

function snapshotCard(snapshot: Snapshot, step: Step | undefined): HTMLElement {
  const { chunk, offset, duration, segments } = snapshot;
  const isTouched = step?.wire.chunk_seq === chunk;
  const card = document.createElement('section');
  card.className = 'snapshot';
  const head = text('div', 'snapshot-head', '');
  head.append(
    text('h3', '', `chunk ${chunk}`),
    text('span', 'snapshot-times', `from ${offset} s, ${duration} s long`),
  );
  if (isTouched && step !== undefined) {
    card.dataset.effect = step.effect;
    head.append(text('span', 'mark', marks[step.effect]));
  }
  const list = document.createElement('ol');
  const known = new Set(step?.before?.segments.map((segment) => JSON.stringify(segment)));
  for (const segment of segments) {
    const item = text('li', '', segment.text);
    const { start, end } = segment;
    item.append(text('small', '', `${seconds(start)}–${seconds(end)}`));
    const isNew = isTouched && (step?.effect === 'first' || step?.effect === 'replaced');
    if (isNew && !known.has(JSON.stringify(segment))) item.dataset.new = '';
    list.append(item);
  }
  const now = new Set(segments.map((segment) => JSON.stringify(segment)));
  for (const segment of (isTouched && step?.before?.segments) || []) {
    if (now.has(JSON.stringify(segment))) continue;
    const item = document.createElement('li');
    item.dataset.gone = '';
    item.append(text('del', '', segment.text), text('small', '', 'gone'));
    list.append(item);
  }
  card.append(head, list);
  return card;
}

function emptyCard({ wire }: Step): HTMLElement {
  const card = document.createElement('section');
  card.className = 'snapshot';
  card.dataset.effect = 'none-yet';
  const head = text('div', 'snapshot-head', '');
  head.append(text('h3', '', `chunk ${wire.chunk_seq}`), text('span', 'mark', marks['none-yet']));
  card.append(head);
  return card;
}

function text(name: string, className: string, content: string): HTMLElement {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.textContent = content;
  return element;
}

function seconds(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
