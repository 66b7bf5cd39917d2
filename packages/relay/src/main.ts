import { addSection, asUsage, createProgram, Option, runProgram, runServer } from '@speech-api/program';
import { versionOf } from '@speech-api/program/node-version';
import { configVariable, readConfiguration, settingHelp, variableOf } from './configuration.ts';
import { limitTable } from './defaults.ts';
import { connectRedis } from './redis.ts';
import { startRelay } from './start-relay.ts';

const program = createProgram(
  'speech-relay',
  'Lets browsers use live sessions of the speech service without its key.',
  versionOf(import.meta.url),
)
  .addOption(new Option('--config <file>', 'a JSON file with settings').env(configVariable))
  .addHelpText(
    'after',
    `
Settings come from the environment, or by the names in brackets from the file; the environment takes precedence.
Lists are separated by commas in the environment.`,
  )
  .action(run);
addSection(program, 'Settings', settingHelp());
addSection(
  program,
  'Limits',
  Object.entries(limitTable).map(([name, [value, meaning]]) => [name, `${meaning} (default: ${value})`]),
);
await runProgram(program, undefined, variableOf);

async function run({ config }: { readonly config?: string }): Promise<void> {
  const { redis, authorizeWith, ...options } = asUsage(() => readConfiguration(process.env, config));
  const log = (entry: object): void =>
    void process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
  await runServer({
    start: async () => {
      const state = redis && (await connectRedis({ ...redis, log }));
      const relay = await startRelay({ ...options, state, authorize: authorizeWith(state), log });
      const { origins, hosts } = options;
      log({ event: 'listening', url: relay.url, metricsUrl: relay.metricsUrl, origins, hosts });
      return { url: relay.url, close: () => relay.close().then(() => state?.close()) };
    },
    names: (port) => ({
      port: port === options.metricsPort ? 'SPEECH_RELAY_METRICS_PORT' : 'SPEECH_RELAY_PORT',
      host: 'SPEECH_RELAY_HOST',
    }),
  });
}
