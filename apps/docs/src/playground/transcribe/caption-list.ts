import { Timeline, toCues } from '@speech-api/streaming';
import type { Transcription } from '@speech-api/types';
import { find } from '../page/find.ts';
import { Stage } from '../text/stage.ts';

/** The captions of a transcript: each goes on from its time when it is pressed, its words lit as they are heard. */
export class CaptionList {
  readonly #list: HTMLElement;
  readonly #stage: Stage;
  readonly #seek: (seconds: number) => void;
  #timeline = new Timeline();
  #lit = -1;
  #cue: Element | undefined;

  constructor(island: HTMLElement, seek: (seconds: number) => void) {
    this.#list = find(island, '[data-captions]');
    this.#seek = seek;
    this.#stage = new Stage(this.#list, (index) => seek(this.#timeline.segments[index]?.start ?? 0));
  }

  get timeline(): Timeline {
    return this.#timeline;
  }

  clear(): void {
    this.#timeline = new Timeline();
    this.#stage.show([]);
    this.#list.replaceChildren();
    this.#lit = -1;
    this.#cue = undefined;
  }

  show({ text, duration, segments }: Transcription): void {
    this.clear();
    // A transcript is what a stream would be with one snapshot of one chunk.
    this.#timeline.apply({
      type: 'alignment-update',
      chunk_seq: 0,
      chunk_audio_offset_sec: 0,
      content: text,
      alignment: { audio_duration: duration, segments: [...segments] },
    });
    const pages = toCues(segments).map(({ start, lines }) => {
      const button = document.createElement('button');
      button.type = 'button';
      const time = document.createElement('span');
      time.className = 'cue-time';
      time.textContent = clock(start);
      const root = document.createElement('span');
      root.className = 'cue-text words';
      button.append(time, root);
      button.addEventListener('click', (event) => {
        // A word of it that was pressed is told by the stage.
        if (event.target === button || event.target === time || event.target === root) this.#seek(start);
      });
      const item = document.createElement('li');
      item.append(button);
      this.#list.append(item);
      return { text: lines.join(' '), root };
    });
    this.#stage.show(pages);
    this.#stage.place(this.#timeline.segments);
  }

  /** Lights what is said at this moment. */
  light(seconds: number): void {
    const index = this.#timeline.indexAt(seconds);
    if (index === this.#lit) return;
    this.#lit = index;
    this.#stage.light(index);
    const cue = index < 0 ? undefined : this.#list.children[this.#stage.pageOf(index)];
    if (cue === this.#cue) return;
    this.#cue?.removeAttribute('data-lit');
    cue?.setAttribute('data-lit', '');
    this.#cue = cue;
  }
}

function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - minutes * 60).toFixed(1).padStart(4, '0')}`;
}
