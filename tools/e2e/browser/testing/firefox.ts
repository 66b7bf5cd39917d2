import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';

/** Pages may sound without a click, and nothing but this machine is reached. */
const preferences = {
  'media.autoplay.default': 0,
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
};

interface Answer {
  readonly id?: number;
  readonly error?: string;
  readonly message?: string;
  readonly params?: { readonly level?: string; readonly text?: string };
  readonly result?: { readonly context?: string; readonly result?: { readonly value?: string } };
}

export type Firefox = Awaited<ReturnType<typeof launchFirefox>>;

/** Debian's Firefox, driven by WebDriver BiDi: playwright needs commands that its long-term release has not. */
export async function launchFirefox() {
  const path = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr';
  if (!existsSync(path))
    throw new Error(
      `There is no Firefox at ${path}. Install firefox-esr and pulseaudio, or set FIREFOX_PATH.`,
    );
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(preferences).map(
    (entry) => `user_pref(${JSON.stringify(entry).slice(1, -1)});`,
  );
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  // Without a sound card the clock of its sound stands still, so it plays into a server of sound that has no device.
  const modules = [
    'module-null-sink',
    `module-native-protocol-unix socket=${profile}/sound auth-anonymous=1`,
  ];
  // Without a file of its process, a server of sound starts beside another one of the same user.
  const stay = ['-n', '--daemonize=no', '--exit-idle-time=-1', '--use-pid-file=no'];
  const sound = spawn('pulseaudio', [...stay, ...modules.map((name) => `--load=${name}`)], {
    stdio: 'ignore',
  });
  const firefox = spawn(
    path,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    { env: { ...process.env, PULSE_SERVER: `unix:${profile}/sound` }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(firefox.stderr).on('line', (line) => {
      const [, url] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
    firefox.on('exit', () => reject(new Error('Firefox ended before it could be driven.')));
  });
  const socket = new WebSocket(`${address}/session`);
  /** What pages and their policies complained of. */
  const failures: string[] = [];
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.on('message', (data) => {
    const answer: Answer = JSON.parse(String(data));
    if (answer.params?.level === 'error') failures.push(answer.params.text ?? '');
    waiting.get(answer.id ?? 0)?.(answer);
  });
  await once(socket, 'open');

  function send(method: string, params: object): Promise<Answer['result']> {
    const id = waiting.size + 1;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ error, message, result }) => (error ? reject(new Error(message)) : resolve(result)));
    });
  }
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });

  return {
    failures,
    /** Opens a page in a tab. @returns a function that runs a function of text in it, as if the reader had clicked */
    async open(url: string) {
      const { context } = (await send('browsingContext.create', { type: 'tab' })) ?? {};
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
      return async (act: (text: string) => unknown, text = ''): Promise<string> => {
        const functionDeclaration = `async (text) => String(await (${act})(text))`;
        const [target, value] = [{ context }, { type: 'string', value: text }];
        const call = {
          functionDeclaration,
          target,
          arguments: [value],
          awaitPromise: true,
          userActivation: true,
        };
        return (await send('script.callFunction', call))?.result?.value ?? '';
      };
    },
    async close(): Promise<void> {
      socket.close();
      await Promise.all([firefox, sound].map((child) => child.kill() && once(child, 'exit')));
      await rm(profile, { recursive: true, force: true });
    },
  };
}
