import { dirname } from 'node:path';
import { type Consumer, key } from './consumer.ts';
import type { Project } from './project.ts';

/** The servers' side needs a newer Node than most machines have: the one of these tests. */
const environment = {
  PATH: `node_modules/.bin:${dirname(process.execPath)}:${process.env.PATH}`,
  SPEECH_API_KEY: key,
};

const relayEnvironment = (url: string): NodeJS.ProcessEnv => ({
  ...environment,
  SPEECH_WEBSOCKET_URL: url.replace('http', 'ws'),
  SPEECH_RELAY_PORT: '0',
  SPEECH_RELAY_ORIGINS: 'http://127.0.0.1',
  SPEECH_RELAY_TICKET_SECRET: 'a secret of thirty-two bytes, or more',
});

/** Starts sandbox, mock and relay, judges the sandbox, and sees that the tools of agents start. Each command is put after what starts it, such as `npx`. */
async function useCommands({ serve, run }: Project, starter: readonly string[] = []): Promise<void> {
  const command = (...words: readonly string[]) => {
    const [program = '', ...args] = [...starter, ...words];
    return [program, args] as const;
  };
  await using sandbox = await serve(...command('speech-sandbox', '--port', '0'), environment);
  await using mock = await serve(...command('speech-mock', '--port', '0'), environment);
  await using relay = await serve(...command('speech-relay'), relayEnvironment(sandbox.url));
  for (const url of [`${sandbox.url}/model`, `${mock.url}/model`, `${relay.url}/health`]) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  }
  await run(...command('speech-contract', 'verify', '--target', sandbox.url), environment);
  await run(...command('speech-mcp', '--help'), environment);
}

/** The commands that the packages of the servers' side install. */
export const servers: Consumer = {
  id: 'servers',
  async use({ packages, install, shared }) {
    await useCommands(await shared());
    const alone = packages.filter(({ manifest }) => manifest.name === '@speech-api/sandbox');
    const project = await install({ packages: alone });
    try {
      const refusal = await project.run('speech-sandbox', ['--port', '0'], environment).then(
        () => 'it starts without an engine',
        (error: Error) => error.message,
      );
      if (!refusal.includes('npm install @speech-api/engine-espeak')) throw new Error(refusal);
    } finally {
      project.remove();
    }
    return 'sandbox, mock, relay and judge, started by their commands';
  },
};
