import { type ChildProcess, spawn } from 'node:child_process';
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
  readonly method?: string;
  readonly params?: { readonly level?: string; readonly text?: string };
  readonly result?: { readonly context?: string; readonly result?: { readonly value?: string } };
}

/** Debian's Firefox, driven by WebDriver BiDi: playwright needs commands that its long-term release has not. */
export class Firefox {
  /** What pages and their policies complained of. */
  readonly failures: string[] = [];
  readonly #processes: readonly ChildProcess[];
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();

  static async launch(): Promise<Firefox> {
    const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
    const lines = Object.entries(preferences).map(
      (entry) => `user_pref(${JSON.stringify(entry).slice(1, -1)});`,
    );
    await writeFile(join(profile, 'user.js'), lines.join('\n'));
    const path = process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr';
    if (!existsSync(path))
      throw new Error(
        `There is no Firefox at ${path}. Install firefox-esr and pulseaudio, or set FIREFOX_PATH.`,
      );
    // Without a sound card the clock of its sound stands still, so it plays into a server of sound that has no device.
    const load = ['module-null-sink', `module-native-protocol-unix socket=${profile}/sound auth-anonymous=1`];
    const sound = spawn('pulseaudio', ['-n', '--daemonize=no', ...load.map((module) => `--load=${module}`)]);
    const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
    const env = { ...process.env, PULSE_SERVER: `unix:${profile}/sound` };
    const child = spawn(path, options, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    await once(child, 'spawn');
    const address = await new Promise<string>((resolve, reject) => {
      createInterface(child.stderr).on('line', (line) => {
        const [, url] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
        if (url !== undefined) resolve(url);
      });
      child.on('exit', () => reject(new Error('Firefox ended before it could be driven.')));
    });
    const socket = new WebSocket(`${address}/session`);
    await once(socket, 'open');
    const firefox = new Firefox([child, sound], profile, socket);
    await firefox.#send('session.new', { capabilities: {} });
    await firefox.#send('session.subscribe', { events: ['log.entryAdded'] });
    return firefox;
  }

  private constructor(processes: readonly ChildProcess[], profile: string, socket: WebSocket) {
    this.#processes = processes;
    this.#profile = profile;
    this.#socket = socket;
    socket.on('message', (data) => {
      const answer: Answer = JSON.parse(String(data));
      if (answer.params?.level === 'error') this.failures.push(answer.params.text ?? '');
      this.#waiting.get(answer.id ?? 0)?.(answer);
    });
  }

  #send(method: string, params: object): Promise<Answer> {
    const id = this.#waiting.size + 1;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (answer) => (answer.error ? reject(new Error(answer.message)) : resolve(answer)));
    });
  }

  /** Opens a page in a tab. @returns a function that runs a function of text in it, as if the reader had clicked */
  async open(url: string) {
    const { result } = await this.#send('browsingContext.create', { type: 'tab' });
    const context = result?.context ?? '';
    await this.#send('browsingContext.navigate', { context, url, wait: 'complete' });
    return async (act: (text: string) => unknown, text = ''): Promise<string> => {
      const { result } = await this.#send('script.callFunction', {
        functionDeclaration: `async (text) => String(await (${act})(text))`,
        arguments: [{ type: 'string', value: text }],
        target: { context },
        awaitPromise: true,
        userActivation: true,
      });
      return result?.result?.value ?? '';
    };
  }

  async close(): Promise<void> {
    this.#socket.close();
    await Promise.all(this.#processes.map((child) => child.kill() && once(child, 'exit')));
    await rm(this.#profile, { recursive: true, force: true });
  }
}
