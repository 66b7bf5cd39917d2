import {
  closeCodes,
  closeReason,
  DecodeFailure,
  encodeLiveMessage,
  type LiveClientMessage,
  type LiveReceiver,
  type LiveServerMessage,
  Refusal,
} from '@speech-api/server';
import type { SynthesisRequest } from '@speech-api/types';
import { type RawData, WebSocket } from 'ws';
import { SpeechOverloadError } from '../speech/engine/protocol.ts';
import { keepAlive } from './keep-alive.ts';
import type { Speaker, SpokenText } from './speaker.ts';

/** What a conversation is held with. */
export interface ConversationOptions {
  readonly receiver: LiveReceiver;
  readonly speaker: Speaker;
  /** Seconds without a session after which the socket is closed. */
  readonly idleSeconds: number;
  /** Aborted when the socket is gone or the sandbox closes. */
  readonly signal: AbortSignal;
}

/** One session, from `start` to `finish`. */
interface Session {
  readonly request: SynthesisRequest;
  readonly text: SpokenText;
  readonly abort: AbortController;
  stopped: boolean;
  /** The end of the text so far: a tag may begin in it and end in what follows. */
  tail: string;
}

/** Longer than any speaker tag. */
const tailLength = 32;
/** How long a peer may take to answer a close. */
const closeMilliseconds = 5000;
/** How long a peer has to take the close when the sandbox closes. */
const goodbyeMilliseconds = 150;

/** Holds one live session after the other on a socket. Settles when it is closed and all work for it has ended. */
export function runConversation(socket: WebSocket, options: ConversationOptions): Promise<void> {
  return new Conversation(socket, options).run();
}

class Conversation {
  readonly #socket: WebSocket;
  readonly #options: ConversationOptions;
  #session: Session | undefined;
  /** The session that `start` asked for, while its samples are listened to. */
  #opening: AbortController | undefined;
  /** Frames that came behind such a `start`. The socket is paused, so they are no more than it had read. */
  readonly #held: [data: RawData, isBinary: boolean][] = [];
  #idle: NodeJS.Timeout | undefined;
  #speaking: Promise<void> | undefined;

  constructor(socket: WebSocket, options: ConversationOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    const stopKeepingAlive = keepAlive(this.#socket);
    const onClosing = () => {
      this.#close(closeCodes.goingAway, 'The sandbox is closing.');
      setTimeout(() => this.#socket.terminate(), goodbyeMilliseconds).unref();
    };
    signal.addEventListener('abort', onClosing, { once: true });
    this.#socket.on('message', (data, isBinary) => this.#onFrame(data, isBinary));
    // What breaks the WebSocket protocol, or is too large, is answered by the library with its close code.
    this.#socket.on('error', () => this.#abandon());
    const closed = new Promise((resolve) => this.#socket.once('close', resolve));
    this.#awaitStart();
    await closed;
    stopKeepingAlive();
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
    if (!isBinary) {
      this.#close(closeCodes.notMessagePack, 'A frame must be binary MessagePack, not text.');
      return;
    }
    try {
      this.#onMessage(this.#options.receiver.receive(bytesOf(data), this.#options.speaker.model));
    } catch (error) {
      this.#answerFailure(error);
    }
  }

  #answerFailure(error: unknown): void {
    if (error instanceof DecodeFailure) this.#close(closeCodes.notMessagePack, error.message);
    else if (error instanceof Refusal) this.#refuse(error.message);
    else this.#fail(error);
  }

  #onMessage(message: LiveClientMessage): void {
    const session = this.#session;
    if (message.event === 'start') {
      if (session === undefined) this.#start(message.request);
      else this.#refuse('`start` is out of order: the session before it has not finished.');
      return;
    }
    if (session === undefined) {
      this.#refuse(`\`${message.event}\` is out of order: a session begins with \`start\`.`);
    } else if (session.stopped) {
      this.#refuse(`\`${message.event}\` is out of order: nothing follows \`stop\` before \`finish\`.`);
    } else if (message.event === 'text') {
      const { receiver, speaker } = this.#options;
      receiver.checkText(session.tail + message.text, session.request, speaker.model);
      session.tail = (session.tail + message.text).slice(-tailLength);
      session.text.write(message.text);
    } else if (message.event === 'flush') {
      session.text.flush();
    } else {
      session.stopped = true;
      session.text.end();
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
    try {
      const signal = AbortSignal.any([abort.signal, this.#options.signal]);
      const text = await this.#options.speaker.open(request, signal);
      this.#session = { request, text, abort, stopped: false, tail: request.text.slice(-tailLength) };
    } catch (error) {
      if (!abort.signal.aborted) this.#answerFailure(error);
      return;
    } finally {
      this.#opening = undefined;
      this.#socket.resume();
    }
    const speaking = this.#speak(this.#session);
    for (const [data, isBinary] of this.#held.splice(0)) this.#onFrame(data, isBinary);
    await speaking;
  }

  async #speak(session: Session): Promise<void> {
    let failure: unknown;
    try {
      for await (const { audio } of session.text.pieces) {
        if (audio.length > 0) await this.#send({ event: 'audio', audio });
      }
    } catch (error) {
      failure = error;
    }
    if (session.abort.signal.aborted || this.#socket.readyState !== WebSocket.OPEN) return;
    if (failure === undefined) this.#finish({ event: 'finish', reason: 'stop' });
    else this.#fail(failure);
  }

  /** `finish` comes after `stop` only; what fails before that is an error that ends the conversation. */
  #fail(error: unknown): void {
    const overloaded = SpeechOverloadError.isInstance(error);
    if (!overloaded) this.#options.speaker.logFailure(error);
    const message = overloaded
      ? 'The sandbox has more to speak than it can; try again in a moment.'
      : 'The sandbox failed; its log has the reason under the trace id of the upgrade.';
    if (this.#session?.stopped) this.#finish({ event: 'finish', reason: 'error', message });
    else this.#refuse(message, closeCodes.fault);
  }

  #finish(message: LiveServerMessage): void {
    this.#session = undefined;
    void this.#send(message).catch(() => {});
    this.#awaitStart();
  }

  #awaitStart(): void {
    const { idleSeconds } = this.#options;
    this.#idle = setTimeout(() => this.#close(closeCodes.finished, 'No start came.'), idleSeconds * 1000);
  }

  #refuse(message: string, code: number = closeCodes.refused): void {
    void this.#send({ event: 'error', error: message }).catch(() => {});
    this.#close(code, message);
  }

  #close(code: number, reason: string): void {
    this.#abandon();
    this.#socket.close(code, closeReason(reason));
    setTimeout(() => this.#socket.terminate(), closeMilliseconds).unref();
  }

  /** Nobody listens any more: the work stops at once. */
  #abandon(): void {
    clearTimeout(this.#idle);
    this.#held.length = 0;
    this.#opening?.abort();
    this.#session?.abort.abort();
    this.#session = undefined;
  }

  /** Settles when the connection has taken the frame, so that no more than one of them is ever kept for a slow reader. */
  #send(message: LiveServerMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(encodeLiveMessage(message), { binary: true }, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
