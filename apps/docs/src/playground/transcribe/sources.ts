import { limits } from '@speech-api/types';
import { find } from '../page/find.ts';
import type { Explanation } from '../problem/explanation.ts';
import type { Clip } from './clip.ts';
import { explainMicrophone, type MicrophoneRecording, startRecording } from './microphone.ts';

/** What the ways to a recording are told to. */
export interface SourcesListener {
  took(clip: Clip): void;
  /** Recording begins or ends, or goes on for so many seconds. */
  recording(seconds: number | undefined): void;
  explain(explanation: Explanation | undefined): void;
}

/** A file that is chosen or dropped, or the microphone. */
export class Sources {
  readonly #listener: SourcesListener;
  readonly #record: HTMLButtonElement;
  #recording: MicrophoneRecording | undefined;
  #started = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(island: HTMLElement, listener: SourcesListener) {
    this.#listener = listener;
    const input = find<HTMLInputElement>(island, '[data-file]');
    input.addEventListener('change', () => this.#take(input.files?.[0]));
    // A file is dropped anywhere on the sheet; nowhere may it replace the page.
    const sheet = find(island, '[data-drop]');
    for (const name of ['dragover', 'dragleave', 'drop'] as const) {
      sheet.addEventListener(name, (event) => {
        event.preventDefault();
        sheet.toggleAttribute('data-over', name === 'dragover');
        if (name === 'drop') this.#take(event.dataTransfer?.files[0]);
      });
    }
    this.#record = find(island, '[data-record]');
    this.#record.addEventListener('click', () => void (this.#recording ? this.stop() : this.#start()));
  }

  /** Ends a recording that is being made. */
  async stop(): Promise<void> {
    const recording = this.#recording;
    if (recording === undefined) return;
    this.#recording = undefined;
    clearInterval(this.#timer);
    this.#record.textContent = 'Record';
    const file = await recording.stop();
    this.#listener.recording(undefined);
    if (file.size > 0) this.#listener.took({ source: 'microphone', file });
  }

  #take(file: File | undefined): void {
    if (file !== undefined) this.#listener.took({ source: 'file', file });
  }

  async #start(): Promise<void> {
    this.#listener.explain(undefined);
    this.#record.disabled = true;
    try {
      this.#recording = await startRecording(() => void this.stop());
    } catch (error) {
      this.#listener.explain(explainMicrophone(error));
      return;
    } finally {
      this.#record.disabled = false;
    }
    this.#record.textContent = 'Stop recording';
    this.#started = performance.now();
    this.#listener.recording(0);
    this.#timer = setInterval(() => {
      const seconds = (performance.now() - this.#started) / 1000;
      this.#listener.recording(seconds);
      if (seconds >= limits.transcriptionMaximumSeconds) void this.stop();
    }, 100);
  }
}
