#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { helpText, readConfiguration, variableOf } from './configuration.ts';
import { connectRedis } from './redis.ts';
import { startRelay } from './start-relay.ts';

/** stdout carries the URL alone, so that scripts can read it. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** @throws TypeError for an unknown option, which names the variable where it is a setting */
function readArguments(): { config?: string | undefined; help?: boolean; version?: boolean } {
  try {
    return parseArgs({
      options: { config: { type: 'string' }, help: { type: 'boolean' }, version: { type: 'boolean' } },
    }).values;
  } catch (error) {
    const [, option = ''] = /'--([\w-]+)/.exec((error as Error).message) ?? [];
    const variable = variableOf(option);
    throw variable ? new TypeError(`--${option} is a setting, not an option; set ${variable}.`) : error;
  }
}

async function main(): Promise<void> {
  // A log that cannot be written, such as on a full disk, does not end the relay.
  process.stderr.on('error', () => {});
  const values = readArguments();
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
      throw namingPort(error, options.metricsPort);
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

/** Names the setting of a port that cannot be listened at. */
function namingPort(error: unknown, metricsPort: number | undefined): unknown {
  if (!(error instanceof Error && 'code' in error && 'port' in error)) return error;
  const reasons: Readonly<Record<string, string>> = { EADDRINUSE: 'is in use', EACCES: 'needs privileges' };
  const reason = reasons[String(error.code)];
  if (reason === undefined) return error;
  const variable = error.port === metricsPort ? 'SPEECH_RELAY_METRICS_PORT' : 'SPEECH_RELAY_PORT';
  return new Error(`${variable}: port ${error.port} ${reason}; use another one, or 0 for any.`);
}

main().catch((error: unknown) => {
  const wrong = error instanceof TypeError;
  say(error instanceof Error ? error.message : String(error));
  if (wrong) say('speech-relay --help lists all settings.');
  process.exit(wrong ? 2 : 1);
});
