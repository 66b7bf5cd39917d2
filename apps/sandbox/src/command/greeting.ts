import { wellKnownKeys } from '../accounts.ts';
import { chaosHeader } from '../chaos/chaos.ts';
import { version } from '../version.ts';
import type { CommandLine } from './command-line.ts';
import { tryIt } from './try-it.ts';

/** What the command says once the sandbox listens, line by line. */
export function greet(url: string, options: CommandLine): string[] {
  const longest = Math.max(...Object.keys(wellKnownKeys).map((key) => key.length));
  const lines = [
    `Speech sandbox ${version}. Recent calls, to look at and to hear: ${url}/__sandbox/`,
    '',
    'Keys:',
    ...Object.entries(wellKnownKeys).map(([key, meaning]) => `  ${key.padEnd(longest)}  ${meaning}`),
    ...(options.seed === undefined ? [] : [`  and those of ${options.seed}`]),
    '',
    'Try:',
    ...tryIt(url).map((line) => `  ${line}`),
    '',
  ];
  if (options.chaos !== undefined) lines.push(...greetChaos(options.chaos));
  if (options.data === undefined && !options.memory) {
    lines.push(
      'State is in memory and gone when the sandbox ends; --data DIR keeps it, --memory hides this line.',
    );
  }
  if (!/^(127\.|::1$|localhost$)/.test(options.host)) {
    lines.push(
      `It listens on ${options.host}: whoever reaches this machine reaches it, with keys that everybody knows.`,
    );
  }
  return lines;
}

function greetChaos(rules: readonly string[]): string[] {
  const header = `Chaos is on: the header ${chaosHeader} asks for faults`;
  return rules.length === 0
    ? [`${header}.`]
    : [`${header}, and so do the rules`, ...rules.map((rule) => `  ${rule}`)];
}
