#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { helpText, readConfiguration } from './configuration.ts';
import { connectRedis } from './redis.ts';
import { startRelay } from './start-relay.ts';

/** stdout carries the URL alone, so that scripts can read it. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { config: { type: 'string' }, help: { type: 'boolean' }, version: { type: 'boolean' } },
  });
  if (values.help) {
    process.stdout.write(helpText);
    return;
  }
  if (values.version) {
    const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
    return;
  }
  const { redis, authorizeWith, ...options } = readConfiguration(process.env, values.config);
  const log = (entry: object): void => say(JSON.stringify({ time: new Date().toISOString(), ...entry }));
  const state = redis && (await connectRedis({ ...redis, log }));
  const running = await startRelay({ ...options, state, authorize: authorizeWith(state), log }).catch(
    (error: unknown) => {
      throw portInUse(error, options.metricsPort);
    },
  );
  const { origins, hosts } = options;
  log({ event: 'listening', url: running.url, metricsUrl: running.metricsUrl, origins, hosts });
  process.stdout.write(`${running.url}\n`);
  let closing = false;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      // A second signal does not wait for the utterances.
      if (closing) process.exit(130);
      closing = true;
      running
        .close()
        .then(() => state?.close())
        .then(() => process.exit(0));
    });
  }
}

/** Names the setting of a port that somebody else has. */
function portInUse(error: unknown, metricsPort: number | undefined): unknown {
  if (!(error instanceof Error && 'code' in error && 'port' in error) || error.code !== 'EADDRINUSE')
    return error;
  const variable = error.port === metricsPort ? 'SPEECH_RELAY_METRICS_PORT' : 'SPEECH_RELAY_PORT';
  return new Error(`Port ${error.port} is in use; set ${variable} to another one, or to 0 for any.`);
}

main().catch((error: unknown) => {
  const wrong = error instanceof TypeError;
  say(error instanceof Error ? error.message : String(error));
  if (wrong) say('speech-relay --help lists all settings.');
  process.exit(wrong ? 2 : 1);
});
