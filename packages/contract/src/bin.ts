#!/usr/bin/env node
import { main } from './command/main.ts';

const { stdout, stderr, env } = process;
process.exitCode = await main(process.argv.slice(2), {
  out: (text) => void stdout.write(text),
  error: (text) => void stderr.write(text),
  environment: env,
  colour: stdout.isTTY === true && env.NO_COLOR === undefined && env.TERM !== 'dumb',
  width: Math.min(stdout.columns ?? 100, 140),
});
