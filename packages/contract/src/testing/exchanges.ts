import { encode } from '@msgpack/msgpack';
import { type OperationId, operationTable } from '@speech-api/types';
import type {
  BodyEnd,
  Exchange,
  Expectation,
  GroupMembership,
  Headers,
  HttpExchange,
  LiveClose,
  LiveExchange,
  LiveMessage,
} from '../exchange.ts';
import type { JudgeOptions } from '../judge/report.ts';

/** Details of an exchange in a test; the rest is as a good service answers. */
export interface Told {
  readonly name?: string;
  readonly operationId?: OperationId;
  readonly path?: string;
  readonly method?: string;
  readonly sent?: unknown;
  readonly sentHeaders?: Headers;
  readonly status?: number;
  readonly headers?: Headers;
  /** JSON, text or bytes. */
  readonly body?: unknown;
  readonly ended?: BodyEnd;
  readonly expectation?: Expectation;
  readonly groups?: readonly GroupMembership[];
}

export const success: Expectation = { outcome: 'success' };

export function refused(...refusals: string[]): Expectation & { readonly outcome: 'refused' } {
  return { outcome: 'refused', refusals, because: 'the test says so' };
}

/** An HTTP exchange; JSON both ways unless bytes are given. */
export function exchange(operationId: OperationId, told: Told = {}): HttpExchange {
  const { status = operationTable[operationId].successStatus, body, headers = {}, sent } = told;
  const bytes =
    body instanceof Uint8Array
      ? body
      : Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));
  const type = body instanceof Uint8Array ? {} : { 'content-type': 'application/json' };
  return {
    kind: 'http',
    name: told.name ?? operationId,
    operationId,
    request: {
      method: told.method ?? operationTable[operationId].method,
      url: `http://127.0.0.1:4010${told.path ?? operationTable[operationId].path.replace(/\{\w+\}/g, 'self')}`,
      headers: {
        authorization: 'Bearer a-key-of-tests',
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...told.sentHeaders,
      },
      ...(sent !== undefined && { body: Buffer.from(JSON.stringify(sent)) }),
    },
    response: {
      status,
      headers: {
        ...Object.fromEntries(Object.entries({ ...type, ...headers }).filter(([, value]) => value !== '')),
      },
      body: bytes,
      httpVersion: '1.1',
      ended: told.ended ?? 'complete',
    },
    ...(told.expectation !== undefined && { expectation: told.expectation }),
    ...(told.groups !== undefined && { groups: told.groups }),
  };
}

/** An answer with audio, delivered as it should be. */
export function speech(sent: object, body: Uint8Array, mediaType: string, told: Told = {}): HttpExchange {
  const headers = { 'content-type': mediaType, 'transfer-encoding': 'chunked', ...told.headers };
  return exchange('createSpeech', { ...told, sent: { text: words, ...sent }, body, headers });
}

/** Letters for a second or two. */
export const words = 'The tide comes in.';

