import type { SpeechClient } from '@speech-api/client';
import { toSrt, toVtt } from '@speech-api/client/captions';
import { limits, type Transcription } from '@speech-api/types';
import { beginSound } from '../../embedded/one-sound.ts';
import { openClient, previewCall } from '../connection/connection.ts';
import { Island } from '../page/island.ts';
import { find, saveFile, sayBytes } from '../page/page.ts';
import { CaptionList } from './caption-list.ts';
import { clock } from './clock.ts';
import { type Clip, Sources } from './sources.ts';
import { type TranscribeSettings, writeTranscribing } from './write-transcribing.ts';

type State = 'idle' | 'recording' | 'asking' | 'done' | 'stopped' | 'failed';

/** Text for the service to speak if the reader has no recording. */
const spokenText = 'A recording that the sandbox has made itself is one whose every word it can tell.';

class SpeechTranscribe extends Island {
  readonly action = 'Transcribe';
  readonly #audio = find<HTMLAudioElement>(this, '[data-audio]');
  readonly #captions = new CaptionList(this, (seconds) => {
    this.#audio.currentTime = seconds;
    void this.#audio.play().catch(() => undefined);
  });
  readonly #sources = new Sources(this, {
    took: (clip) => void this.#take(clip),
    recording: (seconds) => {
      if (this.state !== 'recording') this.show('recording', 'Recording …');
      find(this, '[data-clock]').textContent = `${seconds.toFixed(1)} s`;
    },
    explain: (explanation) => this.explain(explanation),
  });
  #address = '';
  #clip: Clip | undefined;
  #transcript: Transcription | undefined;
  #abort: AbortController | undefined;

  constructor() {
    super();
    const audio = this.#audio;
    const pause = () => audio.pause();
    const follow = () => {
      this.#captions.light(audio.paused ? -1 : audio.currentTime);
      if (!audio.paused) requestAnimationFrame(follow);
    };
    audio.addEventListener('play', () => {
      beginSound(pause);
      follow();
    });
    find(this, '[data-spoken]').addEventListener('click', () => void this.#haveOneSpoken());
  }

  disconnectedCallback(): void {
    this.stop();
    this.#audio.pause();
    URL.revokeObjectURL(this.#address);
    void this.#sources.stop();
  }

  begin(): void {
    void this.#transcribe();
  }

  stop(): void {
    this.#abort?.abort();
  }

  changed(): void {
    void this.#preview();
  }

  #settings(): TranscribeSettings {
    const language = find<HTMLInputElement>(this, '[name="language"]').value.trim();
    const { checked } = find<HTMLInputElement>(this, '[name="timestamps"]');
    return { ...(language === '' ? {} : { language }), ignore_timestamps: !checked };
  }

  #clear(): void {
    this.explain(undefined);
    this.#transcript = undefined;
    this.#captions.show([]);
    find(this, '[data-text]').textContent = '';
  }

  async #take(clip: Clip): Promise<void> {
    this.#abort?.abort();
    this.#clip = clip;
    this.#clear();
    this.#hint('');
    find(this, '[data-name]').textContent = `${clip.file.name}, ${sayBytes(clip.file.size)}`;
    this.show('idle', 'Ready to be transcribed.');
    const isPlayable = await this.#load(clip.file);
    if (this.#clip !== clip) return;
    this.changed();
    if (!isPlayable)
      this.#hint('This browser cannot play the file. The service may be able to read it all the same.');
    await this.#check(clip);
    this.dataset.loaded = clip.source;
  }

  /** Takes a recording into the browser's own player. @returns whether it can play it */
  #load(file: File): Promise<boolean> {
    const audio = this.#audio;
    URL.revokeObjectURL(this.#address);
    this.#address = URL.createObjectURL(file);
    audio.src = this.#address;
    return new Promise((resolve) => {
      audio.addEventListener('loadedmetadata', () => resolve(true), { once: true });
      audio.addEventListener('error', () => resolve(false), { once: true });
    });
  }

  /** Seconds of the recording; 0 where this browser cannot tell, as of one that was just made. */
  get #seconds(): number {
    const { duration } = this.#audio;
    return Number.isFinite(duration) ? duration : 0;
  }

  #isLong({ file }: Clip): boolean {
    const { transcriptionFileBytesSent: bytes, transcriptionMaximumSeconds: seconds } = limits;
    return file.size > bytes || this.#seconds > seconds;
  }

  /** Says at once what cannot be transcribed, and what takes several calls. */
  async #check(clip: Clip): Promise<void> {
    const seconds = this.#seconds;
    const { transcriptionMinimumSeconds: minimum, transcriptionFileBytesSent: maximum } = limits;
    const { name, size } = clip.file;
    if (size === 0)
      return this.#refuse('This file is empty', `${name} has no bytes in it. Choose another one.`);
    if (seconds > 0 && seconds < minimum) {
      return this.#refuse(
        'This recording is too short',
        `${name} is ${seconds.toFixed(2)} s long; the service takes recordings of ${minimum} s and more.`,
      );
    }
    if (!this.#isLong(clip)) return;
    const one = `${maximum / 1_000_000} MB and ${limits.transcriptionMaximumSeconds / 60} minutes`;
    this.show('idle', 'Checking that it can be cut …');
    const { whyNotCut } = await import('./long-recording.ts');
    const reason = await whyNotCut(clip.file);
    if (this.#clip !== clip) return;
    if (reason !== undefined) return this.#refuse(`${sayBytes(size)} is too large for one call`, reason);
    const length = seconds > 0 ? `, ${clock(seconds)} long` : '';
    this.show('idle', 'Ready to be transcribed in parts.');
    this.#hint(
      `It is ${sayBytes(size)}${length}; one call takes up to ${one}. This page cuts it in pauses and sends the parts.`,
    );
  }

  #refuse(title: string, advice: string): void {
    this.#clip = undefined;
    this.explain({ title, advice });
    this.show('failed', 'This recording cannot be transcribed.');
  }

  async #haveOneSpoken(): Promise<void> {
    const connection = this.choose();
    if (connection === undefined) return;
    this.explain(undefined);
    this.show('asking', 'Asking for a recording …');
    const abort = new AbortController();
    this.#abort = abort;
    let answered = false;
    try {
      const client = openClient(connection, () => {
        answered = true;
      });
      const spoken = await client.speech.create({ text: spokenText }, { signal: abort.signal });
      const { contentType } = spoken;
      const file = new File([await spoken.bytes()], `spoken.${spoken.format}`, { type: contentType });
      await this.#take({ source: 'service', file });
    } catch (error) {
      if (abort.signal.aborted) return this.show('idle', 'Stopped.');
      this.show('failed', 'Nothing was spoken.');
      await this.explainError(error, answered);
    }
  }

  async #transcribe(): Promise<void> {
    await this.#sources.stop();
    // Another call would be billed too, and Stop would reach that one alone.
    if (this.state === 'asking') return;
    const clip = this.#clip;
    if (clip === undefined) {
      const advice = 'Choose a file, record something, or have one spoken.';
      this.explain({ title: 'There is no recording yet', advice });
      find(this, '[data-file]').focus();
      return;
    }
    const connection = this.choose();
    if (connection === undefined) return;
    this.#clear();
    const abort = new AbortController();
    this.#abort = abort;
    this.show('asking', 'Transcribing …');
    let answered = false;
    const client = openClient(connection, () => {
      answered = true;
    });
    try {
      const { signal } = abort;
      const settings = this.#settings();
      const transcript = this.#isLong(clip)
        ? await this.#transcribeLong(client, clip, settings, signal)
        : await client.transcriptions.create({ audio: clip.file, ...settings }, { signal });
      if (this.#clip === clip) this.#showTranscript(transcript);
    } catch (error) {
      if (this.#clip === clip) await this.#failed(error, clip, abort.signal, answered);
    }
  }

  async #failed(error: unknown, clip: Clip, signal: AbortSignal, answered: boolean): Promise<void> {
    const { duration = 0 } = this.#transcript ?? {};
    const kept = duration > 0 ? ` What was transcribed of the first ${Math.round(duration)} s is kept.` : '';
    if (signal.aborted) return this.show('stopped', `Stopped.${kept}`);
    this.show('failed', kept === '' ? 'Nothing was transcribed.' : `It broke off.${kept}`);
    if (await isReadable(clip.file)) return this.explainError(error, answered);
    this.explain({
      title: 'The file can no longer be read',
      advice: `${clip.file.name} was moved or changed after you chose it. Choose it again.`,
    });
  }

  async #transcribeLong(
    client: SpeechClient,
    clip: Clip,
    { language }: TranscribeSettings,
    signal: AbortSignal,
  ): Promise<Transcription> {
    const { transcribeLong } = await import('./long-recording.ts');
    const options = { ...(language === undefined ? {} : { language }), signal };
    return transcribeLong(client, clip.file, this.#seconds, options, (status, share, soFar) => {
      if (this.#clip !== clip || signal.aborted) return;
      this.show('asking', status);
      find<HTMLProgressElement>(this, '[data-progress]').value = share;
      if (soFar !== undefined) this.#place(soFar);
    });
  }

  /** Shows what is known of the words, all of it or a part. */
  #place(transcript: Transcription): void {
    this.#transcript = transcript;
    this.#captions.show(transcript.segments);
    find(this, '[data-text]').textContent = transcript.text;
  }

  #showTranscript(transcript: Transcription): void {
    const { text, duration, segments } = transcript;
    this.#place(transcript);
    this.evidence.write('answer', JSON.stringify(transcript, null, 2));
    const found = text === '' ? 'no speech was found' : `${segments.length} segments`;
    this.show('done', `${duration.toFixed(1)} s, ${found}.`);
    if (text.includes('[sandbox:')) {
      this.#hint(
        'The sandbox recognises no speech: it recalls what it has said itself. Have one spoken to see words, or connect to the service.',
      );
    } else if (segments.length === 0 && text !== '') this.#hint('Captions come with timestamps.');
  }

  override save(kind: string): void {
    const transcript = this.#transcript;
    if (transcript === undefined) return;
    if (kind === 'vtt') saveFile('transcript.vtt', 'text/vtt', [toVtt(transcript)]);
    else if (kind === 'srt') saveFile('transcript.srt', 'application/x-subrip', [toSrt(transcript)]);
    else saveFile('transcript.txt', 'text/plain', [transcript.text]);
  }

  /** Shows what Transcribe will do, or just did. */
  async #preview(): Promise<void> {
    const clip = this.#clip;
    const settings = this.#settings();
    const connection = this.connection.read();
    const isLong = clip !== undefined && this.#isLong(clip);
    const request =
      clip === undefined || isLong
        ? undefined
        : await previewCall(connection, ({ transcriptions }) =>
            transcriptions.create({ audio: clip.file, ...settings }),
          );
    if (clip !== this.#clip) return;
    const typescript = writeTranscribing(connection, clip?.source ?? 'file', settings, isLong);
    this.evidence.show(typescript, request, connection.apiKey);
    if (request === undefined)
      this.evidence.write(
        'curl',
        `# ${isLong ? 'One request for each part.' : 'Written once there is a recording.'}`,
      );
  }

  #hint(text: string): void {
    find(this, '[data-hint]').textContent = text;
  }

  override show(state: State, status: string): void {
    super.show(state, status);
    const isAsking = state === 'asking';
    find<HTMLButtonElement>(this, '[data-stop]').disabled = !isAsking;
    find<HTMLButtonElement>(this, '[data-spoken]').disabled = isAsking || state === 'recording';
    find(this, '[data-progress]').hidden = !isAsking || this.#clip === undefined || !this.#isLong(this.#clip);
    if (state !== 'done') this.#hint('');
    const { segments } = this.#transcript ?? {};
    for (const button of this.saves)
      button.disabled =
        isAsking || segments === undefined || (button.dataset.save !== 'txt' && segments.length === 0);
  }
}

/** Browsers read a file when they need it, and say of one that is gone only that reading failed. */
function isReadable(file: File): Promise<boolean> {
  const first = file.slice(0, 1).arrayBuffer();
  return first.then(
    () => true,
    () => false,
  );
}

customElements.define('speech-transcribe', SpeechTranscribe);
