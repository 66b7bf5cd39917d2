import { limits } from '@speech-api/types';
import type { Explanation } from '../explain-error.ts';
import { find } from '../page/page.ts';

/** Source of a recording, which determines the code that is shown. */
export type ClipSource = 'file' | 'microphone' | 'service';

/** A recording to transcribe. */
export interface Clip {
  readonly source: ClipSource;
  readonly file: File;
}

/** Recording formats of browsers, the most decodable first. */
const types = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4', ''];

/**
 * Begins to record. Rejects with the errors of `getUserMedia`.
 *
 * @param ended called when the microphone disconnects
 * @returns what ends it, and resolves to what was recorded
 */
async function startRecording(ended: () => void): Promise<() => Promise<File>> {
  const stream = await navigator.mediaDevices.getUserMedia({
    // Speech is recognised best as it was recorded, without the processing that suits calls.
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
  });
  const mimeType = types.find((type) => type === '' || MediaRecorder.isTypeSupported(type)) ?? '';
  const recorder = new MediaRecorder(stream, mimeType === '' ? {} : { mimeType });
  const pieces: Blob[] = [];
  const stopped = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => resolve());
  });
  recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
  for (const track of stream.getTracks()) track.addEventListener('ended', ended);
  recorder.start(1000);
  return async () => {
    if (recorder.state !== 'inactive') recorder.stop();
    await stopped;
    for (const track of stream.getTracks()) track.stop();
    const [type = 'audio/webm'] = recorder.mimeType.split(';');
    return new File(pieces, `recording.${type.split('/')[1] ?? 'webm'}`, { type });
  };
}

const refusals: Readonly<Record<string, readonly [title: string, advice: string]>> = {
  NotAllowedError: [
    'The microphone is not allowed',
    'Allow it in the settings of this site, at the left of the address, then press Record again.',
  ],
  NotFoundError: ['There is no microphone', 'Plug one in and press Record again, or choose a file.'],
};

/** Explanation for a failed recording. */
function explainMicrophone(error: unknown): Explanation {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const [title, advice] =
    navigator.mediaDevices === undefined
      ? [
          'This page may not record',
          'Browsers let pages record over https and from this machine (http://127.0.0.1) alone.',
        ]
      : (refusals[name] ?? [
          'The microphone cannot be used',
          'Close other programs that use it, then press Record again.',
        ]);
  return { title, advice, detail: message };
}

/** Listener shared by the sources of recordings. */
export interface SourcesListener {
  took(clip: Clip): void;
  /** So many seconds have been recorded. */
  recording(seconds: number): void;
  explain(explanation: Explanation | undefined): void;
}

/** A file that is chosen or dropped, or the microphone. */
export class Sources {
  readonly #listener: SourcesListener;
  readonly #record: HTMLButtonElement;
  #recording: (() => Promise<File>) | undefined;
  /** Settles when the last recording that was ended was handed over. */
  #ended: Promise<void> = Promise.resolve();
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

  /** Ends a recording that is being made; resolves when it was handed over. */
  stop(): Promise<void> {
    if (this.#recording !== undefined) this.#ended = this.#end(this.#recording);
    return this.#ended;
  }

  async #end(recording: () => Promise<File>): Promise<void> {
    this.#recording = undefined;
    clearInterval(this.#timer);
    this.#record.textContent = 'Record';
    const file = await recording();
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
