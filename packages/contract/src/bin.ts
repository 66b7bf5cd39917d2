#!/usr/bin/env node
import { startProgram } from '@speech-api/program/node-version';

await startProgram(import.meta.url, async () => {
  const { stdout, stderr, env: environment } = process;
  // Output that nobody reads ends no program.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2), {
    out: (text) => void stdout.write(text),
    error: (text) => void stderr.write(text),
    environment,
  });
});
