import { limits } from '@speech-api/types';
import type { Explanation } from '../explain-error.ts';
import { find } from '../page/page.ts';

/** Where a recording came from; the code that is shown differs. */
export type ClipSource = 'file' | 'microphone' | 'service';

/** A recording to transcribe. */
export interface Clip {
  readonly source: ClipSource;
  readonly file: File;
}

/** What a browser may record as, the best decodable first. */
const types = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4', ''];

/** A recording that is being made. */
export interface MicrophoneRecording {
  /** Ends it. @returns what was recorded */
  stop(): Promise<File>;
}

/**
 * Begins to record. Rejects with the errors of `getUserMedia`, which {@link explainMicrophone} explains.
 *
 * @param ended called when the microphone disconnects
 */
export async function startRecording(ended: () => void): Promise<MicrophoneRecording> {
  const stream = await navigator.mediaDevices.getUserMedia({
    // What is best to read is what was said, not what was made of it for a call.
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
  return {
    async stop() {
      if (recorder.state !== 'inactive') recorder.stop();
      await stopped;
      for (const track of stream.getTracks()) track.stop();
      const [type = 'audio/webm'] = recorder.mimeType.split(';');
      return new File(pieces, `recording.${type.split('/')[1] ?? 'webm'}`, { type });
    },
  };
}

/** Why there is no recording. */
export function explainMicrophone(error: unknown): Explanation {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (navigator.mediaDevices === undefined) {
    return {
      title: 'This page may not record',
      advice: 'Browsers let pages record over https and from this machine (http://127.0.0.1) alone.',
    };
  }
  if (name === 'NotAllowedError') {
    return {
      title: 'The microphone is not allowed',
      advice: 'Allow it in the settings of this site, at the left of the address, then press Record again.',
      detail: message,
    };
  }
  if (name === 'NotFoundError') {
    return {
      title: 'There is no microphone',
      advice: 'Plug one in and press Record again, or choose a file.',
      detail: message,
    };
  }
  return {
    title: 'The microphone cannot be used',
    advice: 'Another program may be holding it. Close that, then press Record again.',
    detail: message,
  };
}

/** What each source of a recording reports to. */
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
