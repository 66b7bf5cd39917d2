import type { Writable } from 'node:stream';
import * as ws from 'ws';
import type { Exchange, LiveClose, LiveMessage, RecordedResponse } from '../exchange.ts';
import { uncompressed } from '../transport/send-call.ts';
import type { Side } from './pass.ts';
import type { Copy } from './record.ts';

/** Codings that can be undone here. An answer in another one is not judged by its body. */
const knownCodings = ['identity', 'gzip', 'deflate', 'br'];

/**
 * Converts a copy to an exchange for the judge.
 *
 * @param maximum bytes of one decompressed body or message
 * @throws Error when the frames of a socket can't be read
 */
export async function exchangeOf(copy: Copy, maximum: number): Promise<Exchange> {
  const { name, method, url, headers, operationId } = copy;
  const response = responseOf(copy, maximum);
  if (operationId !== 'openLiveSession') {
    const body = bytesOf(copy, 'client');
    const request = { method, url, headers, ...(body.length > 0 && { body }) };
    return { kind: 'http', name, operationId, request, response };
  }
  const upgrade = { request: { method: 'GET' as const, url, headers }, response };
  const session = { kind: 'live' as const, name, operationId, upgrade };
  if (response.status !== 101) return { ...session, messages: [] };
  // A client may break the connection without a word.
  const { messages, close = { code: 1006, reason: '', by: 'nobody' } } = await readFrames(copy, maximum);
  return { ...session, messages, close, clientLeft: close.by !== 'server' };
}

function responseOf({ answer, isComplete, isAnswerLost, ...copy }: Copy, maximum: number): RecordedResponse {
  const none = new Uint8Array();
  if (answer === undefined) return { status: 0, headers: {}, body: none, ended: 'cut' };
  const head = { ...answer, ended: isComplete ? ('complete' as const) : ('cut' as const) };
  if (answer.status === 101) return { ...head, body: none };
  const coding = answer.headers['content-encoding'];
  const isUnknown = coding !== undefined && !knownCodings.includes(coding);
  const body = bytesOf(copy, 'server');
  const plain = isUnknown ? body : uncompressed(body, coding, maximum);
  // A body that can't be decompressed stays as it came, and would be judged as if it were the answer.
  const isMissing = isAnswerLost || isUnknown || (coding !== undefined && plain === body && body.length > 0);
  return isMissing ? { ...head, body: none, isBodyMissing: true } : { ...head, body: plain };
}

function bytesOf({ pieces }: Pick<Copy, 'pieces'>, side: Side): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces.flatMap(({ from, bytes }) => (from === side ? [bytes] : []))));
}

/** The parts of `ws` that read frames. It exports them, and its types leave them out. */
const { Receiver, PerMessageDeflate, extension } = ws as unknown as {
  readonly Receiver: new (options: object) => Writable;
  readonly PerMessageDeflate: new (options: object) => { accept(offers: unknown): unknown };
  readonly extension: { parse(header: string): Readonly<Record<string, unknown>> };
};

const compression = 'permessage-deflate';

/** The messages of both sides of a socket, in their order, and the close that came first. */
async function readFrames({ pieces, answer }: Copy, maxPayload: number) {
  const messages: LiveMessage[] = [];
  let close: LiveClose | undefined;
  const createReader = (side: Side): Writable => {
    const isServer = side === 'client';
    const named = answer?.headers['sec-websocket-extensions'];
    const accepted = named === undefined ? undefined : extension.parse(named)[compression];
    const inflater = new PerMessageDeflate({ isServer, maxPayload });
    if (accepted !== undefined) inflater.accept(accepted);
    const extensions = accepted === undefined ? {} : { [compression]: inflater };
    const reader = new Receiver({ isServer, maxPayload, skipUTF8Validation: true, extensions });
    const direction = side === 'client' ? 'sent' : 'received';
    reader.on('message', (bytes: Buffer, isBinary: boolean) => {
      messages.push({ direction, frame: isBinary ? 'binary' : 'text', bytes: new Uint8Array(bytes) });
    });
    reader.on('conclude', (code: number, reason: Buffer) => {
      close ??= { code, reason: reason.toString(), by: side };
    });
    // The piece that can't be read says so.
    return reader.on('error', () => {});
  };
  const readers = { client: createReader('client'), server: createReader('server') };
  for (const { from, bytes } of pieces) {
    const reader = readers[from];
    if (!reader.writable) continue;
    await new Promise<void>((read, fail) => {
      reader.write(bytes, (error) => (error ? fail(error) : read()));
    });
  }
  return { messages, ...(close !== undefined && { close }) };
}
