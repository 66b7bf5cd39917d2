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
import { limits } from '@speech-api/types';
import { type RawData, WebSocket } from 'ws';
import type { Violation } from '../calls/recorded-call.ts';
import { violationsOf, withoutValues } from '../calls/violations.ts';
import { LiveSpeech } from './live-speech.ts';

/** What a conversation is held with. */
export interface ConversationOptions {
  readonly receiver: LiveReceiver;
  /** The model header of the upgrade. */
  readonly model: string | undefined;
  /** Seconds without a session after which the socket is closed. */
  readonly idleSeconds: number;
  /** Aborted when the socket is gone or the mock closes. */
  readonly signal: AbortSignal;
  readonly onViolation: (violations: readonly Violation[]) => void;
}

/** One session, from `start` to `finish`. */
interface Session {
  readonly request: Extract<LiveClientMessage, { event: 'start' }>['request'];
  readonly speech: LiveSpeech;
  stopped: boolean;
  /** The end of the text so far: a tag may begin in it and end in what follows. */
  tail: string;
  codePoints: number;
}

/** Longer than any speaker tag. */
const tailLength = 32;
/** How long a peer may take to answer a close. */
const closeMilliseconds = 5_000;
/** How long a peer has to take the close when the mock closes. */
const goodbyeMilliseconds = 150;

/** Holds one live session after the other on a socket. */
export function holdConversation(socket: WebSocket, options: ConversationOptions): void {
  new Conversation(socket, options).begin();
}

class Conversation {
  readonly #socket: WebSocket;
  readonly #options: ConversationOptions;
  #session: Session | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** What was said before is sent before what is said now. */
  #sending: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, options: ConversationOptions) {
    this.#socket = socket;
    this.#options = options;
  }

  begin(): void {
    const { signal } = this.#options;
    const onClosing = (): void => {
      this.#close(closeCodes.goingAway, 'The mock is closing.');
      setTimeout(() => this.#socket.terminate(), goodbyeMilliseconds).unref();
    };
    signal.addEventListener('abort', onClosing, { once: true });
    this.#socket.on('message', (data, isBinary) => this.#onFrame(data, isBinary));
    // What breaks the WebSocket protocol, or is too large, is answered by the library with its close code.
    this.#socket.on('error', () => this.#abandon());
    this.#socket.once('close', () => {
      signal.removeEventListener('abort', onClosing);
      this.#abandon();
    });
    this.#awaitStart();
  }

  #onFrame(data: RawData, isBinary: boolean): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    try {
      if (!isBinary) throw textFrame();
      this.#onMessage(this.#options.receiver.receive(bytesOf(data), this.#options.model));
    } catch (error) {
      if (error instanceof DecodeFailure) {
        this.#violates('malformed-body', error.message);
        this.#close(closeCodes.notMessagePack, error.message);
      } else if (error instanceof Refusal) {
        this.#options.onViolation(violationsOf(error));
        this.#refuse(error.message);
      } else throw error;
    }
  }

  #onMessage(message: LiveClientMessage): void {
    const session = this.#session;
    if (message.event === 'start') {
      if (session === undefined) this.#start(message.request);
      else this.#outOfOrder('`start` is out of order: the session before it has not finished.');
    } else if (session === undefined) {
      this.#outOfOrder(`\`${message.event}\` is out of order: a session begins with \`start\`.`);
    } else if (session.stopped) {
      this.#outOfOrder(`\`${message.event}\` is out of order: nothing follows \`stop\` before \`finish\`.`);
    } else if (message.event === 'text') {
      this.#checkText(session, message.text);
      this.#say(session.speech.write(message.text));
    } else if (message.event === 'flush') {
      this.#say(session.speech.flush());
    } else {
      session.stopped = true;
      this.#say(session.speech.end(), () => this.#finish());
    }
  }

  #start(request: Session['request']): void {
    clearTimeout(this.#idle);
    const { text } = request;
    const speech = new LiveSpeech(request);
    this.#session = {
      request,
      speech,
      stopped: false,
      tail: text.slice(-tailLength),
      codePoints: [...text].length,
    };
    this.#say(speech.write(''));
  }

  /** @throws Refusal when the text breaks a rule with what came before it */
  #checkText(session: Session, text: string): void {
    const { receiver, model } = this.#options;
    session.codePoints += [...text].length;
    if (session.codePoints > limits.textCodePoints) {
      const message = `The session has more than ${limits.textCodePoints} characters of text. Begin another one.`;
      throw new Refusal('text-too-long', { message });
    }
    receiver.checkText(session.tail + text, session.request, model);
    session.tail = (session.tail + text).slice(-tailLength);
  }

  /** Sends audio, one message at a time: a slow reader gets no more than it takes. */
  #say(pieces: Iterable<Uint8Array>, then: () => void = () => {}): void {
    const session = this.#session;
    const send = async (): Promise<void> => {
      for (const audio of pieces) {
        if (this.#session !== session || this.#socket.readyState !== WebSocket.OPEN) return;
        await this.#send({ event: 'audio', audio });
      }
      if (this.#session === session) then();
    };
    // The peer is gone: there is nobody to tell.
    this.#sending = this.#sending.then(send).catch(() => {});
  }

  #finish(): void {
    this.#session = undefined;
    void this.#send({ event: 'finish', reason: 'stop' }).catch(() => {});
    this.#awaitStart();
  }

  #awaitStart(): void {
    const { idleSeconds } = this.#options;
    this.#idle = setTimeout(() => this.#close(closeCodes.finished, 'No start came.'), idleSeconds * 1000);
  }

  #outOfOrder(message: string): void {
    this.#violates('schema', message);
    this.#refuse(message);
  }

  #violates(rule: string, message: string): void {
    this.#options.onViolation([{ rule, loc: [], type: '', message: withoutValues(message) }]);
  }

  #refuse(message: string): void {
    void this.#send({ event: 'error', error: message }).catch(() => {});
    this.#close(closeCodes.refused, message);
  }

  #close(code: number, reason: string): void {
    this.#abandon();
    this.#socket.close(code, closeReason(reason));
    setTimeout(() => this.#socket.terminate(), closeMilliseconds).unref();
  }

  /** Nobody listens any more. */
  #abandon(): void {
    clearTimeout(this.#idle);
    this.#session = undefined;
  }

  #send(message: LiveServerMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(encodeLiveMessage(message), { binary: true }, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }
}

function textFrame(): DecodeFailure {
  const message = 'A frame must be binary MessagePack, not text.';
  return new DecodeFailure({ refusal: 'malformed-body', type: 'msgpack_invalid', message });
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
