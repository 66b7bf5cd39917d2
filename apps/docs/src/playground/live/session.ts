import { openPlayer, type Player } from '@speech-api/audio/player';
import {
  connectLive,
  type Interruption,
  type LiveConnection,
  type LiveMetrics,
  type LiveRequest,
  type LiveSpeech,
  throughRelay,
} from '@speech-api/live';
import { defaultSampleRates, synthesisDefaults } from '@speech-api/types';
import { WrittenText } from './typing.ts';

/** Told while a session runs. */
export interface SessionListener {
  /** The last sample of everything was heard. */
  heard(): void;
  /** @param from where the utterance that failed begins in the page's text; `bytes` of its audio had arrived */
  failed(error: unknown, from: number, bytes: number): void;
}

/** State and figures of a session for display on a page. */
export interface SessionFigures {
  readonly state: 'connecting' | 'speaking' | 'ready' | 'closed';
  /** Of the utterance that began last. */
  readonly metrics: LiveMetrics | undefined;
  /** Start of that utterance's text in the page's text. */
  readonly from: number;
  /** Of all utterances. */
  readonly characters: number;
  readonly bytes: number;
  /** Of the utterance that is heard. */
  readonly heardSeconds: number;
  readonly waitingSeconds: number;
  readonly underruns: number;
}

/** One text that is spoken while it is written. */
interface Utterance {
  readonly text: WrittenText;
  /** Start in the page's text. */
  readonly from: number;
  speech: LiveSpeech | undefined;
  isStopped: boolean;
}

/** The part of an utterance that was heard before it was stopped. */
export interface Stopped extends Interruption {
  /** Start of the interrupted utterance in the page's text. */
  readonly from: number;
}

/** Without text for so long, an utterance is ended: a relay closes sessions that stay silent for longer. */
const pauseMilliseconds = 20_000;

/** A connection to the relay and a player: text in, sound out. Make it in a click or a key press. */
export class LiveSession {
  readonly #listener: SessionListener;
  readonly #player: Player;
  readonly #connecting: Promise<LiveConnection>;
  #connection: LiveConnection | undefined;
  /** The one that takes text. */
  #utterance: Utterance | undefined;
  /** All that began, in order. */
  readonly #utterances: Utterance[] = [];
  /** The index of the one that is heard. */
  #heard = 0;
  #heardMilliseconds = 0;
  #reading = 0;
  #pause: ReturnType<typeof setTimeout> | undefined;
  /** Settles when the utterances before the next one are read: a socket serves one at a time. */
  #turn: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(relayUrl: string, request: LiveRequest, listener: SessionListener) {
    this.#listener = listener;
    const format = request.format ?? synthesisDefaults.format;
    this.#player = openPlayer(format, { sampleRate: request.sample_rate ?? defaultSampleRates[format] });
    this.#connecting = connectLive(throughRelay({ url: relayUrl }), request);
    this.#connecting.then(
      (connection) => {
        this.#connection = connection;
        if (this.#isClosed) connection.close();
      },
      () => {},
    );
  }

  /** Whether the current utterance still accepts text. */
  get isOpen(): boolean {
    return this.#utterance !== undefined;
  }

  /** Adds text to the utterance that runs, or begins one. @param from where it is in the page's text */
  write(text: string, from: number): void {
    this.#utterance ??= this.#begin(from);
    this.#utterance.text.push(text);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.end(), pauseMilliseconds);
  }

  /** The utterance is complete; the next text begins another one on the same socket. */
  end(): void {
    clearTimeout(this.#pause);
    this.#utterance?.text.end();
    this.#utterance = undefined;
  }

  /** Falls silent at once. @returns what was heard, by estimate; undefined when nothing was spoken */
  interrupt(): Stopped | undefined {
    this.#look();
    const heard = this.#utterances[this.#heard];
    const playedMs = this.#player.stop();
    this.end();
    let stopped: Interruption | undefined;
    for (const utterance of this.#utterances.slice(this.#heard)) {
      utterance.isStopped = true;
      const interruption = utterance.speech?.interrupt({ playedMs: utterance === heard ? playedMs : 0 });
      if (utterance === heard) stopped = interruption;
    }
    this.#heard = this.#utterances.length;
    if (heard === undefined || stopped === undefined) return undefined;
    return { ...stopped, from: heard.from };
  }

  get figures(): SessionFigures {
    this.#look();
    const { playedMilliseconds, bufferedSeconds, underruns } = this.#player;
    const all = this.#utterances.map(({ speech }) => speech?.metrics);
    const sum = (name: 'characters' | 'bytes') => all.reduce((total, one) => total + (one?.[name] ?? 0), 0);
    return {
      state: this.#state,
      metrics: all.at(-1),
      from: this.#utterances.at(-1)?.from ?? 0,
      characters: sum('characters'),
      bytes: sum('bytes'),
      heardSeconds: playedMilliseconds / 1000,
      waitingSeconds: bufferedSeconds,
      underruns,
    };
  }

  get #state(): SessionFigures['state'] {
    if (this.#connection === undefined) return 'connecting';
    if (this.isOpen || this.#reading > 0) return 'speaking';
    return this.#connection.isReady ? 'ready' : 'closed';
  }

  /** The player tells how much of an utterance was heard, not of which: where that falls, the next one began. */
  #look(): void {
    const { playedMilliseconds } = this.#player;
    if (playedMilliseconds < this.#heardMilliseconds && this.#heard < this.#utterances.length - 1)
      this.#heard += 1;
    this.#heardMilliseconds = playedMilliseconds;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.interrupt();
    this.#connection?.close();
    await this.#player.close();
  }

  #begin(from: number): Utterance {
    const utterance: Utterance = { text: new WrittenText(), from, speech: undefined, isStopped: false };
    this.#utterances.push(utterance);
    this.#reading += 1;
    this.#turn = this.#turn
      .then(() => this.#speak(utterance))
      .finally(() => {
        this.#reading -= 1;
      });
    return utterance;
  }

  /** Speaks one utterance. Never rejects. */
  async #speak(utterance: Utterance): Promise<void> {
    try {
      const connection = await this.#connecting;
      if (utterance.isStopped) return;
      const speech = connection.speak(utterance.text, { played: () => this.#player.playedMilliseconds });
      utterance.speech = speech;
      await this.#player.play(speech);
      if (utterance.isStopped) return;
      void this.#player.drained.then(() => {
        const isLast = this.#utterances.at(-1) === utterance;
        if (!utterance.isStopped && isLast) this.#listener.heard();
      });
    } catch (error) {
      if (utterance.isStopped) return;
      if (this.#utterance === utterance) this.end();
      this.#listener.failed(error, utterance.from, utterance.speech?.metrics.bytes ?? 0);
    }
  }
}
