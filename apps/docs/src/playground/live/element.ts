import type { LiveRequest } from '@speech-api/live';
import { isLoopback } from '../connection/address.ts';
import { findServers, sandboxKey } from '../connection/fields.ts';
import { listVoices, VoiceField } from '../connection/voices.ts';
import { Island } from '../page/island.ts';
import { find } from '../page/page.ts';
import { SoundFields } from '../sound/sound-fields.ts';
import { explainLive } from './explain-live.ts';
import { LiveView } from './live-view.ts';
import type { LiveSession, SessionListener } from './session.ts';
import { endOfClauses, tokensOf } from './typing.ts';

/** Time per token of the simulated language model. */
const tokenMilliseconds = 30;
/** How often the figures are read while there is a session. */
const lookMilliseconds = 100;

const answer =
  'Good question. The tide comes in at seven, so the boats leave at half past six. ' +
  'If you want to see them go, be at the harbour by six; the café opens early, and the bread is still warm. ' +
  'By eight the water is back, and nobody would guess that there was ever sand.';

class SpeechLive extends Island {
  readonly action = 'Enter';
  readonly #text = find<HTMLTextAreaElement>(this.form, 'textarea');
  readonly #voice = new VoiceField(this.form);
  readonly #sound = new SoundFields(this.form);
  readonly #view = new LiveView(this);
  #session: LiveSession | undefined;
  /** Resolves to nothing where it was closed before the code for it was loaded. */
  #opening: Promise<LiveSession | undefined> | undefined;
  /** The text that the session has; the reader can change what is behind it. */
  #handed = '';
  #before = '';
  /** The settings changed since the session was opened. */
  #isStale = false;
  #model: ReturnType<typeof setInterval> | undefined;
  #look: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super(['wss:', 'ws:']);
    const text = this.#text;
    // The code for speaking is loaded at the first sign that it will be needed.
    text.addEventListener('focus', () => void import('./session.ts'), { once: true });
    text.addEventListener('input', (event) => this.#typed(event as InputEvent));
    text.addEventListener('compositionend', () => this.#typed());
    text.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#speakNow();
    });
    this.form.addEventListener('input', ({ target }) => {
      this.#isStale ||= target !== text;
    });
    find(this, '[data-clear]').addEventListener('click', () => this.#clear());
    find(this, '[data-model]').addEventListener('click', () => this.#writeAsModel());
  }

  disconnectedCallback(): void {
    this.#endModel();
    this.#close();
  }

  begin(): void {
    this.#speakNow();
    this.#text.focus();
  }

  get #relayUrl(): string {
    return this.connection.read().baseUrl;
  }

  #request(): LiveRequest {
    const { id } = this.#voice;
    return { ...(id === '' ? {} : { reference_id: id }), ...this.#sound.read() };
  }

  /** Learns which relay there is, and the voices of the sandbox behind it. */
  override async start(): Promise<void> {
    const { relayUrl, baseUrl } = await findServers(this.dataset.base ?? '/');
    this.connection.take(relayUrl);
    const sandbox = baseUrl === undefined ? '' : `, in front of the sandbox at ${new URL(baseUrl).host}`;
    this.say(
      relayUrl === undefined
        ? 'No relay was started beside this page. “npm start” in a clone runs one.'
        : `Ready: the relay at ${new URL(relayUrl).host}${sandbox}.`,
    );
    if (baseUrl !== undefined && isLoopback(location.origin)) {
      // The key of the sandbox is public; a list of voices is all that it is used for.
      const voices = await listVoices({ baseUrl, apiKey: sandboxKey }).catch(() => []);
      this.#voice.offer(voices, this.#text.value);
    }
    this.dataset.ready = '';
  }

  #typed(event?: InputEvent): void {
    const text = this.#text;
    if (event?.isComposing) return;
    if (text.value === '') {
      this.#clear();
      return;
    }
    if (!text.value.startsWith(this.#handed)) {
      text.value = this.#before;
      this.say('What was handed over stays as it is. Type behind it, or press Clear.');
    }
    if (/Paste|Drop/.test(event?.inputType ?? '')) {
      this.#before = text.value;
      this.say('Type a sentence and press Enter, or let a language model type.');
      this.#mark();
    } else this.#handOver(this.#handed.length + endOfClauses(text.value.slice(this.#handed.length)));
  }

  /** All that was typed is spoken now. */
  #speakNow(): void {
    const text = this.#text;
    if (this.#model !== undefined) return;
    const isNew = text.value.slice(this.#handed.length).trim() !== '';
    if (!isNew && this.#session?.isOpen !== true) {
      this.say('There is nothing new to speak. Type something first.');
      text.focus();
      return;
    }
    if (isNew) text.value = `${text.value.trimEnd()}\n`;
    this.#handOver(text.value.length);
    this.#end();
  }

  /** Takes what is not spoken yet, or an answer of its own, and writes it token by token. */
  #writeAsModel(): void {
    const text = this.#text;
    if (this.#model !== undefined) return;
    const own = text.value.slice(this.#handed.length);
    const tokens = tokensOf(own.trim() === '' ? answer : own);
    text.value = this.#handed;
    this.#model = setInterval(() => {
      const token = tokens.shift();
      text.value += token ?? '\n';
      this.#handOver(text.value.length);
      if (token !== undefined) return;
      this.#endModel();
      this.#end();
    }, tokenMilliseconds);
    this.#showModel();
  }

