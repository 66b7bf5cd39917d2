import type { LiveRequest } from '@speech-api/live';
import { isLoopback, readBaseUrl } from '../connection/address.ts';
import { defaultRelayUrl, findServers } from '../connection/fields.ts';
import { listVoices, VoiceField } from '../connection/voices.ts';
import { Evidence } from '../evidence/evidence.ts';
import { sandboxKey } from '../evidence/write-code.ts';
import { type Explanation, showProblem } from '../explain-error.ts';
import { find } from '../page/page.ts';
import { SoundFields, soundPart } from '../sound/sound-fields.ts';
import { explainLive } from './explain-live.ts';
import { LiveView } from './live-view.ts';
import type { LiveSession, SessionListener } from './session.ts';
import { endOfClauses, tokensOf } from './typing.ts';
import { writeLive } from './write-live.ts';

/** How fast a language model writes. */
const tokenMilliseconds = 30;
/** Figures are looked at so often while there is a session. */
const lookMilliseconds = 100;

const answer =
  'Good question. The tide comes in at seven, so the boats leave at half past six. ' +
  'If you want to see them go, be at the harbour by six; the café opens early, and the bread is still warm. ' +
  'By eight the water is back, and nobody would guess that there was ever sand.';

class SpeechLive extends HTMLElement {
  #parts: { text: HTMLTextAreaElement; voice: VoiceField; sound: SoundFields; view: LiveView } | undefined;
  #session: LiveSession | undefined;
  #opening: Promise<LiveSession> | undefined;
  /** What the session has; the reader can change what is behind it. */
  #handed = '';
  #before = '';
  /** The settings changed since the session was opened. */
  #isStale = false;
  #model: ReturnType<typeof setInterval> | undefined;
  #look: ReturnType<typeof setInterval> | undefined;

