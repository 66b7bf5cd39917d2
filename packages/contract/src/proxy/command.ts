import type { ParseArgsOptionsConfig } from 'node:util';
import { parseWords, readNumber, readProfile } from '../command/arguments.ts';
import type { Command, ExitCode, Surroundings } from '../command/command.ts';
import { listenForInterrupt } from '../command/interrupt.ts';
import { deliver, readReportPlan, reportHelp, reportOptions } from '../command/report-options.ts';
import { UsageError } from '../errors.ts';
import type { Finding } from '../judge/report.ts';
import { countOf, visible } from '../report/text.ts';
import { defaultMaxCalls, defaultPort, startContractProxy } from './proxy.ts';
import { defaultLimits } from './record.ts';
import type { ProxySummary } from './recorder.ts';

const mebibyte = 1024 * 1024;

const help = `speech-contract proxy: judge what passes between your code and a server

Usage: speech-contract proxy --upstream URL [options]

Use the address that it prints as the base address of your code. HTTP, event streams, MessagePack and WebSockets are
forwarded unchanged as they arrive, and judged at the same time. Ctrl-C stops the proxy and prints the report.

  --upstream URL          base address of the server, without /v1
  --live URL              base address of its live socket (default: that of --upstream, with ws or wss)
  --port N                the port to listen on; 0 chooses a free one (default ${defaultPort})
  --host ADDRESS          the address to listen on (default 127.0.0.1, for this machine only)
  --profile P             full, or stateless: judges each answer alone, for mocks (default full)
  --deterministic         the server gives the same audio for the same request, so compare it
  --max-calls N           maximum number of calls that are judged; later ones are forwarded unjudged (default ${defaultMaxCalls})
  --max-body MIB          largest body that is judged; larger ones are forwarded unjudged (default ${defaultLimits.bodyBytes / mebibyte})

${reportHelp}
  --help                  this text

Examples:

  speech-contract proxy --upstream http://127.0.0.1:4010
  SPEECH_BASE_URL=http://127.0.0.1:${defaultPort} npm test      in another terminal, then Ctrl-C in the first
  speech-contract proxy --upstream https://api.example.com --fail-on warning --report junit=contract.xml

The proxy has no key: it forwards the key of your code and never shows it. A report repeats requests that broke a
rule, with their text.

Exits with 0 if the contract is kept, 1 if it is not, 2 if it could not be judged.
`;

const options = {
  upstream: { type: 'string' },
  live: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  profile: { type: 'string', default: 'full' },
  deterministic: { type: 'boolean', default: false },
  'max-calls': { type: 'string' },
  'max-body': { type: 'string' },
  ...reportOptions,
} as const satisfies ParseArgsOptionsConfig;

/** Judges what passes between a client and a server. */
export const proxyCommand: Command = {
  name: 'proxy',
  summary: 'forwards your calls to a server and judges both sides',
  help,
  run,
};

async function run(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { values } = parseWords(words, options);
  const { upstream, live, host, deterministic } = values;
  if (upstream === undefined)
    throw new UsageError(
      '--upstream is missing. Give the base address of the server: --upstream http://127.0.0.1:4010',
    );
  const profile = readProfile(values.profile);
  const port = readNumber('--port', values.port, defaultPort, 0, 65_535);
  const maxCalls = readNumber('--max-calls', values['max-calls'], defaultMaxCalls, 1, 1_000_000);
  const maximum = readNumber('--max-body', values['max-body'], defaultLimits.bodyBytes / mebibyte, 1, 1024);
  const plan = readReportPlan(values);
  const say = createTeller(surroundings);
  const ended = Promise.withResolvers<void>();
  const interrupt = listenForInterrupt(() => {
    surroundings.error('Stopping. Interrupt again to exit at once, without a report.\n');
    ended.resolve();
  });
  try {
    const proxy = await startContractProxy({
      upstream,
      ...(live !== undefined && { live }),
      host,
      port,
      profile,
      deterministic,
      maxCalls,
      limits: {
        bodyBytes: maximum * mebibyte,
        allBytes: Math.max(defaultLimits.allBytes, 4 * maximum * mebibyte),
      },
      ...(plan.baseline !== undefined && { baseline: plan.baseline }),
      onFinding: say,
    });
    surroundings.error(
      `Listening on ${proxy.url} and forwarding to ${visible(upstream)}. Ctrl-C stops and prints the report.\n`,
    );
    await ended.promise;
    const report = await proxy.close();
    const code = await deliver(report, plan, surroundings);
    surroundings.error(`\n${describe(report.proxy)}`);
    return code;
  } finally {
    interrupt.release();
  }
}

/** Says each rule that an operation breaks as soon as it is seen, once per severity and place: the report has all of it. */
export function createTeller({ error }: Pick<Surroundings, 'error'>): (finding: Finding) => void {
  const told = new Set<string>();
  return ({ rule, operationId = '', severity, message, exchange, where = '' }) => {
    const key = `${rule} ${operationId} ${severity} ${where.replace(/\d+/g, '*')}`;
    if (severity === 'drift' || told.has(key)) return;
    told.add(key);
    error(`${visible(`${severity}  ${rule}  ${exchange}: ${message}`)}\n`);
  };
}

/** Describes for people what passed and was not judged. */
function describe({ calls, broken, notJudged, notJudgedCount, others, notCovered }: ProxySummary): string {
  const counted = ({ errors, warnings }: { errors: number; warnings: number }) =>
    `${countOf(errors, 'error')} and ${countOf(warnings, 'warning')}`;
  const otherNames = Object.entries(others).map(([name, times]) =>
    times === 1 ? name : `${name} (${times} times)`,
  );
  const shown = 10;
  const listed = otherNames.slice(0, shown).join(', ');
  const unlisted = otherNames.length > shown ? ` and ${otherNames.length - shown} more` : '';
  const lines = [
    `Forwarded ${countOf(calls, 'call')} of the API.`,
    `Your code: ${counted(broken.client)}. The server: ${counted(broken.server)}.`,
    ...notJudged.slice(0, shown).map(({ exchange, reason }) => `Not judged: ${exchange}: ${reason}.`),
    notJudgedCount > shown ? `Not judged: ${notJudgedCount - shown} more.` : '',
    listed === '' ? '' : `Forwarded, but not of the API: ${listed}${unlisted}.`,
    notCovered.length === 0
      ? ''
      : `Not covered, because only verify makes the calls for them: ${notCovered.join(', ')}.`,
  ];
  return lines.map((line) => (line === '' ? '' : `${visible(line)}\n`)).join('');
}
