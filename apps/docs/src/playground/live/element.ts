import { AuthenticationError, ConnectionError } from '@speech-api/client';
import { isLoopback } from '../connection/address.ts';
import { type Servers, sandboxKey } from '../connection/fields.ts';
import { offerVoices, readVoice } from '../connection/voices.ts';
import { type Explanation, explainError } from '../explain-error.ts';
import { Island } from '../page/island.ts';
import { find, loadPart } from '../page/page.ts';
import { readSound } from '../sound/sound-fields.ts';
import { endOfClauses } from './clauses.ts';
import type { LiveSession } from './session.ts';

/** Time per token of the simulated language model. */
const tokenMilliseconds = 30;
/** How often the figures are read while there is a session. */
const drawMilliseconds = 100;

const answer =
  'Good question. The tide comes in at seven, so the boats leave at half past six. ' +
  'If you want to see them go, be at the harbour by six; the café opens early, and the bread is still warm. ' +
  'By eight the water is back, and nobody would guess that there was ever sand.';

class SpeechLive extends Island {
  readonly action = 'Enter';
  #opening: Promise<LiveSession> | undefined;
  #session: LiveSession | undefined;
  /** The text that the session has; the reader can change what is behind it. */
  #sessionText = '';
  /** The whole text before it was changed last. */
  #previousText = '';
  /** End of the sent text; the rest of the text that the session has waits for its clause to end. */
  #sent = 0;
  /** Stretches of the text that were cut off. */
  #cutOff: { readonly from: number; readonly to: number }[] = [];
  #modelTimer: ReturnType<typeof setInterval> | undefined;
  #drawTimer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super(['wss:', 'ws:']);
    const { text } = this;
    // The code for speaking is loaded at the first sign that it will be needed.
    text.addEventListener('focus', () => void import('./session.ts'), { once: true });
    text.addEventListener('input', (event) => {
      if (!(event as InputEvent).isComposing) this.#typed();
    });
    text.addEventListener('compositionend', () => this.#typed());
    text.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.begin();
    });
    find(this, '[data-clear]').addEventListener('click', () => this.#clear());
    find(this, '[data-model]').addEventListener('click', () => this.#typeAsModel());
  }

  /** Learns which relay there is, and the voices of the sandbox behind it. */
  async start({ relayUrl, baseUrl }: Servers): Promise<void> {
    this.connection.take(relayUrl);
    const sandbox = baseUrl === undefined ? '' : `, in front of the sandbox at ${new URL(baseUrl).host}`;
    this.say(
      relayUrl === undefined
        ? 'No relay was started beside this page. “npm start” in a clone runs one.'
        : `Ready: the relay at ${new URL(relayUrl).host}${sandbox}.`,
    );
    // The key of the sandbox is public; a list of voices is all that it is used for.
    if (baseUrl !== undefined && isLoopback(location.origin))
      await offerVoices(this.form, { baseUrl, apiKey: sandboxKey }).catch(() => undefined);
  }

  override reconnect(): void {
    super.reconnect();
    this.#close();
  }

  #typed(): void {
    const { text } = this;
    if (text.value === '') {
      this.#clear();
      return;
    }
    if (!text.value.startsWith(this.#sessionText)) {
      text.value = this.#previousText;
      this.say('What was sent stays as it is. Type behind it, or press Clear.');
    }
    const start = this.#sessionText.length;
    this.#handOver(start + endOfClauses(text.value.slice(start)));
  }

  /** All that was typed is spoken now. */
  begin(): void {
    const { text } = this;
    if (this.#modelTimer !== undefined) return;
    if (text.value.slice(this.#sessionText.length).trim() !== '') text.value = `${text.value.trimEnd()}\n`;
    this.#handOver(text.value.length);
    this.#end();
    text.focus();
  }

  /** Writes an answer token by token, as a language model does. */
  #typeAsModel(): void {
    const { text } = this;
    if (this.#modelTimer !== undefined) return;
    const tokens = answer.match(/\s*\S{1,5}/g) ?? [];
    const interval = setInterval(() => {
      const token = tokens.shift();
      text.value += token ?? '\n';
      this.#handOver(text.value.length);
      if (token !== undefined) return;
      this.#showModel(undefined);
      this.#end();
    }, tokenMilliseconds);
    this.#showModel(interval);
  }

  /** @param interval in which it writes; undefined ends it */
  #showModel(interval: ReturnType<typeof setInterval> | undefined): void {
    if (interval === undefined) clearInterval(this.#modelTimer);
    this.#modelTimer = interval;
    this.text.readOnly = interval !== undefined;
    find(this, '[data-model]').setAttribute('aria-pressed', String(this.text.readOnly));
  }

  #handOver(to: number): void {
    const from = this.#sessionText.length;
    const piece = this.text.value.slice(from, to);
    this.#previousText = this.text.value;
    if (piece !== '') {
      this.#sessionText += piece;
      this.show('speaking', `Spoken through the relay at ${this.connection.baseUrl}.`);
      this.explain(undefined);
      void this.#write(piece, from);
    }
    this.#draw();
  }

  async #write(piece: string, from: number): Promise<void> {
    this.#opening ??= this.#open();
    const opening = this.#opening;
    try {
      const session = await opening;
      if (opening !== this.#opening) return;
      this.#session = session;
      this.#drawTimer ??= setInterval(() => this.#draw(), drawMilliseconds);
      session.write(piece, from, { ...readVoice(this.form), ...readSound(this.form) });
    } catch (error) {
      if (opening === this.#opening) this.#failed(error, from, 0);
    }
  }

  /** The text is complete: what comes next is spoken as another one. */
  #end(): void {
    void this.#opening?.then(
      (session) => session.end(),
      () => undefined,
    );
  }

  async #open(): Promise<LiveSession> {
    const { baseUrl } = this.connection.choose();
    const { LiveSession } = await loadPart(import('./session.ts'));
    const isCurrent = (): boolean => session === this.#session;
    const session: LiveSession = new LiveSession(baseUrl, {
      heard: () => isCurrent() && this.show('idle', 'All of it was heard.'),
      failed: (error, from, bytes) => isCurrent() && this.#failed(error, from, bytes),
    });
    return session;
  }

  stop(): void {
    this.#showModel(undefined);
    const stopped = this.#session?.interrupt();
    if (stopped === undefined) return;
    const seconds = `${(stopped.playedMilliseconds / 1000).toFixed(1)} s`;
    this.#cutOff.push({ from: stopped.from + stopped.heard.length, to: this.#sessionText.length });
    this.#draw();
    this.#figure('heard', seconds);
    const words = stopped.heard.trim().split(/\s+/).slice(-6).join(' ');
    const heard = words === '' ? 'Nothing was heard.' : `Heard, by estimate, up to “${words}”.`;
    this.show('stopped', `Stopped after ${seconds}. ${heard}`);
  }

  #clear(): void {
    this.#showModel(undefined);
    this.#close();
    this.#sessionText = '';
    this.#previousText = '';
    this.#sent = 0;
    this.#cutOff = [];
    this.text.value = '';
    this.explain(undefined);
    this.#draw();
    this.#figure('heard', '0.0 s');
    this.show('idle', 'Ready.');
    this.text.focus();
  }

  /** Ends the session; the next text opens another one. */
  #close(): void {
    clearInterval(this.#drawTimer);
    this.#drawTimer = undefined;
    void this.#opening?.then(
      (session) => session.close(),
      () => undefined,
    );
    this.#opening = undefined;
    this.#session = undefined;
  }

  #failed(error: unknown, from: number, bytes: number): void {
    this.#showModel(undefined);
    this.#close();
    // Nothing of it was spoken: it is the reader's again, and is sent when the reader says so.
    if (bytes === 0) this.#sessionText = this.#sessionText.slice(0, from);
    this.#draw();
    this.show('failed', bytes === 0 ? 'Nothing was spoken.' : 'The session broke off.');
    this.explain(explainLive(error, this.connection.baseUrl));
  }

  /** Shows the figures of the session, and marks the text. */
  #draw(): void {
    const { metrics, from = 0, heardSeconds = 0, waitingSeconds = 0 } = this.#session?.figures ?? {};
    const { firstAudioMilliseconds: first, connectionReused, characters = 0 } = metrics ?? {};
    const { value } = this.text;
    if (this.#session) this.#sent = from + [...value.slice(from)].slice(0, characters).join('').length;
    const socket = connectionReused ? 'same socket' : 'new socket';
    this.#figure('first', first === undefined ? '–' : `${Math.round(first)} ms, ${socket}`);
    this.#figure('sent', `${characters} characters`);
    if (heardSeconds > 0) this.#figure('heard', `${heardSeconds.toFixed(1)} s`);
    this.#figure('waiting', `${waitingSeconds.toFixed(1)} s`);
    find<HTMLButtonElement>(this, '[data-stop]').disabled = this.#session === undefined;
    find<HTMLButtonElement>(this, '[data-clear]').disabled = value === '';
    this.#mark(value);
  }

  #figure(name: string, text: string): void {
    find(this, `[data-figure="${name}"]`).textContent = text;
  }

  /** Draws below the text what was sent, what waits and what was cut off. */
  #mark(text: string): void {
    const sessionEnd = this.#sessionText.length;
    const kindAt = (index: number): string => {
      if (this.#cutOff.some(({ from, to }) => from <= index && index < to)) return 'unheard';
      if (index >= sessionEnd) return '';
      return index < this.#sent ? 'sent' : 'waiting';
    };
    const edges = [0, this.#sent, sessionEnd, ...this.#cutOff.flatMap(({ from, to }) => [from, to])];
    const starts = [...new Set(edges)]
      .sort((left, right) => left - right)
      .filter((start) => start === 0 || kindAt(start) !== kindAt(start - 1));
    const spans = starts.map((start, place) => {
      const span = document.createElement('span');
      span.dataset.mark = kindAt(start);
      span.textContent = text.slice(start, starts[place + 1]);
      return span;
    });
    // The line break keeps the last line open, as the field does.
    find(this, '[data-marks]').replaceChildren(...spans, '\n');
  }
}

/** Turns an error of a live session into words for the reader. */
function explainLive(error: unknown, relayUrl: string): Explanation {
  const detail = error instanceof Error ? error.message : String(error);
  if (ConnectionError.isInstance(error)) {
    const where = isLoopback(location.origin)
      ? 'Start one with its sandbox and this site, from a clone of the repository, and open the page that it prints.'
      : `A relay lets in pages of its own site alone, and this one comes from ${location.host}. In a clone of the repository, this starts the site, a sandbox and a relay that know each other.`;
    return {
      title: `No relay answers at ${relayUrl}`,
      advice: `${where} What you typed is still there: Enter sends it again.`,
      command: 'npm start',
      detail,
    };
  }
  if (AuthenticationError.isInstance(error)) {
    return {
      title: 'The relay does not let this page in',
      advice: 'It asks for a ticket or a session of its own application. The relay of “npm start” does not.',
      detail,
      field: 'baseUrl',
    };
  }
  return explainError(error, { baseUrl: relayUrl, action: 'Enter' });
}

customElements.define('speech-live', SpeechLive);
