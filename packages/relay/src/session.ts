import { type Agent, globalAgent, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { headerNames } from '@speech-api/types/constants';
import { liveCloseCodes } from '@speech-api/types/live';
import { operationTable } from '@speech-api/types/operations';
import { WebSocket } from 'ws';
import type { RelayLimits } from './defaults.ts';
import { traceParent } from './http.ts';
import type { CountedSession } from './limits.ts';
import {
  type ClientMessage,
  errorFrame,
  readClientMessage,
  readServiceMessage,
  readyFrame,
} from './messages.ts';
import type { Grant, SessionReport } from './options.ts';
import { closeCode, Refusal, refusalOfAnswer, refusalOfClose } from './refusal.ts';
import type { CheckedOptions } from './schema.ts';

export interface Admission {
  readonly grant: Grant;
  readonly counted: CountedSession;
  readonly traceId: string;
  readonly origin: string;
}

/** One client and its own socket to the service. */
export class Session {
  readonly #client: WebSocket;
  /** The connection below the client's WebSocket. */
  readonly #wire: Duplex;
  #gathering = false;
  readonly #service: WebSocket;
  readonly #admission: Admission;
  readonly #limits: RelayLimits;
  readonly #began = performance.now();
  #lifetime: NodeJS.Timeout;
  /** Fires when neither side has sent anything. */
  readonly #idle: NodeJS.Timeout;
  /** Fires when no message has passed for as long as a pause within an utterance may last. */
  readonly #silence: NodeJS.Timeout;
  readonly #opening: NodeJS.Timeout;
  /** Messages that wait for the service or for a grant of characters. */
  readonly #held: ClientMessage[] = [];
  #heldBytes = 0;
  #serviceOpen = false;
  #sending = false;
  /** True from a `start` to its `finish`. */
  #speaking = false;
  /** True from a `start` to its `stop`: the client may be waiting for its model or a tool. */
  #writing = false;
  /** True while the client has a ping to answer. */
  #pinged = false;
  /** What the client is told once its utterance is over. */
  #drainRefusal: Refusal | undefined;
  #messages = 0;
  #secondBegan = Number.NEGATIVE_INFINITY;
  #audioBytes = 0;
  #ended = false;
  readonly #onEnd: (report: SessionReport) => void;

  constructor(
    client: WebSocket,
    wire: Duplex,
    admission: Admission,
    { upstream, limits }: Pick<CheckedOptions, 'upstream' | 'limits'>,
    onEnd: (report: SessionReport) => void,
  ) {
    this.#client = client;
    this.#wire = wire;
    this.#admission = admission;
    this.#limits = limits;
    const { grant, traceId } = admission;
    this.#onEnd = onEnd;
    const service = new WebSocket(upstream.webSocketUrl + operationTable.openLiveSession.path, {
      headers: {
        [headerNames.authorization]: `Bearer ${upstream.apiKey}`,
        [headerNames.model]: grant.model ?? upstream.model,
        [headerNames.traceparent]: traceParent(traceId),
      },
      perMessageDeflate: false,
      maxPayload: limits.serviceMessageBytes,
      agent: environmentAgent(upstream.webSocketUrl),
      // The key must not be sent to another address.
      followRedirects: false,
    });
    this.#service = service;
    const lifeMilliseconds = limits.sessionSeconds * 1000;
    this.#lifetime = setTimeout(() => {
      // What is being spoken may take as long again.
      this.#lifetime = setTimeout(() => this.end(new Refusal(408)), lifeMilliseconds);
      this.drain(new Refusal(408));
    }, lifeMilliseconds);
    this.#idle = setTimeout(() => this.#onIdle(), limits.idleSeconds * 1000);
    this.#silence = setTimeout(() => {
      if (this.#writing) this.end(new Refusal(408, 'Nothing was sent for too long.'));
    }, limits.silenceSeconds * 1000);
    this.#opening = setTimeout(() => this.end(new Refusal(502)), limits.answerSeconds * 1000);
    client.on('message', (data, isBinary) =>
      this.#guard(() => this.#onClientFrame(data as Buffer, isBinary)),
    );
    service.on('message', (data, isBinary) =>
      this.#guard(() => this.#onServiceFrame(data as Buffer, isBinary)),
    );
    client.on('ping', (data) => {
      this.#idle.refresh();
      if (client.bufferedAmount <= limits.heldBytes) client.pong(data);
    });
    client.on('pong', () => {
      this.#pinged = false;
    });
    service.on('open', () => this.#onOpen());
    service.on('unexpected-response', (_request, response) => this.#onRefused(response));
    // Neither error is shown to the other side, because it may contain addresses.
    service.on('error', () => this.end(new Refusal(502)));
    client.on('error', () => this.end());
    service.on('close', (code) => this.end(this.#speaking ? refusalOfClose(code) : undefined));
    client.on('close', () => this.end());
  }

  /** Lets an utterance finish, and then ends the session; ends it at once if there is no utterance. */
  drain(refusal: Refusal): void {
    this.#drainRefusal = refusal;
    if (!this.#speaking) this.end(refusal);
  }

  /** Ends both sides. With a refusal the client receives the reason; otherwise it is closed normally. */
  end(refusal?: Refusal): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const timer of [this.#lifetime, this.#idle, this.#silence, this.#opening]) clearTimeout(timer);
    this.#held.length = 0;
    closeSoon(this.#service, liveCloseCodes.finished, '');
    if (refusal) dismiss(this.#client, refusal);
    else closeSoon(this.#client, liveCloseCodes.finished, '');
    this.#onEnd({
      traceId: this.#admission.traceId,
      origin: this.#admission.origin,
      milliseconds: Math.round(performance.now() - this.#began),
      characters: this.#admission.counted.used,
      audioBytes: this.#audioBytes,
      status: refusal?.status,
      serviceStatus: refusal?.serviceStatus,
    });
  }

  #guard(work: () => void): void {
    if (this.#ended) return;
    try {
      this.#idle.refresh();
      this.#silence.refresh();
      work();
    } catch (error) {
      this.end(error instanceof Refusal ? error : new Refusal(500));
    }
  }

  /** Within an utterance the client may wait for its model, as long as it answers pings. */
  #onIdle(): void {
    if (!this.#writing) this.end(new Refusal(408, 'Nothing was sent for too long.'));
    else if (this.#pinged) this.end(new Refusal(408, 'The client does not answer a ping.'));
    else {
      this.#pinged = true;
      this.#client.ping();
      this.#idle.refresh();
    }
  }

  #onOpen(): void {
    if (this.#ended) return;
    clearTimeout(this.#opening);
    this.#serviceOpen = true;
    this.#client.send(readyFrame(this.#limits.sessionSeconds), { binary: true });
    void this.#sendHeld();
  }

  /** Sends held messages in order, each once its characters are granted. */
  async #sendHeld(): Promise<void> {
    if (!this.#serviceOpen || this.#sending) return;
    this.#sending = true;
    const { counted } = this.#admission;
    try {
      for (let message = this.#held[0]; message; message = this.#held[0]) {
        const answer = counted.addCharacters(message.characters);
        if (answer) await answer;
        if (this.#ended) return;
        this.#held.shift();
        this.#heldBytes -= message.frame.length;
        counted.used += message.characters;
        this.#send(this.#service, this.#client, message.frame);
      }
      if (this.#client.isPaused && this.#service.bufferedAmount <= this.#limits.heldBytes)
        this.#client.resume();
    } catch (error) {
      this.end(error instanceof Refusal ? error : new Refusal(500));
    }
    this.#sending = false;
  }

  #onRefused(response: IncomingMessage): void {
    const { statusCode = 500, headers } = response;
    response.resume();
    this.end(refusalOfAnswer(statusCode, headers[headerNames.retryAfter]));
  }

  #onClientFrame(data: Buffer, isBinary: boolean): void {
    if (!isBinary) throw new Refusal(422, 'A frame must be binary MessagePack.');
    this.#countMessage();
    this.#pinged = false;
    const message = readClientMessage(data, this.#admission.grant);
    if (message.event === 'start') this.#speaking = this.#writing = true;
    if (message.event === 'stop') this.#writing = false;
    this.#held.push(message);
    this.#heldBytes += message.frame.length;
    void this.#sendHeld();
    if (this.#heldBytes > this.#limits.heldBytes && !this.#client.isPaused) this.#client.pause();
  }

  /** The count is limited, because a message costs more than its bytes. */
  #countMessage(): void {
    const now = performance.now();
    if (now - this.#secondBegan >= 1000) [this.#secondBegan, this.#messages] = [now, 0];
    this.#messages += 1;
    if (this.#messages > this.#limits.messagesPerSecond) {
      throw new Refusal(429, 'Too many messages within a second.', 1);
    }
  }

  #onServiceFrame(data: Buffer, isBinary: boolean): void {
    // The protocol may grow; unknown messages are not passed on.
    if (!isBinary) return;
    const message = readServiceMessage(data);
    if (message.event === 'audio') {
      this.#audioBytes += message.frame.length;
      this.#gather();
      this.#send(this.#client, this.#service, message.frame);
    } else if (message.event === 'finish') {
      this.#speaking = this.#writing = false;
      this.#send(this.#client, this.#service, message.frame);
      if (this.#drainRefusal) this.end(this.#drainRefusal);
    } else if (message.event === 'error') throw message.refusal;
  }

  /** Frames that arrived together are sent together: one system call each would cost more than all other work. */
  #gather(): void {
    if (this.#gathering) return;
    this.#gathering = true;
    this.#wire.cork();
    process.nextTick(() => {
      this.#gathering = false;
      this.#wire.uncork();
    });
  }

  /** Sends a frame, and stops reading the other side while too much is waiting. */
  #send(to: WebSocket, from: WebSocket, frame: Uint8Array): void {
    if (to.readyState !== WebSocket.OPEN) return;
    to.send(frame, { binary: true }, () => {
      if (from.isPaused && !this.#ended && to.bufferedAmount <= this.#limits.heldBytes / 2) from.resume();
    });
    if (to.bufferedAmount > this.#limits.heldBytes && !from.isPaused) from.pause();
  }
}

/** Time for a side to answer a close. */
const closeMilliseconds = 2000;
/** How often a side gets that time again. */
const closeRounds = 15;

/** Tells a client the refusal where a browser can see it: in a message and in the close code. */
export function dismiss(client: WebSocket, refusal: Refusal): void {
  if (client.readyState === WebSocket.OPEN) client.send(errorFrame(refusal), { binary: true });
  closeSoon(client, closeCode(refusal.status), refusal.message);
}

function closeSoon(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === WebSocket.CLOSED) return;
  if (socket.readyState === WebSocket.CONNECTING) {
    socket.terminate();
    return;
  }
  // A paused socket would not see the answer. A socket that never opened throws here.
  if (socket.isPaused) socket.resume();
  // Refusal messages are our own: short and ASCII.
  socket.close(code, reason.slice(0, 120));
  // Earlier data may still be on its way to a slow reader, so the socket stays while the amount decreases.
  let pending = socket.bufferedAmount;
  let rounds = 0;
  const timer = setInterval(() => {
    rounds += 1;
    const isSent = socket.bufferedAmount === 0;
    const isStuck = socket.bufferedAmount >= pending || rounds === closeRounds;
    pending = socket.bufferedAmount;
    if (isSent || isStuck) socket.terminate();
  }, closeMilliseconds).unref();
  socket.once('close', () => clearInterval(timer));
}

/** Where Node follows the proxies of its environment, its own agent has them; `ws` passes that agent by. */
function environmentAgent(url: string): Agent | undefined {
  const { options } = globalAgent as { readonly options?: { readonly proxyEnv?: object } };
  return options?.proxyEnv && url.startsWith('wss:')
    ? new SecureAgent({ proxyEnv: options.proxyEnv } as object)
    : undefined;
}
