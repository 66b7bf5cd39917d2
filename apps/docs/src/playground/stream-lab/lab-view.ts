import { defaultSandboxUrl } from '../connection/connection.ts';
import { keyVariable } from '../evidence/evidence.ts';
import { literal, sandboxKey, writeCurl } from '../evidence/write-code.ts';
import { find } from '../page/page.ts';
import type { Ending, Replay, Snapshot, SnapshotEffect, Step, Transcript } from './replay.ts';

/** What a step does, in a sentence or two: for the eye, and to be read out. */
export function describeStep(step: Step, number: number, secondsOf: (bytes: number) => string): string {
  const { audio, effect, before, wire } = step;
  const added = `Event ${number} adds ${audio.length.toLocaleString('en')} bytes of audio${secondsOf(audio.length)}.`;
  return [added, effectText(), ...step.remarks].join(' ');

  function effectText(): string {
    const chunk = `chunk ${wire.chunk_seq}`;
    const count = wire.alignment?.segments.length ?? 0;
    switch (effect) {
      case 'none-yet':
        return `Its alignment is null: there is no snapshot of ${chunk} yet.`;
      case 'first':
        return `It brings the first snapshot of ${chunk}, with ${segments(count)}.`;
      case 'replaced':
        return `Its snapshot replaces that of ${chunk}: ${segments(before?.segments.length ?? 0)} before, ${count} now. Nothing is appended.`;
      case 'repeated':
        return `It repeats the snapshot of ${chunk}: it is replaced by an identical one.`;
      case 'unchanged-by-null':
        return `Its alignment is null: the snapshot of ${chunk} stays as it is.`;
    }
  }
}

/** What the end of a stream means. */
export function describeEnding({ steps, ending }: Replay): string {
  const events = `${steps.length} ${steps.length === 1 ? 'event' : 'events'}`;
  if (ending.kind === 'clean') return `The body ended cleanly after ${events}: all of it has arrived.`;
  return `${ending.message}. What the ${events} brought is kept and can be heard; the stream is reported as broken, never as complete.`;
}

function segments(count: number): string {
  return `${count} ${count === 1 ? 'segment' : 'segments'}`;
}

/** The label on the mark of a chunk after an event. */
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

  /** @param choose called with the number of the event whose audio was pressed, from 1 */
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
    text('span', 'snapshot-times', `from ${seconds(offset)} s, ${seconds(duration)} s long`),
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

/** The program that replays a transcript up to an event, as the lab does. */
export function writeReplaying(address: string, events: number, isBroken: boolean): string {
  const cut = isBroken ? `\n  throw new Error('the connection was closed');` : '';
  return `import { readSpeechEvents, Timeline } from '@speech-api/streaming';

const file = await (await fetch(${literal(address)})).text();
const lines: unknown[] = file.trim().split('\\n').map((line) => JSON.parse(line));

async function* body() {
  for (const line of lines) {
    if (Array.isArray(line)) yield Uint8Array.from(atob(line[1]), (byte) => byte.charCodeAt(0));
  }${cut}
}

const timeline = new Timeline();
let events = 0;
let bytes = 0;
for await (const event of readSpeechEvents(body())) {
  // The audio of the event after these belongs to what is not shown yet.
  if (event.type === 'audio-chunk' && events === ${events}) break;
  timeline.apply(event);
  if (event.type !== 'audio-chunk') continue;
  events += 1;
  bytes += event.audio.length;
}
console.log(bytes, timeline.chunks, timeline.segments);`;
}

/** Where the recording is, and the call that it answers. */
export function writeLabCommands(address: string, { request }: Transcript): string {
  const call = {
    method: request.method,
    url: `${defaultSandboxUrl}${request.path}`,
    headers: [['authorization', `Bearer ${keyVariable}`] as const, ...Object.entries(request.headers)],
    body: JSON.stringify(request.body),
  };
  return `# The recording that is replayed
curl --silent ${address}

# The call that it answers
${writeCurl(call, sandboxKey)}`;
}
