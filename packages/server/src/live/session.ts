import {
  type LiveClientMessage,
  type LiveServerMessage,
  type LiveTimedAudioMessage,
  limits,
  liveCloseCodes,
  type SynthesisRequest,
} from '@speech-api/types';
import { type RawData, WebSocket } from 'ws';
import { type LiveService, type LiveSpeech, Refusal, type TimedPiece } from '../answer.ts';
import { isBytes } from '../schema.ts';
import { closeReason, encodeLiveMessage, type LiveReceiver } from './messages.ts';

export interface LiveEndpointOptions {
  readonly receiver: LiveReceiver;
  /** Seconds a socket stays open without a session. */
  readonly idleSeconds: number;
  /** Name of the server in messages: `mock`, `sandbox`. */
  readonly server: string;
}

export interface ConversationOptions extends LiveEndpointOptions, LiveService {
  readonly call: {
    /** Aborted when the caller is gone or the server closes. */
    readonly signal: AbortSignal;
    /** Receives refusals of messages, and errors of the server. */
    noteFailure(error: unknown): void;
  };
}

interface Session {
  readonly request: SynthesisRequest;
  readonly speech: LiveSpeech;
  readonly abort: AbortController;
  stopped: boolean;
  /** Whether there is anything to speak; without words, the audio would be an empty container. */
  speakable: boolean;
  codePoints: number;
  /** The end of the text so far: a tag may begin in it and end in the next message. */
  tail: string;
}

/** Longer than the longest speaker tag. */
const tailLength = 32;
/** Time limit for a peer to answer a close. */
const closeMilliseconds = 5_000;
/** Time for a peer to receive the close when the server closes. */
const goodbyeMilliseconds = 150;

const speakable = /\S/;

/** Holds one live session after the other on a socket. Settles when it is closed and all work for it has ended. */
export function runConversation(socket: WebSocket, options: ConversationOptions): Promise<void> {
  return new Conversation(socket, options).run();
}

class Conversation {
  readonly #socket: WebSocket;
  readonly #options: ConversationOptions;
  #session: Session | undefined;
  /** Aborts the opening of the session that `start` requested. */
  #opening: AbortController | undefined;
  /** Frames that arrived during the opening. The socket is paused, so there are few of them. */
  readonly #held: [data: RawData, isBinary: boolean][] = [];
  #idle: NodeJS.Timeout | undefined;
  #speaking: Promise<void> | undefined;

  constructor(socket: WebSocket, options: ConversationOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { server, call } = this.#options;
    const { signal } = call;
    const onClosing = (): void => {
      this.#close(liveCloseCodes.goingAway, `The ${server} is closing.`);
      setTimeout(() => this.#socket.terminate(), goodbyeMilliseconds).unref();
    };
    signal.addEventListener('abort', onClosing, { once: true });
    this.#socket.on('message', (data, isBinary) => this.#onFrame(data, isBinary));
    // The library answers protocol violations and oversized messages with their close code.
    this.#socket.on('error', () => this.#abandon());
    const closed = new Promise((resolve) => this.#socket.once('close', resolve));
    this.#awaitStart();
    await closed;
    signal.removeEventListener('abort', onClosing);
    this.#abandon();
    await this.#speaking;
  }

  #onFrame(data: RawData, isBinary: boolean): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#opening !== undefined) {
      this.#held.push([data, isBinary]);
      return;
    }
    try {
      if (!isBinary) throw textFrame();
      this.#onMessage(this.#options.receiver.receive(bytesOf(data), this.#options.model));
    } catch (error) {
      this.#answerFailure(error);
    }
  }

