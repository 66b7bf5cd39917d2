import type { SpeechEvent } from '@speech-api/streaming';
import { find } from '../playground/page/page.ts';

type WireEvent = Extract<SpeechEvent, { type: 'audio-chunk' }>['wire'];

/** More rows than anybody reads; a long text goes on without them. */
const maximumRows = 400;

/** The events of a stream as they came: a line each, and the payload for whoever opens it. */
export class EventLog {
  readonly #list: HTMLElement;
  readonly #more: HTMLElement;
  #count = 0;

  constructor(island: HTMLElement) {
    this.#list = find(island, '[data-events]');
    this.#more = find(island, '[data-more-events]');
  }

  clear(): void {
    this.#count = 0;
    this.#list.replaceChildren();
    this.#more.textContent = 'Nothing has arrived yet.';
  }

  add(bytes: number, event: WireEvent): void {
    this.#count += 1;
    const rest = this.#count - maximumRows;
    this.#more.textContent = rest > 0 ? `${rest} further events are not listed.` : '';
    if (rest > 0) return;
    const details = document.createElement('details');
    const summary = document.createElement('summary');
    const pieces = {
      'event-number': `#${this.#count}`,
      'event-bytes': `${bytes.toLocaleString('en')} B`,
      'event-what': describe(event),
    };
    for (const [className, text] of Object.entries(pieces)) {
      const piece = document.createElement('span');
      piece.className = className;
      piece.textContent = text;
      summary.append(piece, ' ');
    }
    details.append(summary);
    details.addEventListener('toggle', () => {
      if (details.childElementCount > 1) return;
      const payload = document.createElement('pre');
      payload.textContent = writePayload(event);
      details.append(payload);
    });
    const row = document.createElement('li');
    row.append(details);
    this.#list.append(row);
  }
}

function describe({ chunk_seq, alignment }: WireEvent): string {
  if (alignment === null) return `chunk ${chunk_seq}, no alignment`;
  const { length } = alignment.segments;
  return `chunk ${chunk_seq}, ${length} ${length === 1 ? 'segment' : 'segments'}`;
}

/** Characters of the audio that are shown: enough to see that it is base64. */
const shownCharacters = 24;

/** The payload of an event as JSON, the audio shortened and each segment on a line. */
function writePayload(payload: object): string {
  const text = JSON.stringify(
    payload,
    (name, value: unknown) =>
      name === 'audio_base64' && typeof value === 'string' && value.length > shownCharacters
        ? `${value.slice(0, shownCharacters)}… (${value.length} characters)`
        : value,
    2,
  );
  return text.replace(
    /\{\s+"text": ("(?:[^"\\]|\\.)*"),\s+"start": (\S+),\s+"end": (\S+)\s+\}/g,
    '{ "text": $1, "start": $2, "end": $3 }',
  );
}
