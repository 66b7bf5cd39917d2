#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { helpText, readConfiguration, SettingError } from './configuration.ts';
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
  const running = await startRelay({ ...options, state, authorize: authorizeWith(state), log });
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

main().catch((error: unknown) => {
  const wrong = error instanceof SettingError || (error instanceof TypeError && 'code' in error);
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (wrong) say(`${(error as Error).message}\n\n${helpText}`);
  else if (taken) say('The port is in use; set SPEECH_RELAY_PORT to another one, or to 0 for any.');
  else say(error instanceof Error ? error.message : String(error));
  process.exit(wrong ? 2 : 1);
});
