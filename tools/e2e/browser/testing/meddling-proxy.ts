import { createServer, request as sendRequest } from 'node:http';
import { closeServer, listenOnLoopback } from '@speech-api/run/servers';

/** Stands between the page and the sandbox and does to the stream what networks do. */
export interface MeddlingProxy {
  readonly url: string;
  /** Bodies of the requests that asked for speech, in order. */
  readonly bodies: string[];
  /** Speech requests whose connection the page closed before the answer was over. */
  abandoned: number;
  cutAfter: number;
  /** Keeps back what follows after so many bytes of speech, until {@link release}. */
  holdAfter: number;
  release(): void;
  breakOff(): void;
  close(): Promise<void>;
}

export async function startMeddlingProxy(target: string): Promise<MeddlingProxy> {
  let release = () => {};
  let breakOff = () => {};
  const server = createServer((incoming, outgoing) => {
    const isSpeech = incoming.method === 'POST';
    const pieces: Buffer[] = [];
    const onward = sendRequest(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(target).host } },
      async (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.on('close', () => {
          if (isSpeech && !outgoing.writableFinished) proxy.abandoned += 1;
          answer.destroy();
        });
        let sent = 0;
        try {
          for await (const piece of answer) {
            // Cut to the byte: of a short answer all could come in one piece.
            outgoing.write(isSpeech ? piece.subarray(0, Math.max(0, proxy.cutAfter - sent)) : piece);
            sent += piece.length;
            if (isSpeech && sent >= proxy.cutAfter) {
              // The written bytes must be on their way before the connection is destroyed.
              setTimeout(() => outgoing.destroy(), 50);
              return;
            }
            if (isSpeech && sent >= proxy.holdAfter) {
              await new Promise<void>((resolve, reject) => {
                release = resolve;
                breakOff = () => reject(new Error('broken off'));
              });
            }
          }
          outgoing.end();
        } catch {
          outgoing.destroy();
        }
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      if (isSpeech) proxy.bodies.push(Buffer.concat(pieces).toString('utf8'));
    });
    incoming.pipe(onward);
  });
  const port = await listenOnLoopback(server, 0);
  const proxy: MeddlingProxy = {
    url: `http://127.0.0.1:${port}`,
    bodies: [],
    abandoned: 0,
    cutAfter: Number.POSITIVE_INFINITY,
    holdAfter: Number.POSITIVE_INFINITY,
    release: () => {
      // Also where so much has not been sent yet: it would be held back forever.
      proxy.holdAfter = Number.POSITIVE_INFINITY;
      release();
    },
    breakOff: () => breakOff(),
    close: () => closeServer(server),
  };
  return proxy;
}
