import type { SpeechClient } from '@speech-api/client';
import { toSrt, toVtt } from '@speech-api/client/captions';
import { limits, type Transcription } from '@speech-api/types';
import { beginSound } from '../../embedded/one-sound.ts';
import { openClient, previewCall } from '../connection/connection.ts';
import type { RecordedRequest } from '../evidence/evidence.ts';
import { Island } from '../page/island.ts';
import { find, saveFile, sayBytes } from '../page/page.ts';
import { CaptionList } from './caption-list.ts';
import { clock } from './clock.ts';
import { type Clip, Sources } from './sources.ts';
import { type TranscribeSettings, writeTranscribing } from './write-transcribing.ts';

type State = 'idle' | 'recording' | 'asking' | 'done' | 'stopped' | 'failed';

/** Text for the service to speak if the reader has no recording. */
const spokenText = 'A recording that the sandbox has made itself is one whose every word it can tell.';

interface Parts {
  readonly island: Island;
  readonly audio: HTMLAudioElement;
  readonly captions: CaptionList;
  readonly sources: Sources;
}

class SpeechTranscribe extends HTMLElement {
  #made: Parts | undefined;
  /** Address of the recording that is played. */
  #address = '';
  #clip: Clip | undefined;
  #transcript: Transcription | undefined;
  #abort: AbortController | undefined;

  get #parts(): Parts {
    if (this.#made === undefined) throw new Error('the page has not begun');
    return this.#made;
  }

  connectedCallback(): void {
    if (this.#made) return;
    const island = new Island(this, {
      action: 'Transcribe',
      begin: () => void this.#transcribe(),
      changed: () => void this.#preview(),
    });
    const audio = find<HTMLAudioElement>(this, '[data-audio]');
    const captions = new CaptionList(this, (seconds) => {
      audio.currentTime = seconds;
      void audio.play().catch(() => undefined);
    });
    const pause = () => audio.pause();
    const follow = () => {
      captions.light(audio.paused ? -1 : audio.currentTime);
      if (!audio.paused) requestAnimationFrame(follow);
    };
    audio.addEventListener('play', () => {
      beginSound(pause);
      follow();
    });
    const sources = new Sources(this, {
      took: (clip) => void this.#take(clip),
      recording: (seconds) => {
        if (this.dataset.state !== 'recording') this.#show('recording', 'Recording …');
        find(this, '[data-clock]').textContent = `${seconds.toFixed(1)} s`;
      },
      explain: (explanation) => island.explain(explanation),
    });
    this.#made = { island, audio, captions, sources };

    find(this, '[data-spoken]').addEventListener('click', () => void this.#haveOneSpoken());
    find(this, '[data-stop]').addEventListener('click', () => this.#abort?.abort());
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#abort?.abort();
    });
    for (const button of this.querySelectorAll<HTMLButtonElement>('[data-save]'))
      button.addEventListener('click', () => this.#save(button.dataset.save ?? ''));
    void island.start();
  }

  disconnectedCallback(): void {
    this.#abort?.abort();
    this.#made?.audio.pause();
    URL.revokeObjectURL(this.#address);
    void this.#made?.sources.stop();
  }

  #settings(): TranscribeSettings {
    const language = find<HTMLInputElement>(this, '[name="language"]').value.trim();
    const { checked } = find<HTMLInputElement>(this, '[name="timestamps"]');
    return { ...(language === '' ? {} : { language }), ignore_timestamps: !checked };
  }

  /** Forgets what was transcribed. */
  #clear(): void {
    this.#parts.island.explain(undefined);
    this.#transcript = undefined;
    this.#parts.captions.show([]);
    find(this, '[data-text]').textContent = '';
  }

  async #take(clip: Clip): Promise<void> {
    this.#abort?.abort();
    this.#clip = clip;
    this.#clear();
    this.#hint('');
    find(this, '[data-name]').textContent = `${clip.file.name}, ${sayBytes(clip.file.size)}`;
    this.#show('idle', 'Ready to be transcribed.');
    void this.#preview();
    const isPlayable = await this.#load(clip.file);
    if (this.#clip !== clip) return;
    if (!isPlayable)
      this.#hint('This browser cannot play the file. The service may be able to read it all the same.');
    await this.#check(clip);
    this.dataset.loaded = clip.source;
  }

  /** Takes a recording into the browser's own player. @returns whether it can play it */
  #load(file: File): Promise<boolean> {
    const { audio } = this.#parts;
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
    const { duration } = this.#parts.audio;
    return Number.isFinite(duration) ? duration : 0;
  }

