#!/usr/bin/env node
import { versionOf } from '@speech-api/program/node-version';

const version = versionOf(import.meta.url);
const [first] = process.argv.slice(2);
if (process.argv.length === 3 && (first === '--version' || first === '-V')) {
  // Answered before anything else is loaded.
  process.stdout.write(`${version}\n`);
} else {
  const { runSpeech } = await import('./run.ts');
  process.exitCode = await runSpeech(process.argv.slice(2), version);
}
