import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { helpOf } from '../help.mjs';
import { build, runProgram, showNote, speakingWorkspaces } from './processes.ts';

/** The packages that a program of the caller's may import. */
const packages = [
  'client',
  'streaming',
  'audio',
  'msgpack',
  'types',
  'live',
  'recordings',
  'ai-sdk',
  'relay',
  'mock',
];
const workspaces = packages.map((name) => `@speech-api/${name}`);

export async function tryFile([file, ...args]: readonly string[]): Promise<number> {
  if (file === undefined) {
    process.stderr.write(helpOf('try'));
    return 2;
  }
  // npm starts scripts in the root of the clone and names the caller's folder here.
  const path = resolve(process.env.INIT_CWD ?? '.', file);
  if (!existsSync(path)) {
    process.stderr.write(`There is no file ${path}.\n`);
    return 2;
  }
  if (!(await build([...speakingWorkspaces, ...workspaces]))) return 1;
  const hooks = new URL('resolve-packages.ts', import.meta.url).href;
  const { SPEECH_BASE_URL: baseUrl, INIT_CWD: folder = '.' } = process.env;
  const runIn = (environment: NodeJS.ProcessEnv): Promise<number> => {
    // npm starts scripts in the root of the clone; what the program writes belongs where its caller is.
    process.chdir(folder);
    return runProgram(['--import', hooks, path, ...args], { ...process.env, ...environment });
  };
  if (baseUrl) {
    process.stderr.write(
      'SPEECH_BASE_URL is set, so the program calls that address and no sandbox of its own.\n',
    );
    return runIn({});
  }
  const sandbox = await startKeptSandbox();
  try {
    return await runIn({
      SPEECH_API_KEY: 'sandbox-key',
      SPEECH_BASE_URL: sandbox.url,
      SPEECH_WEBSOCKET_URL: sandbox.url.replace(/^http/, 'ws'),
    });
  } finally {
    await sandbox.close();
  }
}

/** A recording that one program makes can be transcribed by the next. */
async function startKeptSandbox(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { startSandbox } = await import('@speech-api/sandbox');
  const options = { port: 0, logger: showNote };
  const data = resolve('out/try');
  if (!existsSync(data)) process.stderr.write(`What the sandbox stores is kept in ${data}.\n`);
  try {
    return await startSandbox({ ...options, data });
  } catch (error) {
    // Another `npm run try` has the folder.
    if (!/^Another sandbox/.test(String((error as Error).message))) throw error;
    return startSandbox(options);
  }
}
