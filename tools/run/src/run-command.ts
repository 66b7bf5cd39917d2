/** Finds the command by its name; each command is a file of its own, loaded only when it is called. */
export async function runCommand(name: string | undefined, args: readonly string[]): Promise<number> {
  const load = commands[name ?? ''];
  if (load === undefined) {
    process.stderr.write(`Unknown command "${name ?? ''}". One of: ${Object.keys(commands).join(', ')}.\n`);
    return 2;
  }
  const command = await load();
  return await command.run(args);
}

interface Command {
  run(args: readonly string[]): Promise<number>;
}

const commands: Record<string, () => Promise<Command>> = {
  bench: () => import('./commands/bench.ts'),
  contract: () => import('./commands/contract.ts'),
  mock: () => import('./commands/mock.ts'),
  demo: () => import('./commands/demo.ts'),
  diff: () => import('./commands/diff.ts'),
  generate: () => import('./commands/generate.ts'),
  sandbox: () => import('./commands/sandbox.ts'),
  speech: () => import('./commands/speech.ts'),
  start: () => import('./commands/start.ts'),
  test: () => import('./commands/test.ts'),
  'test:full': () => import('./commands/test-full.ts'),
  'test:fresh': () => import('./commands/test-fresh.ts'),
  turbo: () => import('./commands/turbo.ts'),
};
