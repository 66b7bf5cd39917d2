import { openPlayer } from '@speech-api/audio/player';
import {
  connectLive,
  type Interruption,
  type LiveConnection,
  type LiveRequest,
  type LiveSpeech,
  throughRelay,
} from '@speech-api/live';
import { defaultSampleRates } from '@speech-api/types';

/** Without text for so long, an utterance is ended: a relay closes sessions that stay silent for longer. */
const pauseMilliseconds = 20_000;

/** What a page wants to know of a session. */
export interface SessionListener {
  /** Everything has been heard. */
  heard(): void;
  /** @param from where the utterance that failed begins in the page's text; `bytes` of its audio had arrived */
  failed(error: unknown, from: number, bytes: number): void;
}

/** A text that is spoken while it is written. */
class Utterance implements AsyncIterable<string> {
  /** Start in the page's text. */
  readonly from: number;
  readonly request: LiveRequest;
  speech: LiveSpeech | undefined;
  isStopped = false;
  readonly #pieces: string[] = [];
  #isOver = false;
  #wake = (): void => {};

  constructor(from: number, request: LiveRequest) {
    this.from = from;
    this.request = request;
  }

  push(text: string): void {
    this.#pieces.push(text);
    this.#wake();
  }

  /** There is no more text. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) yield piece;
      else if (this.#isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/** A connection to the relay and a player: text in, sound out, one utterance after the other. */
export class LiveSession {
  readonly #listener: SessionListener;
  readonly #player = openPlayer('pcm', { sampleRate: defaultSampleRates.pcm });
  readonly #connecting: Promise<LiveConnection>;
  /** The utterance that takes text. */
  #written: Utterance | undefined;
  /** The utterance that was sent last. */
  #sent: Utterance | undefined;
  /** The utterances that were not heard to their end. */
  readonly #open = new Set<Utterance>();
  #turn: Promise<void> = Promise.resolve();
  #pause: ReturnType<typeof setTimeout> | undefined;

  constructor(relayUrl: string, listener: SessionListener) {
    this.#listener = listener;
    this.#connecting = connectLive(throughRelay({ url: relayUrl }), { format: 'pcm' });
    this.#connecting.catch(() => undefined);
  }

  /** Adds text to the utterance that is written, or begins one at this place of the page's text. */
  write(text: string, from: number, request: LiveRequest): void {
    const utterance = this.#written ?? new Utterance(from, request);
    if (this.#written === undefined) {
      this.#written = utterance;
      this.#open.add(utterance);
      this.#turn = this.#turn.then(() => this.#speak(utterance));
    }
    utterance.push(text);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.end(), pauseMilliseconds);
  }

  /** The utterance is complete; the next text begins another one on the same socket. */
  end(): void {
    clearTimeout(this.#pause);
    this.#written?.end();
    this.#written = undefined;
  }

  /** Falls silent at once. @returns what was heard, by estimate, and where its text begins; undefined for nothing */
  interrupt(): (Interruption & { readonly from: number }) | undefined {
    const playedMs = this.#player.stop();
    const utterance = this.#sent;
    const isHeard = utterance !== undefined && this.#open.has(utterance);
    this.end();
    for (const open of this.#open) open.isStopped = true;
    this.#open.clear();
    const interruption = isHeard ? utterance.speech?.interrupt({ playedMs }) : undefined;
    return interruption && { ...interruption, from: utterance?.from ?? 0 };
  }

  /** Figures of the utterance that was sent last, and of the sound. */
  get figures() {
    const { playedMilliseconds, bufferedSeconds } = this.#player;
    return {
      metrics: this.#sent?.speech?.metrics,
      from: this.#sent?.from ?? 0,
      heardSeconds: playedMilliseconds / 1000,
      waitingSeconds: bufferedSeconds,
    };
  }

  async close(): Promise<void> {
    this.interrupt();
    this.#connecting.then(
      (connection) => connection.close(),
      () => undefined,
    );
    await this.#player.close();
  }

  /** Speaks one utterance to its end. Never rejects. */
  async #speak(utterance: Utterance): Promise<void> {
    try {
      const connection = await this.#connecting;
      if (utterance.isStopped) return;
      utterance.speech = connection.speak(utterance, {
        request: utterance.request,
        played: () => this.#player.playedMilliseconds,
      });
      this.#sent = utterance;
      await this.#player.play(utterance.speech);
      await this.#player.drained;
      this.#open.delete(utterance);
      if (!utterance.isStopped && this.#open.size === 0) this.#listener.heard();
    } catch (error) {
      if (utterance.isStopped) return;
      this.#open.delete(utterance);
      if (this.#written === utterance) this.end();
      this.#listener.failed(error, utterance.from, utterance.speech?.metrics.bytes ?? 0);
    }
  }
}
