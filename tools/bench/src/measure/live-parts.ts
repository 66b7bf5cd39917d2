import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A part of the way of a live session. */
export interface Part {
  readonly url: string;
  /** Resident memory, in bytes. */
  memory(): Promise<number>;
}

/** Runs `use` with the service, a TCP pipe to it and a relay to it, each in a process of its own. */
export async function withParts<Value>(
  use: (parts: Readonly<Record<'direct' | 'pipe' | 'relay', Part>>) => Promise<Value>,
) {
  const children: ChildProcess[] = [];
  const start = async (...args: readonly string[]): Promise<Part> => {
    const file = fileURLToPath(new URL('../child/live.ts', import.meta.url));
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    children.push(child);
    if (child.stdout === null) throw new Error('stdout is not a pipe');
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    return {
      url: String(line).trim(),
      async memory() {
        child.send('memory');
        const [{ bytes }] = (await once(child, 'message')) as [{ bytes: number }];
        return bytes;
      },
    };
  };
  try {
    const direct = await start('service');
    const pipe = await start('pipe', direct.url);
    return await use({ direct, pipe, relay: await start('relay', direct.url) });
  } finally {
    for (const child of children) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  }
}
