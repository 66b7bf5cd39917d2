import { versionOf } from '@speech-api/program/node-version';
import { faultHeader, tryIt } from '@speech-api/server';
import type { CommandLine } from './command-line.ts';
import { wellKnownKeys } from './seed.ts';

export const version = versionOf(import.meta.url);

/** Lines that the command prints once the sandbox listens. */
export function greet(
  url: string,
  options: Pick<CommandLine, 'seed' | 'host'>,
  faults: readonly string[] | undefined,
): string[] {
  const longest = Math.max(...Object.keys(wellKnownKeys).map((key) => key.length));
  const lines = [
    `Speech sandbox ${version}. Its calls: ${url}/`,
    '',
    'Keys:',
    ...Object.entries(wellKnownKeys).map(([key, meaning]) => `  ${key.padEnd(longest)}  ${meaning}`),
    ...(options.seed === undefined ? [] : [`  and those of ${options.seed}`]),
    '',
    'Try:',
    ...tryIt(url, 'sandbox-key').map((line) => `  ${line}`),
    '',
  ];
  if (faults !== undefined) lines.push(...greetFaults(faults));
  if (!/^(127\.|::1$|localhost$)/.test(options.host)) {
    lines.push(
      `The sandbox listens on ${options.host}: anyone who can reach this machine can call it, with keys that are public.`,
    );
  }
  return lines;
}

function greetFaults(rules: readonly string[]): string[] {
  const header = `Faults are on: the header ${faultHeader} asks for them`;
  return rules.length === 0
    ? [`${header}.`]
    : [`${header}, and so do the rules`, ...rules.map((rule) => `  ${rule}`)];
}
