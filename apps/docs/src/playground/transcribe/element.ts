import type { SpeechClient } from '@speech-api/client';
import { toSrt, toVtt } from '@speech-api/client/captions';
import { limits, type Transcription } from '@speech-api/types';
import { beginSound } from '../../embedded/one-sound.ts';
import { openClient, previewCall } from '../connection/connection.ts';
import type { RecordedRequest } from '../evidence/evidence.ts';
import { Island } from '../page/island.ts';
import { find, saveFile, sayBytes } from '../page/page.ts';
import { CaptionList, settingsPart, type TranscribeSettings, writeTranscribing } from './caption-list.ts';
import type { Clip } from './sources.ts';
import { Sources } from './sources.ts';

type State = 'idle' | 'recording' | 'asking' | 'done' | 'stopped' | 'failed';

/** What the service can be asked to say where the reader has no recording. */
const spokenText = 'A recording that the sandbox has made itself is one whose every word it can tell.';

class SpeechTranscribe extends HTMLElement {
  #parts: { island: Island; audio: HTMLAudioElement; captions: CaptionList; sources: Sources } | undefined;
  /** Address of the recording that is played. */
  #address = '';
  #clip: Clip | undefined;
  #transcript: Transcription | undefined;
  #abort: AbortController | undefined;

  connectedCallback(): void {
    if (this.#parts) return;
    const island = new Island(this, { action: 'Transcribe', connectionChanged: () => void this.#preview() });
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
        if (seconds === undefined) return;
        if (this.dataset.state !== 'recording') this.#show('recording', 'Recording …');
        find(this, '[data-clock]').textContent = `${seconds.toFixed(1)} s`;
      },
      explain: (explanation) => island.explain(explanation),
    });
    this.#parts = { island, audio, captions, sources };

    const form = find<HTMLFormElement>(this, 'form');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#transcribe();
    });
    form.addEventListener('input', () => void this.#preview());
    find(this, '[data-spoken]').addEventListener('click', () => void this.#haveOneSpoken());
    find(this, '[data-stop]').addEventListener('click', () => this.#abort?.abort());
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#abort?.abort();
    });
    for (const button of this.querySelectorAll<HTMLButtonElement>('[data-save]')) {
      button.addEventListener('click', () => this.#save(button.dataset.save ?? ''));
    }
    void island.begin();
  }

  disconnectedCallback(): void {
    this.#abort?.abort();
    this.#load(undefined);
    void this.#parts?.sources.stop();
  }

  #settings(): TranscribeSettings {
    return {
      language: find<HTMLInputElement>(this, '[name="language"]').value.trim(),
      timestamps: find<HTMLInputElement>(this, '[name="timestamps"]').checked,
    };
  }

  async #take(clip: Clip): Promise<void> {
    if (this.#parts === undefined) return;
    const { captions, island } = this.#parts;
    this.#abort?.abort();
    this.#clip = clip;
    this.#transcript = undefined;
    captions.clear();
    island.explain(undefined);
    this.#hint('');
    find(this, '[data-text]').textContent = '';
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
  async #load(file: File | undefined): Promise<boolean> {
    const audio = this.#parts?.audio;
    if (this.#address !== '') URL.revokeObjectURL(this.#address);
    this.#address = file === undefined ? '' : URL.createObjectURL(file);
    if (audio === undefined || file === undefined) {
      audio?.pause();
      return false;
    }
    audio.src = this.#address;
    return new Promise((resolve) => {
      audio.addEventListener('loadedmetadata', () => resolve(true), { once: true });
      audio.addEventListener('error', () => resolve(false), { once: true });
    });
  }

  /** Seconds of the recording; 0 where this browser cannot tell, as of one that was just made. */
  get #seconds(): number {
    const { duration = 0 } = this.#parts?.audio ?? {};
    return Number.isFinite(duration) ? duration : 0;
  }

  /** Whether one call is too short for it. */
  #isLong({ file }: Clip): boolean {
    return (
      file.size > limits.transcriptionFileBytesSent || this.#seconds > limits.transcriptionMaximumSeconds
    );
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
    this.#show('idle', 'Looking whether it can be cut …');
    const { whyNotCut, clock } = await import('./long-recording.ts');
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
    this.#parts?.island.explain({ title, advice });
    this.#show('failed', 'This recording cannot be transcribed.');
  }

  async #haveOneSpoken(): Promise<void> {
    const island = this.#parts?.island;
    const connection = island?.choose();
    if (island === undefined || connection === undefined) return;
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
      if (abort.signal.aborted) this.#show('idle', 'Stopped.');
      else {
        this.#show('failed', 'Nothing was spoken.');
        await island.explainError(error, answered);
      }
    }
  }

  async #transcribe(): Promise<void> {
    await this.#parts?.sources.stop();
    const clip = this.#clip;
    if (this.#parts === undefined) return;
    const { island, captions } = this.#parts;
    if (clip === undefined) {
      island.explain({
        title: 'There is no recording yet',
        advice: 'Choose a file, record something, or have one spoken.',
      });
      find(this, '[data-file]').focus();
      return;
    }
    const connection = island.choose();
    if (connection === undefined) return;
    island.explain(undefined);
    captions.clear();
    this.#transcript = undefined;
    find(this, '[data-text]').textContent = '';
    const abort = new AbortController();
    this.#abort = abort;
    this.#show('asking', 'Transcribing …');
    const settings = this.#settings();
    let answered = false;
    try {
      const client = openClient(
        connection,
        (request) => this.#showCode(request, 'What Transcribe did.'),
        () => {
          answered = true;
        },
      );
      const { signal } = abort;
      const transcript = this.#isLong(clip)
        ? await this.#transcribeLong(client, clip, settings, signal)
        : await client.transcriptions.create({ audio: clip.file, ...settingsPart(settings) }, { signal });
      if (this.#clip !== clip) return;
      this.#place(transcript);
      this.#showTranscript(transcript);
    } catch (error) {
      if (this.#clip !== clip) return;
      const { duration = 0 } = this.#transcript ?? {};
      const kept =
        duration > 0 ? ` What was transcribed of the first ${Math.round(duration)} s is kept.` : '';
      if (abort.signal.aborted) this.#show('stopped', `Stopped.${kept}`);
      else {
        this.#show('failed', kept === '' ? 'Nothing was transcribed.' : `It broke off.${kept}`);
        if (await isReadable(clip.file)) await island.explainError(error, answered);
        else
          island.explain({
            title: 'The file can no longer be read',
            advice: `${clip.file.name} was moved or changed after you chose it. Choose it again.`,
          });
      }
    }
  }

  async #transcribeLong(
    client: SpeechClient,
    clip: Clip,
    { language }: TranscribeSettings,
    signal: AbortSignal,
  ): Promise<Transcription> {
    const { transcribeLong } = await import('./long-recording.ts');
    return transcribeLong(
      client,
      clip.file,
      { language, signal, seconds: this.#seconds },
      {
        progress: (status, share) => {
          if (this.#clip !== clip || signal.aborted) return;
          this.#show('asking', status);
          find<HTMLProgressElement>(this, '[data-progress]').value = share;
        },
        soFar: (transcription) => {
          if (this.#clip === clip && !signal.aborted) this.#place(transcription);
        },
      },
    );
  }

  /** Shows what is known of the words, all of it or a part. */
  #place(transcript: Transcription): void {
    this.#transcript = transcript;
    this.#parts?.captions.show(transcript);
    find(this, '[data-text]').textContent = transcript.text;
  }

  #showTranscript(transcript: Transcription): void {
    const { text, duration, segments } = transcript;
    this.#parts?.island.evidence.write('answer', JSON.stringify(transcript, null, 2));
    const seconds = `${duration.toFixed(1)} s`;
    this.#show(
      'done',
      text === '' ? `Nothing is said in ${seconds}.` : `${seconds}, ${segments.length} segments.`,
    );
    find(this, '[data-text]').textContent = text === '' ? '(an empty text)' : text;
    if (text.includes('[sandbox:')) {
      this.#hint(
        'The sandbox recognises no speech: it recalls what it has said itself. Have one spoken to see words, or connect to the service.',
      );
    } else if (segments.length === 0 && text !== '') {
      this.#hint('Captions come with timestamps.');
    }
  }

  #save(kind: string): void {
    const transcript = this.#transcript;
    if (transcript === undefined) return;
    if (kind === 'vtt') saveFile('transcript.vtt', 'text/vtt', [toVtt(transcript)]);
    else if (kind === 'srt') saveFile('transcript.srt', 'application/x-subrip', [toSrt(transcript)]);
    else saveFile('transcript.txt', 'text/plain', [transcript.text]);
  }

  async #preview(): Promise<void> {
    const [island, clip] = [this.#parts?.island, this.#clip];
    if (island === undefined) return;
    const call = settingsPart(this.#settings());
    const request =
      clip &&
      !this.#isLong(clip) &&
      (await previewCall(island.connection.read(), ({ transcriptions }) =>
        transcriptions.create({ audio: clip.file, ...call }),
      ));
    if (clip === this.#clip && this.dataset.state !== 'asking')
      this.#showCode(request || undefined, 'What Transcribe will do.');
  }

  #showCode(request: RecordedRequest | undefined, note: string): void {
    const island = this.#parts?.island;
    if (island === undefined) return;
    const connection = island.connection.read();
    const source = this.#clip?.source ?? 'file';
    const isLong = this.#clip !== undefined && this.#isLong(this.#clip);
    const typescript = writeTranscribing(connection, source, this.#settings(), isLong);
    island.evidence.show({ typescript, request, apiKey: connection.apiKey, note });
    if (request !== undefined) return;
    for (const name of ['curl', 'request'])
      island.evidence.write(
        name,
        isLong
          ? '# Written for each part, when it is sent.'
          : '# Written for the recording, once there is one.',
      );
  }

  #hint(text: string): void {
    find(this, '[data-hint]').textContent = text;
  }

  #show(state: State, status: string): void {
    this.dataset.state = state;
    find(this, '[data-status]').textContent = status;
    find<HTMLButtonElement>(this, '[data-stop]').disabled = state !== 'asking';
    find<HTMLButtonElement>(this, '[data-spoken]').disabled = state === 'asking' || state === 'recording';
    find(this, '[data-progress]').hidden =
      state !== 'asking' || this.#clip === undefined || !this.#isLong(this.#clip);
    if (state !== 'done') this.#hint('');
    const { segments = [] } = this.#transcript ?? {};
    for (const button of this.querySelectorAll<HTMLButtonElement>('[data-save]')) {
      button.disabled =
        state === 'asking' ||
        this.#transcript === undefined ||
        (button.dataset.save !== 'txt' && segments.length === 0);
    }
  }
}

/** Browsers read a file when they need it, and say of one that is gone only that reading failed. */
function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

customElements.define('speech-transcribe', SpeechTranscribe);
