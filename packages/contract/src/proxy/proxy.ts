import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { CannotJudge, UsageError } from '../errors.ts';
import type { Finding, JudgeOptions } from '../judge/report.ts';
import { readAddress, whyUnreachable } from '../transport/address.ts';
import { headerBytes, passCall, passUpgrade } from './pass.ts';
import { type CopyLimits, defaultLimits } from './record.ts';
import { type ProxyReport, Recorder } from './recorder.ts';

/** Options of a proxy and its judge. */
export interface ContractProxyOptions
  extends Pick<JudgeOptions, 'profile' | 'deterministic' | 'baseline' | 'decodeDeadlineMs'> {
  /** Base address of the server, such as `https://api.example.com`. */
  readonly upstream: string;
  /** Base address of the server's live socket. @defaultValue the address of `upstream`, with the scheme of WebSockets */
  readonly live?: string;
  /** The address to listen on. Any other than this machine's lets others use the server through the proxy. @defaultValue '127.0.0.1' */
  readonly host?: string;
  /** 0 chooses a free one. @defaultValue 4040 */
  readonly port?: number;
  /** Limits on the copy of each call that is kept until it is judged. */
  readonly limits?: Partial<CopyLimits>;
  /** Calls that are judged; later ones pass all the same. @defaultValue 10000 */
  readonly maxCalls?: number;
  /** Seconds that calls under way may last once `close` was called. @defaultValue 2 */
  readonly drainSeconds?: number;
  /** Called with each finding as soon as its call is judged. */
  readonly onFinding?: (finding: Finding) => void;
}

/** A proxy that is listening. */
export interface ContractProxy {
  /** Base address for clients, without a trailing slash. */
  readonly url: string;
  /**
   * Stops listening, lets calls under way end, and judges what is left. A second call gives the same report.
   *
   * @throws CannotJudge when the judge itself failed
   */
  close(): Promise<ProxyReport>;
}

export const defaultPort = 4040;
export const defaultMaxCalls = 10_000;
const defaultDrainSeconds = 2;

/** Milliseconds for sending one request: a long upload passes, and one that never ends does not stay. */
const requestMs = 3_600_000;

/** Milliseconds without a call after which a client's connection is closed. */
const keepAliveMs = 10_000;

/**
 * Starts a proxy between clients and a server: what passes is judged, by the rules of {@link judge}, on both sides.
 *
 * Bodies, event streams and sockets pass byte for byte and as they come; only the headers of the connection itself differ.
 * The judge works on copies in a thread of its own, so that nothing that passes waits for it.
 *
 * @throws UsageError when an address is invalid
 * @throws CannotJudge when the address to listen on is in use
 * @example
 * ```ts norun
 * import { exitCodeOf, startContractProxy, writeReport } from '@speech-api/contract';
 *
 * const proxy = await startContractProxy({ upstream: 'http://127.0.0.1:4010', port: 0 });
 * // Let the code under test use proxy.url as its base address, then:
 * const report = await proxy.close();
 * console.log(writeReport('summary', report));
 * process.exitCode = exitCodeOf(report);
 * ```
 */
export async function startContractProxy(options: ContractProxyOptions): Promise<ContractProxy> {
  const { host = '127.0.0.1', port = defaultPort, drainSeconds = defaultDrainSeconds } = options;
  const { limits, maxCalls = defaultMaxCalls, onFinding = () => {} } = options;
  const upstream = readAddress('--upstream', options.upstream, ['http:', 'https:']);
  const live =
    options.live === undefined
      ? upstream
      : readAddress('--live', options.live, ['ws:', 'wss:']).replace(/^ws/, 'http');
  const limited = { limits: { ...defaultLimits, ...limits }, maxCalls };
  const recorder = new Recorder({ upstream, live, ...limited, judging: judgingOf(options), onFinding });
  const server = createServer({
    maxHeaderSize: headerBytes,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  const explain = (failure: Error) => whyUnreachable(failure, upstream, '--upstream');
  const base = new URL(upstream);
  const serve: Parameters<typeof createServer>[1] = (incoming, outgoing) =>
    passCall({ upstream: base, incoming, watcher: recorder.watch(incoming, false), explain }, outgoing);
  server.on('request', serve);
  // The server says whether it wants the body, and what it thinks of any other expectation.
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  const sockets = new Set<Duplex>();
  server.on('upgrade', (incoming, socket, head) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const watcher = recorder.watch(incoming, true);
    passUpgrade({ upstream: new URL(live), incoming, watcher, explain }, socket, head);
  });
  await listen(server, host, port);
  const { port: listening } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening}`;
  if (isSame(base, url) || isSame(new URL(live), url)) {
    server.close();
    throw new UsageError(`--upstream ${upstream} is the proxy itself. Give the address of the server.`);
  }
  const end = async (): Promise<ProxyReport> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
    }, drainSeconds * 1000);
    await closed;
    await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    clearTimeout(cut);
    return await recorder.finish();
  };
  let ending: Promise<ProxyReport> | undefined;
  return {
    url,
    close: () => {
      ending ??= end();
      return ending;
    },
  };
}

/** The options of the judge, as they pass to its thread. */
function judgingOf({
  profile,
  deterministic,
  baseline,
  decodeDeadlineMs,
}: ContractProxyOptions): JudgeOptions {
  const options = { profile, deterministic, baseline, decodeDeadlineMs };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function listen(server: ReturnType<typeof createServer>, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE' ? 'another program uses it. Choose another --port' : error.message;
      reject(new CannotJudge(`The proxy can't listen on ${host}:${port}: ${why}.`));
    });
    server.listen(port, host, resolve);
  });
}

/** True if an address is that of the proxy, by any of the names of this machine. */
function isSame(address: URL, own: string): boolean {
  const { port, hostname } = new URL(own);
  const names = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', hostname];
  return address.port === port && names.includes(address.hostname);
}