/** An answer with events, each a payload, or its lines exactly as sent. */
export function stream(sent: object, events: readonly (object | string)[], told: Told = {}): HttpExchange {
  const text = events
    .map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`))
    .join('');
  const headers = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked', ...told.headers };
  return exchange('streamSpeechWithTimestamps', {
    ...told,
    sent: { text: words, ...sent },
    body: Buffer.from(text),
    headers,
  });
}

export interface LiveTold {
  readonly name?: string;
  /** `>` is sent and `<` received; bytes and text are used unchanged. */
  readonly messages: readonly (readonly ['>' | '<', object | string | Uint8Array])[];
  readonly close?: Partial<LiveClose>;
  readonly unanswered?: LiveExchange['unanswered'];
  readonly status?: number;
  readonly headers?: Headers;
  readonly body?: unknown;
  readonly expectation?: Expectation;
}

export function live(told: LiveTold): LiveExchange {
  const { status = 101, messages, body } = told;
  const upgrade = {
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-accept': 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
  };
  return {
    kind: 'live',
    name: told.name ?? 'openLiveSession',
    operationId: 'openLiveSession',
    upgrade: {
      request: {
        method: 'GET',
        url: 'http://127.0.0.1:4010/v1/tts/live',
        headers: { authorization: 'Bearer a-key-of-tests', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' },
      },
      response: {
        status,
        headers:
          status === 101
            ? { ...upgrade, ...told.headers }
            : { 'content-type': 'application/json', ...told.headers },
        body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
        httpVersion: '1.1',
        ended: 'complete',
      },
    },
    ...(told.unanswered !== undefined && { unanswered: told.unanswered }),
    messages: messages.map(
      ([direction, message]): LiveMessage => ({
        direction: direction === '>' ? 'sent' : 'received',
        frame: typeof message === 'string' ? 'text' : 'binary',
        bytes:
          message instanceof Uint8Array
            ? message
            : Buffer.from(typeof message === 'string' ? message : encode(message)),
      }),
    ),
    ...(status === 101 && { close: { code: 1000, reason: '', by: 'server', ...told.close } }),
    ...(told.expectation !== undefined && { expectation: told.expectation }),
  };
}

/** Bodies as a good service answers them. */
export function voiceModel(changes: object = {}) {
  return {
    _id: 'v1',
    type: 'tts',
    title: 'Harbour',
    state: 'trained',
    tags: ['calm'],
    created_at: '2026-01-01T10:00:00Z',
    updated_at: '2026-01-02T10:00:00Z',
    visibility: 'private',
    like_count: 0,
    mark_count: 0,
    shared_count: 0,
    task_count: 3,
    author: { _id: 'u1', nickname: 'harbour', avatar: 'a.png' },
    description: 'Low and slow.',
    languages: ['en'],
    ...changes,
  };
}

export function page(ids: readonly string[], changes: object = {}) {
  return { total: ids.length, has_more: false, items: ids.map((_id) => voiceModel({ _id })), ...changes };
}

export function credit(changes: object = {}) {
  return {
    _id: 'c1',
    user_id: 'u1',
    credit: '12.50',
    created_at: '2026-01-01T10:00:00Z',
    updated_at: '2026-01-02T10:00:00Z',
    has_phone_sha256: false,
    has_free_credit: true,
    ...changes,
  };
}

export function wholePackage(changes: object = {}) {
  return {
    user_id: 'u1',
    type: 'monthly',
    total: 100,
    balance: 40,
    created_at: '2026-01-01T10:00:00Z',
    updated_at: '2026-01-02T10:00:00Z',
    finished_at: '2026-02-01T10:00:00Z',
    ...changes,
  };
}

export function transcription(changes: object = {}) {
  return { text: 'The tide comes in.', duration: 2, segments: [], ...changes };
}

export function generalError(status: number, changes: object = {}) {
  return { status, message: 'That is not right.', ...changes };
}

/** A call that is answered with a general error. */
export function failed(operationId: OperationId, status: number, changes: object = {}, told: Told = {}) {
  return exchange(operationId, { status, body: generalError(status, changes), ...told });
}

export function issue(changes: object = {}) {
  return {
    loc: ['query', 'page_size'],
    type: 'greater_than_equal',
    msg: 'page_size must be at least 1',
    ctx: '{}',
    in: 'query',
    ...changes,
  };
}

/** The payload of a stream event; a chunk of one second of pcm at 8000 Hz. */
export function event(audio: Uint8Array, changes: object = {}) {
  return {
    audio_base64: Buffer.from(audio).toString('base64'),
    content: 'The tide comes in.',
    alignment: {
      audio_duration: 1,
      segments: [
        { text: 'The', start: 0, end: 0.2 },
        { text: 'tide', start: 0.2, end: 1 },
      ],
    },
    chunk_seq: 0,
    chunk_audio_offset_sec: 0,
    ...changes,
  };
}

/** Exchanges that keep a rule and exchanges that break it. */
export interface Example {
  /** Its id in the spec. */
  readonly rule: string;
  /** Special case that it shows, if a rule has several examples. */
  readonly about?: string;
  readonly keeps: readonly Exchange[];
  readonly breaks: readonly Exchange[];
  readonly options?: JudgeOptions;
  /** Severity of a breach that counts less than the rule, since the interface does not state it. */
  readonly severity?: 'warning' | 'error';
}

/** One exchange, or several that show something together. */
type Shown = Exchange | readonly Exchange[];

/**
 * Writes the examples of one family as rows: the rule, with what is special after a colon, what breaks it, and what keeps it.
 *
 * @param usual keeps the rules of the family unless a row says otherwise
 */
export function examplesWith(usual: () => readonly Exchange[]) {
  return (
    name: string,
    breaks: Shown,
    keeps: Shown = usual(),
    more: Pick<Example, 'options' | 'severity'> = {},
  ): Example => {
    const [rule = '', about] = name.split(': ');
    return {
      rule,
      ...(about !== undefined && { about }),
      keeps: [keeps].flat(),
      breaks: [breaks].flat(),
      ...more,
    };
  };
}
