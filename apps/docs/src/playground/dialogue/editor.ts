import { find, fromTemplate } from '../page/page.ts';
import type { Lanes } from './lanes.ts';
import { LineCard } from './lanes.ts';
import type { DialogueScript } from './script.ts';

/** The script on the page: lanes for the speakers, cards for the lines. Where the focus would be lost, it is led on. */
export class DialogueEditor {
  readonly lanes: Lanes;
  readonly #island: HTMLElement;
  readonly #list: HTMLElement;
  readonly #template: HTMLTemplateElement;
  readonly #changed: (said: string) => void;
  #cards: LineCard[] = [];

  /** @param changed called with each change, in words where a reader who cannot see it should hear of it */
  constructor(island: HTMLElement, lanes: Lanes, changed: (said: string) => void) {
    this.#island = island;
    this.lanes = lanes;
    this.#list = find(island, '[data-lines]');
    this.#template = find(island, '[data-line-template]');
    this.#changed = changed;
    this.#cards = [...this.#list.children].flatMap((element) =>
      element instanceof HTMLElement ? [new LineCard(element)] : [],
    );
    lanes.reflect();
    this.#reflect();
    island.addEventListener('click', (event) => {
      const button = event.target instanceof Element ? event.target.closest('button') : null;
      if (button) this.#press(button);
    });
    this.#list.addEventListener('input', () => {
      this.#reflect();
      this.#changed('');
    });
    find(island, '[data-speakers]').addEventListener('input', () => this.#changed(''));
  }

  get cards(): readonly LineCard[] {
    return this.#cards;
  }

  read(): DialogueScript {
    return {
      voices: this.lanes.voices,
      lines: this.#cards.map(({ speaker, text }) => ({ speaker, text: text.value })),
    };
  }

  /** Lights the card that is heard; -1 darkens all. */
  light(card: number): void {
    this.#cards.forEach(({ element }, index) => {
      element.toggleAttribute('data-lit', index === card);
    });
    this.lanes.light(this.#cards[card]?.speaker ?? -1);
  }

  /** No text is changed while it is spoken; whoever moves a line wants it to be spoken anew. */
  lock(isLocked: boolean): void {
    for (const { text } of this.#cards) text.readOnly = isLocked;
  }

  #press(button: HTMLButtonElement): void {
    const card = this.#cards.findIndex(({ element }) => element.contains(button));
    const { tool } = button.dataset;
    if (button.dataset.addSpeaker !== undefined) this.#addSpeaker();
    else if (button.dataset.addLine !== undefined) this.#addLine(this.lanes.speakerOf(button));
    else if (button.dataset.removeSpeaker !== undefined) this.#removeSpeaker(this.lanes.speakerOf(button));
    else if (card < 0) return;
    else if (tool === 'up') this.#move(card, card - 1, button);
    else if (tool === 'down') this.#move(card, card + 1, button);
    else if (tool === 'remove') this.#remove(card);
  }

  #addSpeaker(): void {
    const field = this.lanes.add();
    this.#reflect();
    field.focus();
    this.#changed(`Speaker ${this.lanes.count - 1} added.`);
  }

  #addLine(speaker: number): void {
    const card = this.#append(speaker);
    this.#reflect();
    card.text.focus();
    this.#changed(`Line ${this.#cards.length} added.`);
  }

  #removeSpeaker(speaker: number): void {
    this.lanes.remove(speaker);
    const gone = this.#cards.filter((card) => card.speaker === speaker);
    for (const { element } of gone) element.remove();
    this.#cards = this.#cards.filter((card) => !gone.includes(card));
    for (const card of this.#cards) if (card.speaker > speaker) card.speaker -= 1;
    if (this.#cards.length === 0) this.#append(0);
    this.#reflect();
    this.lanes.fieldOf(Math.min(speaker, this.lanes.count - 1)).focus();
    this.#changed(`Speaker ${speaker} removed, with ${gone.length} lines.`);
  }

  #move(from: number, to: number, button: HTMLButtonElement): void {
    const [card] = this.#cards.splice(from, 1);
    if (card === undefined) return;
    this.#cards.splice(to, 0, card);
    this.#list.insertBefore(card.element, this.#cards[to + 1]?.element ?? null);
    this.#reflect();
    // At an end the button is off; the other one is the next thing to press.
    (button.disabled ? card.button(to === 0 ? 'down' : 'up') : button).focus();
    this.#changed(`Line ${from + 1} is line ${to + 1} now.`);
  }

  #remove(place: number): void {
    const [card] = this.#cards.splice(place, 1);
    card?.element.remove();
    this.#reflect();
    this.#cards[Math.min(place, this.#cards.length - 1)]?.text.focus();
    this.#changed(`Line ${place + 1} removed.`);
  }

  #append(speaker: number): LineCard {
    const card = new LineCard(fromTemplate(this.#template));
    card.speaker = speaker;
    this.#list.append(card.element);
    this.#cards.push(card);
    return card;
  }

  #reflect(): void {
    const { count } = this.lanes;
    this.#cards.forEach((card, place) => {
      card.reflect(place, this.#cards.length, count);
    });
    this.#island.dataset.lanes = String(count);
    this.#island.style.setProperty('--lanes', String(count));
    this.#island.style.setProperty('--rows', String(count));
  }
}
