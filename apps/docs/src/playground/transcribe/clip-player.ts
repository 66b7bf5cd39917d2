import { limits } from '@speech-api/types';
import { beginSound } from '../../embedded/one-sound.ts';
import { find } from '../page/page.ts';
import { Tape, type TapeSegment } from '../sound/tape.ts';
import { type Clip, decodeClip } from './sources.ts';

/** Plays a recording, with the waveform and the words along it. */
export class ClipPlayer {
  readonly #audio = new Audio();
  readonly #tape: Tape;
  readonly #button: HTMLButtonElement;
  readonly #moved: (seconds: number) => void;
  readonly #pause = () => this.#audio.pause();
  #address = '';
  /** Of a recording of the microphone the browser does not know how long it is; the samples tell. */
  #seconds = 0;
  #segments: readonly TapeSegment[] = [];

  /** @param moved called with the second that is heard, at least once a frame while it plays */
  constructor(island: HTMLElement, moved: (seconds: number) => void) {
    this.#moved = moved;
    this.#tape = new Tape(island, (seconds) => void this.seek(seconds));
    this.#button = find(island, '[data-play]');
    this.#button.addEventListener(
      'click',
      () => void (this.#audio.paused ? this.#play() : this.#audio.pause()),
    );
    for (const name of ['play', 'pause', 'ended']) this.#audio.addEventListener(name, () => this.#reflect());
    for (const name of ['timeupdate', 'seeked', 'durationchange']) {
      this.#audio.addEventListener(name, () => this.#draw());
    }
  }

  /** Takes another recording. @returns whether this browser can play it */
  async load(clip: Clip): Promise<boolean> {
    this.unload();
    this.#address = URL.createObjectURL(clip.file);
    const address = this.#address;
    this.#audio.src = address;
    // The samples of a long recording would fill the memory of a phone: it is played and not drawn.
    const isDrawn = clip.file.size <= limits.transcriptionFileBytesSent;
    const samples = isDrawn ? await decodeClip(clip) : undefined;
    const isPlayable = samples !== undefined || (!isDrawn && (await this.#isReadable()));
    if (this.#address !== address) return true;
    if (samples !== undefined) {
      this.#tape.add(samples);
      this.#seconds = (samples.channels[0]?.length ?? 0) / samples.sampleRate;
    } else if (isPlayable) this.#seconds = this.#audio.duration;
    this.#button.disabled = !isPlayable;
    this.#draw();
    this.#tape.tell();
    return isPlayable;
  }

  /** Seconds of the recording; 0 where this browser cannot tell. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Whether the browser knows how long the recording is without reading all of it. */
  async #isReadable(): Promise<boolean> {
    if (this.#audio.readyState === 0 && this.#audio.error === null) {
      await new Promise((resolve) => {
        for (const name of ['loadedmetadata', 'error'])
          this.#audio.addEventListener(name, resolve, { once: true });
      });
    }
    return Number.isFinite(this.#audio.duration);
  }

  unload(): void {
    this.#audio.pause();
    if (this.#address !== '') URL.revokeObjectURL(this.#address);
    this.#address = '';
    this.#seconds = 0;
    this.#segments = [];
    this.#button.disabled = true;
    this.#tape.clear();
  }

  /** Shows the words along the waveform. */
  place(segments: readonly TapeSegment[], duration: number): void {
    this.#seconds = Math.max(this.#seconds, duration);
    this.#segments = segments;
    this.#draw();
    this.#tape.place(segments, this.#seconds);
    this.#tape.tell();
  }

  async seek(seconds: number): Promise<void> {
    if (this.#seconds === 0 || this.#button.disabled) return;
    this.#audio.currentTime = seconds;
    await this.#play();
  }

  async #play(): Promise<void> {
    beginSound(this.#pause);
    await this.#audio.play().catch(() => undefined);
  }

  #reflect(): void {
    const isPlaying = !this.#audio.paused;
    this.#button.textContent = isPlaying ? 'Pause' : 'Listen';
    if (!isPlaying) {
      this.#draw();
      this.#tape.tell();
      return;
    }
    const frame = () => {
      if (this.#audio.paused) return;
      this.#draw();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  #draw(): void {
    const { currentTime } = this.#audio;
    const lit = this.#segments.findLastIndex(({ start, end }) => start <= currentTime && currentTime < end);
    this.#tape.progress({ heard: Math.min(currentTime, this.#seconds), total: this.#seconds });
    this.#tape.light(this.#audio.paused ? -1 : lit);
    this.#moved(this.#audio.paused ? -1 : currentTime);
  }
}
