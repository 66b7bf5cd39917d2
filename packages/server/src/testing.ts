import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { decode, encode } from '@msgpack/msgpack';
import { operationTable } from '@speech-api/types';
import { type ClientOptions, WebSocket } from 'ws';

/** A message of the server, as it came. */
export type Received = Readonly<Record<string, unknown>> & { readonly event: string };

/** A live socket as a test sees it: made with the library alone, so that no client of this project hides a fault. */
export type LiveClient = Awaited<ReturnType<typeof openLive>>;

interface Target {
  readonly url: string;
}

export const liveHeaders: Readonly<Record<string, string>> = {
  authorization: 'Bearer sandbox-key',
  model: 's2-pro',
};

export function liveUrl({ url }: Target): string {
  return `${url.replace('http', 'ws')}${operationTable.openLiveSession.path}`;
}

/** Opens a live socket. @throws when the upgrade is refused */
export async function openLive(
  target: Target,
  headers: Readonly<Record<string, string>> = liveHeaders,
  options: ClientOptions = {},
) {
  const socket = new WebSocket(liveUrl(target), { headers, ...options });
  const received: Received[] = [];
  let returned = 0;
  let answer: NodeJS.Dict<string | string[]> = {};
  const news = new EventTarget();
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
      news.dispatchEvent(new Event('news'));
    });
  });
  socket.on('upgrade', (response) => {
    answer = response.headers;
  });
  socket.on('message', (data) => {
    received.push(decode(data as Buffer) as Received);
    news.dispatchEvent(new Event('news'));
  });
  await once(socket, 'open');
  // The close reports what comes later.
  socket.on('error', () => {});
  return {
    socket,
    received,
    closed,
    get headers() {
      return answer;
    },
    send(...messages: readonly object[]): void {
      for (const message of messages) socket.send(encode(message));
    },
    /** The next message with the event that was not returned yet. @throws when the socket closes before it comes */
    async next(event: string): Promise<Received> {
      for (;;) {
        for (; returned < received.length; returned += 1) {
          const message = received[returned];
          if (message?.event !== event) continue;
          returned += 1;
          return message;
        }
        if (socket.readyState === WebSocket.CLOSED)
          throw new Error(`The socket closed before ${event} came.`);
        await once(news, 'news');
      }
    },
    audio: () => Buffer.concat(received.flatMap(({ audio }) => (audio instanceof Uint8Array ? [audio] : []))),
  };
}

/** Requests an upgrade that must be refused, and returns the refusal. */
export async function refusedUpgrade(target: Target, headers: Readonly<Record<string, string>>) {
  const socket = new WebSocket(liveUrl(target), { headers });
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode,
    headers: response.headers,
    body: JSON.parse(Buffer.concat(chunks).toString()),
  };
}

/** Starts the file of a server's command, as often as a test likes. */
export function createCommandRunner(program: string) {
  const children: ChildProcessWithoutNullStreams[] = [];
  const run = (...options: readonly string[]) => {
    const child = spawn(process.execPath, [program, ...options]);
    children.push(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output.stderr += chunk;
    });
    const exited = once(child, 'close').then(([code]) => code as number | null);
    return { child, output, exited };
  };
  return {
    run,
    /** Starts the command and waits for the first line on stdout, its URL. */
    async runUntilUrl(...options: readonly string[]) {
      const running = run(...options);
      while (!running.output.stdout.includes('\n')) await once(running.child.stdout, 'data');
      return { ...running, url: running.output.stdout.trim() };
    },
    /** Ends everything that was started. */
    killAll(): void {
      for (const child of children.splice(0)) child.kill('SIGKILL');
    },
  };
}