  connectedCallback(): void {
    if (this.#parts) return;
    const form = find<HTMLFormElement>(this, 'form');
    const text = find<HTMLTextAreaElement>(form, 'textarea');
    const evidence = new Evidence(this);
    const sound = new SoundFields(form);
    const voice = new VoiceField(form);
    const view = new LiveView(this);
    this.#parts = { text, voice, sound, view };
    const showCode = () => evidence.write('typescript', writeLive(this.#relayUrl, this.#request()));

    // What is needed to speak is loaded with the first sign that somebody will.
    text.addEventListener('focus', () => void import('./session.ts'), { once: true });
    text.addEventListener('input', (event) => this.#typed(event as InputEvent));
    text.addEventListener('compositionend', () => this.#typed());
    text.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#speakNow();
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#speakNow();
      text.focus();
    });
    form.addEventListener('input', ({ target }) => {
      if (target === text) return;
      if (target === find(this, '[data-relay]')) find(this, '[data-where]').textContent = this.#relayUrl;
      this.#isStale = true;
      showCode();
    });
    this.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.#stop();
    });
    find(this, '[data-stop]').addEventListener('click', () => this.#stop());
    find(this, '[data-clear]').addEventListener('click', () => this.#clear());
    find(this, '[data-model]').addEventListener('click', () => this.#writeAsModel());
    void this.#begin().then(showCode);
  }

  disconnectedCallback(): void {
    clearInterval(this.#model);
    clearInterval(this.#look);
    void this.#session?.close();
  }

  get #relayUrl(): string {
    return find<HTMLInputElement>(this, '[data-relay]').value.trim().replace(/\/+$/, '');
  }

  #request(): LiveRequest {
    const { voice, sound } = this.#here;
    return { ...(voice.id === '' ? {} : { reference_id: voice.id }), ...soundPart(sound.read()) };
  }

  get #here() {
    if (this.#parts === undefined) throw new Error('the page has not begun');
    return this.#parts;
  }

  /** Learns which relay there is, and the voices of the sandbox behind it. */
  async #begin(): Promise<void> {
    const { text, voice } = this.#here;
    const { relayUrl, baseUrl } = await findServers(this.dataset.base ?? '/');
    find<HTMLInputElement>(this, '[data-relay]').value = relayUrl ?? defaultRelayUrl;
    const sandbox = baseUrl === undefined ? '' : `, in front of the sandbox at ${new URL(baseUrl).host}`;
    find(this, '[data-where]').textContent = relayUrl === undefined ? defaultRelayUrl : relayUrl + sandbox;
    this.#say(
      relayUrl === undefined
        ? 'No relay was started beside this page. “npm start” in a clone runs one.'
        : `Ready: the relay at ${new URL(relayUrl).host}${sandbox}.`,
    );
    if (baseUrl !== undefined && isLoopback(location.origin)) {
      // The key of the sandbox is public; a list of voices is all that it is used for.
      const voices = await listVoices({ baseUrl, apiKey: sandboxKey }).catch(() => []);
      voice.offer(voices, text.value);
    }
    this.dataset.ready = '';
  }

  #typed(event?: InputEvent): void {
    const { text, view } = this.#here;
    if (event?.isComposing) return;
    if (text.value === '') {
      this.#clear();
      return;
    }
    if (!text.value.startsWith(this.#handed)) {
      text.value = this.#before;
      this.#say('What was handed over stays as it is. Type behind it, or press Clear.');
    }
    this.#before = text.value;
    if (/Paste|Drop/.test(event?.inputType ?? '')) {
      this.#say('Press Enter to have it spoken, or have it written as a language model does.');
      view.mark(text.value, this.#handed.length);
      return;
    }
    this.#handOver(this.#handed.length + endOfClauses(text.value.slice(this.#handed.length)));
  }

  /** All that was typed is spoken now. */
  #speakNow(): void {
    const { text } = this.#here;
    if (this.#model !== undefined) return;
    const isNew = text.value.slice(this.#handed.length).trim() !== '';
    if (!isNew && this.#session?.isOpen !== true) {
      this.#say('There is nothing new to speak. Type something first.');
      text.focus();
      return;
    }
    if (isNew) text.value = `${text.value.trimEnd()}\n`;
    this.#before = text.value;
    this.#handOver(text.value.length);
    void this.#opening?.then(
      (session) => session.end(),
      () => {},
    );
  }

  /** Takes what is not spoken yet, or an answer of its own, and writes it token by token. */
  #writeAsModel(): void {
    const { text } = this.#here;
    if (this.#model !== undefined) return;
    const own = text.value.slice(this.#handed.length);
    const tokens = tokensOf(own.trim() === '' ? answer : own);
    text.value = this.#handed;
    text.readOnly = true;
    find(this, '[data-model]').setAttribute('aria-pressed', 'true');
    this.#model = setInterval(() => {
      const token = tokens.shift();
      text.value += token ?? '\n';
      this.#before = text.value;
      this.#handOver(text.value.length);
      if (token !== undefined) return;
      this.#endModel();
      void this.#opening?.then(
        (session) => session.end(),
        () => {},
      );
    }, tokenMilliseconds);
  }

  #endModel(): void {
    clearInterval(this.#model);
    this.#model = undefined;
    this.#here.text.readOnly = false;
    find(this, '[data-model]').setAttribute('aria-pressed', 'false');
  }

  #handOver(to: number): void {
    const { text, voice, view } = this.#here;
    const from = this.#handed.length;
    const piece = text.value.slice(from, to);
    find<HTMLButtonElement>(this, '[data-clear]').disabled = text.value === '';
    if (piece !== '') {
      this.#handed += piece;
      this.#say(`Spoken through the relay at ${hostOf(this.#relayUrl)}.`);
      if (this.#opening === undefined) voice.suit(text.value);
      this.#explain(undefined);
      const session = this.#open();
      session.then(
        (open) => open.write(piece, from),
        (error: unknown) => this.#failed(error, from, 0),
      );
    }
    view.mark(text.value, this.#handed.length);
  }

  /** The session, or another one where the settings changed and nothing is heard. */
  #open(): Promise<LiveSession> {
    const session = this.#session;
    const isQuiet = session?.isOpen === false && session.figures.waitingSeconds < 0.05;
    if (this.#isStale && isQuiet) this.#close();
    this.#opening ??= this.#start();
    return this.#opening;
  }

  async #start(): Promise<LiveSession> {
    this.#isStale = false;
    this.dataset.state = 'connecting';
    const { LiveSession } = await import('./session.ts');
    let session: LiveSession | undefined;
    const isCurrent = () => session === this.#session;
    const listener: SessionListener = {
      heard: () => isCurrent() && this.#say('All of it was heard.'),
      failed: (error, from, bytes) => isCurrent() && this.#failed(error, from, bytes),
    };
    session = new LiveSession(readBaseUrl(this.#relayUrl, ['wss:', 'ws:']), this.#request(), listener);
    this.#session = session;
    find<HTMLButtonElement>(this, '[data-stop]').disabled = false;
    clearInterval(this.#look);
    this.#look = setInterval(() => this.#draw(), lookMilliseconds);
    return session;
  }

  #draw(): void {
    const session = this.#session;
    if (session === undefined) return;
    const { figures } = session;
    const isSounding = figures.waitingSeconds > 0 || figures.state === 'speaking';
    const rest = this.dataset.state === 'stopped' ? 'stopped' : 'open';
    this.dataset.state = figures.state === 'connecting' ? 'connecting' : isSounding ? 'sounding' : rest;
    const { text, view } = this.#here;
    view.show(figures, text.value);
    view.mark(text.value, this.#handed.length);
  }

  #stop(): void {
    const session = this.#session;
    if (session === undefined) return;
    if (this.#model !== undefined) this.#endModel();
    const stopped = session.interrupt();
    const { text, view } = this.#here;
    if (stopped === undefined) return;
    const { heard, from, playedMilliseconds } = stopped;
    this.dataset.state = 'stopped';
    view.heard(playedMilliseconds / 1000);
    view.cutOff(from + heard.length, this.#handed.length);
    view.mark(text.value, this.#handed.length);
    const words = heard.trim().split(/\s+/).slice(-6).join(' ');
    this.#say(
      `Stopped after ${(playedMilliseconds / 1000).toFixed(1)} s. ${heard === '' ? 'Nothing was heard.' : `Heard, by estimate, up to “${words}”.`}`,
    );
  }

  #clear(): void {
    const { text, view } = this.#here;
    if (this.#model !== undefined) this.#endModel();
    this.#close();
    this.#handed = '';
    this.#before = '';
    text.value = '';
    this.dataset.state = 'idle';
    this.#explain(undefined);
    find<HTMLButtonElement>(this, '[data-clear]').disabled = true;
    view.clear();
    this.#say('Ready.');
    text.focus();
  }

  /** Ends the session; the next text opens another one. */
  #close(): void {
    clearInterval(this.#look);
    void this.#session?.close();
    this.#session = undefined;
    this.#opening = undefined;
    find<HTMLButtonElement>(this, '[data-stop]').disabled = true;
  }

  #failed(error: unknown, from: number, bytes: number): void {
    if (this.#model !== undefined) this.#endModel();
    this.#close();
    this.dataset.state = 'failed';
    // Nothing of it was spoken: it is the reader's again, and is sent when the reader says so.
    if (bytes === 0) this.#handed = this.#handed.slice(0, from);
    const { text, view } = this.#here;
    view.mark(text.value, this.#handed.length);
    view.state('not open');
    this.#say(bytes === 0 ? 'Nothing was spoken.' : 'The session broke off.');
    this.#explain(explainLive(error, { relayUrl: this.#relayUrl, pageUrl: location.href }));
  }

  #explain(explanation: Explanation | undefined): void {
    showProblem(find(this, '[data-problem]'), explanation, () => {
      find<HTMLDetailsElement>(this, '[data-connection]').open = true;
      find(this, '[data-relay]').focus();
    });
  }

  #say(status: string): void {
    const line = find(this, '[data-status]');
    // Set again, it would be read out again.
    if (line.textContent !== status) line.textContent = status;
  }
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

customElements.define('speech-live', SpeechLive);
