import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { RunningRelay } from '@speech-api/relay';
import type { RunningSandbox } from '@speech-api/sandbox';
import { ports } from '../help.mjs';
import { build, portOf, readOptions, showNote, speakingWorkspaces, untilInterrupted } from './processes.ts';
import { type DocsServer, onFreePort, serveDocs } from './servers.ts';

const apiKey = 'sandbox-key';

export async function start(args: readonly string[]): Promise<number> {
  const options = readOptions('start', () => parseOptions(args));
  if (options === undefined) return 2;

  const signal = untilInterrupted();
  const stopped = once(signal, 'abort');
  const prepare = async (workspaces: readonly string[]): Promise<boolean> => {
    const built = await build(workspaces);
    signal.throwIfAborted();
    return built;
  };
  let sandbox: RunningSandbox | undefined;
  let docs: DocsServer | undefined;
  let relay: RunningRelay | undefined;
  try {
    if (!(await prepare(speakingWorkspaces))) return 1;
    const { startSandbox } = await import('@speech-api/sandbox');
    sandbox = await onFreePort(options.sandboxPort, (port) =>
      startSandbox({ port, faults: [], logger: showNote }),
    );
    process.stdout.write(`Sandbox        ${sandbox.url}   (key: ${apiKey}; it speaks already)\n`);
    if (!(await prepare(['@speech-api/relay', '@speech-api/docs']))) return 1;
    const sandboxUrl = sandbox.url;
    docs = await onFreePort(options.docsPort, (port) =>
      serveDocs({
        directory: 'apps/docs/dist',
        port,
        sandboxUrl: () => sandboxUrl,
        relayUrl: () => relay?.url.replace(/^http/, 'ws'),
      }),
    );
    relay = await onFreePort(options.relayPort, (port) => startRelayFor(sandboxUrl, docs?.url ?? '', port));
    process.stdout.write(`Relay          ${relay.url.replace(/^http/, 'ws')}   (for ${docs.url}/playground/live/)
Documentation  ${docs.url}/
Playground     ${docs.url}/playground/

Open the playground, type and listen. Ctrl-C stops everything.
`);
    if (options.open) openPage(`${docs.url}/playground/`);
    await stopped;
    process.stderr.write('\nStopping ...\n');
    return 0;
  } catch (error) {
    // Ctrl-C also ends the processes that this one waits for, so they fail.
    if (signal.aborted) return 130;
    throw error;
  } finally {
    await Promise.all([docs?.close(), relay?.close(), sandbox?.close()]);
  }
}

/** A relay for pages of this machine only, with the key that is printed above. */
async function startRelayFor(sandboxUrl: string, docsUrl: string, port: number): Promise<RunningRelay> {
  const { startRelay } = await import('@speech-api/relay');
  const { defaultModel } = await import('@speech-api/types');
  const site = new URL(docsUrl);
  return startRelay({
    port,
    upstream: {
      webSocketUrl: sandboxUrl.replace(/^http/, 'ws'),
      apiKey,
      model: defaultModel,
    },
    origins: [site.origin, `http://localhost:${site.port}`],
    authorize: () => ({ user: 'developer' }),
  });
}

const portOption = (port: number) => ({ type: 'string', default: String(port) }) as const;

function parseOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'docs-port': portOption(ports.docs),
      'sandbox-port': portOption(ports.sandbox),
      'relay-port': portOption(ports.relay),
      open: { type: 'boolean', default: true },
    },
    allowNegative: true,
  });
  return {
    docsPort: portOf('docs-port', values['docs-port']),
    sandboxPort: portOf('sandbox-port', values['sandbox-port']),
    relayPort: portOf('relay-port', values['relay-port']),
    open: values.open,
  };
}

/** Opens a page if there is a desktop; otherwise it does nothing. */
function openPage(url: string): void {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (CI !== undefined || !process.stdout.isTTY) return;
  const desktop = DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
  const openers: Partial<Record<NodeJS.Platform, string[]>> = {
    darwin: ['open'],
    win32: ['cmd', '/c', 'start', ''],
  };
  const [command, ...args] = openers[process.platform] ?? desktop ?? [];
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {}); // Without an opener, the printed URL is enough.
  child.unref();
}