  /** Whether the clip is too long for one call. */
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
    this.#show('idle', 'Checking that it can be cut …');
    const { whyNotCut } = await import('./long-recording.ts');
    const reason = await whyNotCut(clip.file);
    if (this.#clip !== clip) return;
    if (reason !== undefined) return this.#refuse(`${sayBytes(size)} is too large for one call`, reason);
    const length = seconds > 0 ? `, ${clock(seconds)} long` : '';
    this.#show('idle', 'Ready to be transcribed in parts.');
    this.#hint(
      `It is ${sayBytes(size)}${length}; one call takes up to ${one}. This page cuts it in pauses and sends the parts.`,
    );
  }

  #refuse(title: string, advice: string): void {
    this.#clip = undefined;
    this.#parts.island.explain({ title, advice });
    this.#show('failed', 'This recording cannot be transcribed.');
  }

  async #haveOneSpoken(): Promise<void> {
    const { island } = this.#parts;
    const connection = island.choose();
    if (connection === undefined) return;
    island.explain(undefined);
    this.#show('asking', 'Asking for a recording …');
    const abort = new AbortController();
    this.#abort = abort;
    let answered = false;
    try {
      const client = openClient(connection, undefined, () => {
        answered = true;
      });
      const spoken = await client.speech.create({ text: spokenText }, { signal: abort.signal });
      const { contentType } = spoken;
      const file = new File([await spoken.bytes()], `spoken.${spoken.format}`, { type: contentType });
      await this.#take({ source: 'service', file });
    } catch (error) {
      if (abort.signal.aborted) return this.#show('idle', 'Stopped.');
      this.#show('failed', 'Nothing was spoken.');
      await island.explainError(error, answered);
    }
  }

  async #transcribe(): Promise<void> {
    const { island, sources } = this.#parts;
    await sources.stop();
    const clip = this.#clip;
    if (clip === undefined) {
      const advice = 'Choose a file, record something, or have one spoken.';
      island.explain({ title: 'There is no recording yet', advice });
      find(this, '[data-file]').focus();
      return;
    }
    const connection = island.choose();
    if (connection === undefined) return;
    this.#clear();
    const abort = new AbortController();
    this.#abort = abort;
    this.#show('asking', 'Transcribing …');
    let answered = false;
    const client = openClient(
      connection,
      (request) => this.#showCode(request, 'What Transcribe did.'),
      () => {
        answered = true;
      },
    );
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
    if (signal.aborted) return this.#show('stopped', `Stopped.${kept}`);
    this.#show('failed', kept === '' ? 'Nothing was transcribed.' : `It broke off.${kept}`);
    const { island } = this.#parts;
    if (await isReadable(clip.file)) return island.explainError(error, answered);
    island.explain({
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
      this.#show('asking', status);
      find<HTMLProgressElement>(this, '[data-progress]').value = share;
      if (soFar !== undefined) this.#place(soFar);
    });
  }

  /** Shows what is known of the words, all of it or a part. */
  #place(transcript: Transcription): void {
    this.#transcript = transcript;
    this.#parts.captions.show(transcript.segments);
    find(this, '[data-text]').textContent = transcript.text;
  }

  #showTranscript(transcript: Transcription): void {
    const { text, duration, segments } = transcript;
    this.#place(transcript);
    this.#parts.island.evidence.write('answer', JSON.stringify(transcript, null, 2));
    const found = text === '' ? 'no speech was found' : `${segments.length} segments`;
    this.#show('done', `${duration.toFixed(1)} s, ${found}.`);
    if (text.includes('[sandbox:')) {
      this.#hint(
        'The sandbox recognises no speech: it recalls what it has said itself. Have one spoken to see words, or connect to the service.',
      );
    } else if (segments.length === 0 && text !== '') this.#hint('Captions come with timestamps.');
  }

  #save(kind: string): void {
    const transcript = this.#transcript;
    if (transcript === undefined) return;
    if (kind === 'vtt') saveFile('transcript.vtt', 'text/vtt', [toVtt(transcript)]);
    else if (kind === 'srt') saveFile('transcript.srt', 'application/x-subrip', [toSrt(transcript)]);
    else saveFile('transcript.txt', 'text/plain', [transcript.text]);
  }

  async #preview(): Promise<void> {
    const clip = this.#clip;
    const { island } = this.#parts;
    const request =
      clip && !this.#isLong(clip)
        ? await previewCall(island.connection.read(), ({ transcriptions }) =>
            transcriptions.create({ audio: clip.file, ...this.#settings() }),
          )
        : undefined;
    if (clip === this.#clip && this.dataset.state !== 'asking')
      this.#showCode(request, 'What Transcribe will do.');
  }

  #showCode(request: RecordedRequest | undefined, note: string): void {
    const { evidence, connection } = this.#parts.island;
    const call = connection.read();
    const isLong = this.#clip !== undefined && this.#isLong(this.#clip);
    const typescript = writeTranscribing(call, this.#clip?.source ?? 'file', this.#settings(), isLong);
    evidence.show({ typescript, request, apiKey: call.apiKey, note });
    if (request === undefined)
      evidence.write(
        'curl',
        `# Written ${isLong ? 'for each part, when it is sent' : 'once there is a recording'}.`,
      );
  }

  #hint(text: string): void {
    find(this, '[data-hint]').textContent = text;
  }

  #show(state: State, status: string): void {
    this.dataset.state = state;
    find(this, '[data-status]').textContent = status;
    const isAsking = state === 'asking';
    find<HTMLButtonElement>(this, '[data-stop]').disabled = !isAsking;
    find<HTMLButtonElement>(this, '[data-spoken]').disabled = isAsking || state === 'recording';
    find(this, '[data-progress]').hidden = !isAsking || this.#clip === undefined || !this.#isLong(this.#clip);
    if (state !== 'done') this.#hint('');
    const { segments } = this.#transcript ?? {};
    for (const button of this.querySelectorAll<HTMLButtonElement>('[data-save]'))
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
