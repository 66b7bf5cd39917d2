import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, runProgram, speakingWorkspaces } from './processes.ts';

const help = `npm run try FILE [-- ARGUMENTS]

Runs a program of your own against a sandbox that lives as long as the program does, or against the server that
SPEECH_BASE_URL names. In it, \`import ... from '@speech-api/client'\` means the packages of this clone, wherever the file is.
`;

/** The packages that a program of the caller's may import. */
const workspaces = [
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
].map((name) => `@speech-api/${name}`);

export async function tryFile([file, ...args]: readonly string[]): Promise<number> {
  if (file === undefined || file === '--help') {
    process.stdout.write(help);
    return file === undefined ? 2 : 0;
  }
  // npm starts scripts in the root of the clone and names the caller's folder here.
  const path = resolve(process.env.INIT_CWD ?? '.', file);
  if (!existsSync(path)) {
    process.stderr.write(`There is no file ${path}.\n`);
    return 2;
  }
  if (!(await build([...speakingWorkspaces, ...workspaces]))) return 1;
  const hooks = new URL('resolve-packages.ts', import.meta.url).href;
  const program = ['--import', hooks, path, ...args];
  // npm starts scripts in the root of the clone; what the program writes belongs where its caller is.
  process.chdir(process.env.INIT_CWD ?? '.');
  const { SPEECH_BASE_URL: named = '' } = process.env;
  if (named !== '') {
    process.stderr.write(`No sandbox is started: calls go to ${named}, which SPEECH_BASE_URL names.\n`);
    return await runProgram(program);
  }
  const { startSandbox } = await import('@speech-api/sandbox');
  const sandbox = await startSandbox({ port: 0, logger: () => {} });
  try {
    return await runProgram(program, {
      ...process.env,
      SPEECH_API_KEY: 'sandbox-key',
      SPEECH_BASE_URL: sandbox.url,
      SPEECH_WEBSOCKET_URL: sandbox.url.replace(/^http/, 'ws'),
    });
  } finally {
    await sandbox.close();
  }
}