  #endModel(): void {
    clearInterval(this.#model);
    this.#model = undefined;
    this.#showModel();
  }

  #showModel(): void {
    const isWriting = this.#model !== undefined;
    this.#text.readOnly = isWriting;
    find(this, '[data-model]').setAttribute('aria-pressed', String(isWriting));
  }

  #mark(): void {
    const text = this.#text;
    this.#view.mark(text.value, this.#handed.length);
    find<HTMLButtonElement>(this, '[data-clear]').disabled = text.value === '';
  }

  #handOver(to: number): void {
    const text = this.#text;
    this.#before = text.value;
    const from = this.#handed.length;
    const piece = text.value.slice(from, to);
    if (piece !== '') {
      this.#handed += piece;
      this.say(`Spoken through the relay at ${this.#relayUrl}.`);
      if (this.#opening === undefined) this.#voice.suit(text.value);
      this.explain(undefined);
      const opening = this.#open();
      opening.then(
        (session) => session?.write(piece, from),
        (error: unknown) => opening === this.#opening && this.#failed(error, from, 0),
      );
    }
    this.#mark();
  }

  /** The text is complete: what comes next is spoken as another one. */
  #end(): void {
    void this.#opening?.then(
      (session) => session?.end(),
      () => {},
    );
  }

  /** The session, or another one where the settings changed and nothing is heard. */
  #open(): Promise<LiveSession | undefined> {
    const session = this.#session;
    const isQuiet = session?.isOpen === false && session.figures.waitingSeconds < 0.05;
    if (this.#isStale && isQuiet) this.#close();
    if (this.#opening !== undefined) return this.#opening;
    this.#isStale = false;
    this.dataset.state = 'connecting';
    const opening: Promise<LiveSession | undefined> = import('./session.ts').then((loaded) =>
      opening === this.#opening ? this.#start(loaded) : undefined,
    );
    this.#opening = opening;
    return opening;
  }

  #start({ LiveSession }: typeof import('./session.ts')): LiveSession {
    const isCurrent = () => session === this.#session;
    const listener: SessionListener = {
      heard: () => isCurrent() && this.say('All of it was heard.'),
      failed: (error, from, bytes) => isCurrent() && this.#failed(error, from, bytes),
    };
    const session = new LiveSession(this.connection.choose().baseUrl, this.#request(), listener);
    this.#session = session;
    find<HTMLButtonElement>(this, '[data-stop]').disabled = false;
    clearInterval(this.#look);
    this.#look = setInterval(() => this.#draw(session), lookMilliseconds);
    return session;
  }

  #draw({ figures }: LiveSession): void {
    const isSounding = figures.waitingSeconds > 0 || figures.state === 'speaking';
    const rest = this.dataset.state === 'stopped' ? 'stopped' : 'open';
    this.dataset.state = figures.state === 'connecting' ? 'connecting' : isSounding ? 'speaking' : rest;
    this.#view.show(figures, this.#text.value);
    this.#mark();
  }

  stop(): void {
    this.#endModel();
    const stopped = this.#session?.interrupt();
    if (stopped === undefined) return;
    const seconds = `${(stopped.playedMilliseconds / 1000).toFixed(1)} s`;
    this.dataset.state = 'stopped';
    this.#view.figure('heard', seconds);
    this.#view.cutOff(stopped.from + stopped.heard.length, this.#handed.length);
    this.#mark();
    const words = stopped.heard.trim().split(/\s+/).slice(-6).join(' ');
    const heard = words === '' ? 'Nothing was heard.' : `Heard, by estimate, up to “${words}”.`;
    this.say(`Stopped after ${seconds}. ${heard}`);
  }

  #clear(): void {
    const text = this.#text;
    this.#endModel();
    this.#close();
    this.#handed = '';
    this.#before = '';
    text.value = '';
    this.dataset.state = 'idle';
    this.explain(undefined);
    this.#view.clear();
    this.#mark();
    this.say('Ready.');
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
    this.#endModel();
    this.#close();
    this.dataset.state = 'failed';
    // Nothing of it was spoken: it is the reader's again, and is sent when the reader says so.
    if (bytes === 0) this.#handed = this.#handed.slice(0, from);
    this.#mark();
    this.#view.figure('state', 'not open');
    this.say(bytes === 0 ? 'Nothing was spoken.' : 'The session broke off.');
    this.explain(explainLive(error, this.#relayUrl));
  }
}

customElements.define('speech-live', SpeechLive);
