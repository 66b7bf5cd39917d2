import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs `use` with the address of a bare server in another process, and ends that process. */
export async function withServer<Value>(use: (url: string) => Promise<Value>): Promise<Value> {
  const file = fileURLToPath(new URL('../child/server.ts', import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    return await use(String(line).trim());
  } finally {
    child.stdin.end();
    await once(child, 'close');
  }
}
