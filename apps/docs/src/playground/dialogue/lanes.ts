import { offerVoices, type Voice } from '../connection/voices.ts';
import { find, fromTemplate } from '../page/page.ts';
import { mostSpeakers } from './script.ts';

/** The heads of the lanes, one per speaker, with the voice and the button for another line. */
export class Lanes {
  readonly #list: HTMLElement;
  readonly #template: HTMLTemplateElement;
  readonly #add: HTMLButtonElement;
  #voices: readonly Voice[] = [];

  constructor(island: HTMLElement) {
    this.#list = find(island, '[data-speakers]');
    this.#template = find(island, '[data-speaker-template]');
    this.#add = find(island, '[data-add-speaker]');
  }

  get count(): number {
    return this.#list.children.length;
  }

  get voices(): string[] {
    return this.#selects().map(({ value }) => value);
  }

  /** Adds a speaker. @returns the field for its voice */
  add(): HTMLElement {
    const taken = this.voices;
    const lane = fromTemplate(this.#template);
    this.#list.append(lane);
    const select = find<HTMLSelectElement>(lane, 'select');
    // Until the service has listed its voices, the list shows those of the sandbox.
    if (this.#voices.length > 0) offerVoices(select, this.#voices);
    select.value = this.#freeVoice(taken) ?? select.value;
    this.reflect();
    return select;
  }

  remove(speaker: number): void {
    this.#list.children[speaker]?.remove();
    this.reflect();
  }

  /** Offers the voices that the service listed. */
  offer(voices: readonly Voice[]): void {
    if (voices.length === 0) return;
    this.#voices = voices;
    this.#selects().forEach((select, speaker) => {
      const { kept } = offerVoices(select, voices);
      if (!kept) select.value = voices[speaker % voices.length]?.id ?? select.value;
    });
  }

  /** Which speaker an element belongs to; -1 for none. */
  speakerOf(element: Element): number {
    const lane = element.closest('[data-lane]');
    return lane === null ? -1 : [...this.#list.children].indexOf(lane);
  }

  /** Lights the lane of who speaks; -1 darkens all. */
  light(speaker: number): void {
    [...this.#list.children].forEach((lane, index) => {
      lane.toggleAttribute('data-lit', index === speaker);
    });
  }

  /** The field for the voice of a speaker. */
  fieldOf(speaker: number): HTMLElement {
    return this.#selects()[speaker] ?? this.#add;
  }

  reflect(): void {
    [...this.#list.children].forEach((lane, speaker) => {
      find(lane, '[data-lane-name]').textContent = `Speaker ${speaker}`;
      find(lane, 'select').setAttribute('aria-label', `Voice of speaker ${speaker}`);
      const remove = find<HTMLButtonElement>(lane, '[data-remove-speaker]');
      remove.setAttribute('aria-label', `Remove speaker ${speaker} and its lines`);
      remove.title = 'Remove with its lines';
      remove.disabled = this.count === 1;
      find(lane, '[data-add-line]').setAttribute('aria-label', `Add a line of speaker ${speaker}`);
    });
    this.#add.disabled = this.count >= mostSpeakers;
  }

  /** A voice that nobody has yet, of the language of the first speaker if there is one. */
  #freeVoice(taken: readonly string[]): string | undefined {
    const first = this.#voices.find(({ id }) => id === taken[0]);
    const free = this.#voices.filter(({ id }) => !taken.includes(id));
    const alike = free.find(({ languages }) =>
      languages.some((language) => first?.languages.includes(language)),
    );
    return (alike ?? free[0])?.id;
  }

  #selects(): HTMLSelectElement[] {
    return [...this.#list.querySelectorAll('select')];
  }
}

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
