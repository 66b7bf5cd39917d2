import { find } from '../page/find.ts';

/** One line of the dialogue on the page: who says it, what is said, and the buttons to move and remove it. */
export class LineCard {
  readonly element: HTMLElement;
  readonly text: HTMLTextAreaElement;
  /** Where its words are shown while they are heard. */
  readonly words: HTMLElement;
  readonly #speaker: HTMLSelectElement;

  constructor(element: HTMLElement) {
    this.element = element;
    this.text = find(element, 'textarea');
    this.words = find(element, '[data-line-words]');
    this.#speaker = find(element, '[data-line-speaker]');
  }

  get speaker(): number {
    return Number(this.#speaker.value);
  }

  set speaker(speaker: number) {
    const option = this.#speaker.options[speaker];
    if (option === undefined) this.#speaker.append(new Option(`Speaker ${speaker}`, String(speaker)));
    this.#speaker.value = String(speaker);
  }

  /** Writes what depends on its place and on who there is to speak. */
  reflect(place: number, count: number, speakers: number): void {
    const chosen = Math.min(this.speaker, speakers - 1);
    if (this.#speaker.options.length !== speakers) {
      this.#speaker.replaceChildren(
        ...Array.from({ length: speakers }, (_, index) => new Option(`Speaker ${index}`, String(index))),
      );
    }
    this.#speaker.value = String(chosen);
    const name = `line ${place + 1}`;
    this.element.style.setProperty('--lane', String(chosen));
    this.element.style.setProperty('--row-of-line', String(place + 1));
    this.#speaker.setAttribute('aria-label', `Speaker of ${name}`);
    this.text.setAttribute('aria-label', `What speaker ${chosen} says, ${name}`);
    const tools = { up: `Move ${name} up`, down: `Move ${name} down`, remove: `Remove ${name}` };
    for (const [tool, label] of Object.entries(tools)) {
      this.button(tool).setAttribute('aria-label', label);
      this.button(tool).title = label;
    }
    this.button('up').disabled = place === 0;
    this.button('down').disabled = place === count - 1;
    this.button('remove').disabled = count === 1;
  }

  button(tool: string): HTMLButtonElement {
    return find(this.element, `[data-tool="${tool}"]`);
  }
}
