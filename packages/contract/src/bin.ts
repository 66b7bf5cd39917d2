#!/usr/bin/env node
import { whatIsTooOld } from './tool.ts';

const { stdout, stderr, env } = process;
const tooOld = whatIsTooOld(process.versions.node);
if (tooOld === undefined) {
  // Loaded only now, because an old Node may not even parse the judge.
  const { main } = await import('./main.ts');
  process.exitCode = await main(process.argv.slice(2), {
    out: (text) => void stdout.write(text),
    error: (text) => void stderr.write(text),
    environment: env,
  });
} else {
  stderr.write(`speech-contract: ${tooOld}\n`);
  process.exitCode = 2;
}
