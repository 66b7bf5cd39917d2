#!/usr/bin/env node
declare const SPEECH_VERSION: string;

const [first] = process.argv.slice(2);
if (process.argv.length === 3 && (first === '--version' || first === '-V')) {
  // Answered before anything else is loaded.
  process.stdout.write(`${SPEECH_VERSION}\n`);
} else {
  const { runSpeech } = await import('./run.ts');
  process.exitCode = await runSpeech(process.argv, SPEECH_VERSION);
}

export {};
