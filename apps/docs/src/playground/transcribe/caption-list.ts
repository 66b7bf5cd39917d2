import { toCues } from '@speech-api/streaming';
import type { Transcription } from '@speech-api/types';
import { find } from '../page/page.ts';
import { Stage } from '../text/stage.ts';
import { clock } from './clock.ts';

type Segments = Transcription['segments'];

/** One caption on the page, and what is said in it. */
interface Caption {
  readonly start: number;
  readonly segments: Segments;
  readonly item: HTMLElement;
  readonly stage: Stage;
}

/** The captions of a transcript: each plays from its time when it is pressed, its words lit as they are heard. */
export class CaptionList {
  readonly #list: HTMLElement;
  readonly #seek: (seconds: number) => void;
  #captions: readonly Caption[] = [];

  constructor(island: HTMLElement, seek: (seconds: number) => void) {
    this.#list = find(island, '[data-captions]');
    this.#seek = seek;
  }

  show(segments: Segments): void {
    const cues = toCues(segments);
    this.#captions = cues.map(({ start, lines }, index) => {
      const end = cues[index + 1]?.start ?? Number.POSITIVE_INFINITY;
      const said = segments.filter((segment) => segment.start >= start && segment.start < end);
      return this.#add(start, lines.join(' '), said);
    });
    this.#list.replaceChildren(...this.#captions.map(({ item }) => item));
  }

  #add(start: number, text: string, segments: Segments): Caption {
    const [item, button] = [document.createElement('li'), document.createElement('button')];
    const [time, words] = [document.createElement('span'), document.createElement('span')];
    button.type = 'button';
    time.className = 'cue-time';
    time.textContent = clock(start, 1);
    words.className = 'cue-text words';
    button.append(time, words);
    item.append(button);
    const stage = new Stage(words, (index) => this.#seek(segments[index]?.start ?? start));
    stage.show(text);
    stage.place(segments);
    button.addEventListener('click', ({ target }) => {
      // If a word of it was pressed, the stage reports that.
      if (!(target instanceof Element && target.parentElement === words)) this.#seek(start);
    });
    return { start, segments, item, stage };
  }

  /** Lights what is said at this moment; nothing is at -1. */
  light(seconds: number): void {
    const current = this.#captions.findLast(({ start }) => start <= seconds);
    for (const caption of this.#captions) {
      const isCurrent = caption === current;
      if (!isCurrent && caption.item.dataset.lit === undefined) continue;
      caption.item.toggleAttribute('data-lit', isCurrent);
      const isSaid = ({ start, end }: Segments[number]) => start <= seconds && seconds < end;
      caption.stage.light(isCurrent ? caption.segments.findIndex(isSaid) : -1);
    }
  }
}