  #onMessage(message: LiveClientMessage): void {
    const session = this.#session;
    if (message.event === 'start') {
      if (session === undefined) this.#start(message.request as SynthesisRequest);
      else throw outOfOrder('start', 'the session before it has not finished.');
    } else if (session === undefined) {
      throw outOfOrder(message.event, 'a session begins with `start`.');
    } else if (session.stopped) {
      throw outOfOrder(message.event, 'nothing follows `stop` before `finish`.');
    } else if (message.event === 'text') {
      this.#write(session, message.text);
    } else if (message.event === 'flush') {
      session.speech.flush();
    } else {
      session.stopped = true;
      session.speech.end();
    }
  }

  #start(request: SynthesisRequest): void {
    clearTimeout(this.#idle);
    const abort = new AbortController();
    this.#opening = abort;
    this.#socket.pause();
    this.#speaking = this.#open(request, abort);
  }

  async #open(request: SynthesisRequest, abort: AbortController): Promise<void> {
    const { text } = request;
    let session: Session;
    try {
      const signal = AbortSignal.any([abort.signal, this.#options.call.signal]);
      const speech = await this.#options.open(request, signal);
      session = {
        request,
        speech,
        abort,
        stopped: false,
        speakable: speakable.test(text),
        codePoints: countCodePoints(text),
        tail: text.slice(-tailLength),
      };
    } catch (error) {
      if (!abort.signal.aborted) this.#answerFailure(error);
      return;
    } finally {
      this.#opening = undefined;
      this.#socket.resume();
    }
    this.#session = session;
    const speaking = this.#speak(session);
    for (const [data, isBinary] of this.#held.splice(0)) this.#onFrame(data, isBinary);
    await speaking;
  }

  /** @throws Refusal if the text and earlier fields break a rule */
  #write(session: Session, text: string): void {
    const { receiver, model } = this.#options;
    session.codePoints += countCodePoints(text);
    if (session.codePoints > limits.textCodePoints) {
      const message = `The text of the session is longer than ${limits.textCodePoints} characters. Begin another session.`;
      throw new Refusal('text-too-long', { message });
    }
    receiver.checkText(session.tail + text, session.request, model);
    session.tail = (session.tail + text).slice(-tailLength);
    session.speakable ||= speakable.test(text);
    session.speech.write(text);
  }

  async #speak(session: Session): Promise<void> {
    let failure: unknown;
    let waiting: TimedPiece[] = [];
    try {
      for await (const made of session.speech.pieces) {
        const piece = isBytes(made) ? { audio: made } : made;
        // The last correction of word times may come without audio.
        if (piece.audio.length > 0 || piece.alignment) waiting.push(piece);
        if (!session.speakable) continue;
        for (const piece of waiting) await this.#send({ event: 'audio', ...piece });
        waiting = [];
      }
    } catch (error) {
      failure = error;
    }
    if (session.abort.signal.aborted || this.#socket.readyState !== WebSocket.OPEN) return;
    if (failure === undefined) this.#finish({ event: 'finish', reason: 'stop' });
    else this.#answerFailure(failure);
  }

  #answerFailure(error: unknown): void {
    const { server, call } = this.#options;
    call.noteFailure(error);
    if (error instanceof Refusal && error.entry.id === 'malformed-body') {
      this.#close(liveCloseCodes.notMessagePack, error.message);
    } else if (error instanceof Refusal) {
      if (error.status < 500) this.#refuse(error.message, error.status);
      else this.#fail(error.message, error.status);
    } else {
      this.#fail(`The ${server} failed; its log has the reason under the trace id of the upgrade.`, 500);
    }
  }

  /** `finish` comes after `stop` only; a failure before that is an error that ends the conversation. */
  #fail(message: string, status: number): void {
    if (this.#session?.stopped) this.#finish({ event: 'finish', reason: 'error', message });
    else this.#refuse(message, status, liveCloseCodes.fault);
  }

  #finish(message: LiveServerMessage): void {
    this.#session = undefined;
    void this.#send(message).catch(() => {});
    this.#awaitStart();
  }

  #awaitStart(): void {
    const { idleSeconds } = this.#options;
    this.#idle = setTimeout(() => this.#close(liveCloseCodes.finished, 'No start came.'), idleSeconds * 1000);
  }

  #refuse(message: string, status: number, code: number = liveCloseCodes.refused): void {
    void this.#send({ event: 'error', error: message, status }).catch(() => {});
    this.#close(code, message);
  }

  #close(code: number, reason: string): void {
    this.#abandon();
    this.#socket.close(code, closeReason(reason));
    setTimeout(() => this.#socket.terminate(), closeMilliseconds).unref();
  }

  /** Stops the work at once, because nobody is listening. */
  #abandon(): void {
    clearTimeout(this.#idle);
    this.#held.length = 0;
    this.#opening?.abort();
    this.#session?.abort.abort();
    this.#session = undefined;
  }

  /** Settles when the connection has accepted the frame, so that a slow reader never has more than one waiting. */
  #send(message: LiveServerMessage | LiveTimedAudioMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(encodeLiveMessage(message), { binary: true }, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }
}

function outOfOrder(event: string, reason: string): Refusal {
  return new Refusal('schema', { message: `\`${event}\` is out of order: ${reason}` });
}

function textFrame(): Refusal {
  return new Refusal('malformed-body', { message: 'A frame must be binary MessagePack, not text.' });
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
