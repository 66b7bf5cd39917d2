import { request } from 'node:http';
import { connect } from 'node:net';
import type { OddRequest } from './requests.ts';

export interface Outcome {
  /** `undefined` when the connection ended without a status. */
  readonly status: number | undefined;
  /** The beginning of it. */
  readonly text: string;
}

/** Nobody listens on when so much has come. */
const enoughBytes = 2_000_000;
const keptBytes = 4000;

/**
 * Sends a request and reads its answer to the end.
 *
 * @throws Error when that takes longer than the deadline: the sandbox hangs
 */
export function sendRequest(url: string, odd: OddRequest, deadlineMilliseconds: number): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const outgoing = request({
      hostname,
      port,
      method: odd.method,
      path: odd.path,
      headers: odd.headers,
      agent: false,
    });
    const timer = setTimeout(() => {
      outgoing.destroy();
      reject(new Error(`no end of the answer in ${deadlineMilliseconds} ms`));
    }, deadlineMilliseconds);
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      outgoing.destroy();
      resolve(outcome);
    };
    let status: number | undefined;
    let text = '';
    let bytes = 0;
    outgoing.on('response', (response) => {
      status = response.statusCode;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (text.length < keptBytes) text += chunk.toString('latin1');
        if (bytes > enoughBytes) settle({ status, text });
      });
      response.on('close', () => settle({ status, text }));
    });
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      settle({ status: 101, text });
    });
    // A refusal may come with a reset when the rest of the body is not wanted.
    outgoing.on('error', () => settle({ status, text }));
    outgoing.end(odd.body);
  });
}

/** Writes bytes on a connection of their own, listens for a while and leaves. */
export function sendBytes(url: string, bytes: Uint8Array, patienceMilliseconds: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    const timer = setTimeout(() => socket.destroy(), patienceMilliseconds);
    socket.on('data', (chunk) => {
      if (text.length < keptBytes) text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      resolve({ status: status === undefined ? undefined : Number(status), text });
    });
    socket.write(bytes);
  });
}
