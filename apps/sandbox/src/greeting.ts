import { versionOf } from '@speech-api/program/node-version';
import { faultHeader } from '@speech-api/server';
import type { CommandLine } from './command-line.ts';
import { wellKnownKeys } from './seed.ts';

/** The version of this package. */
export const version = versionOf(import.meta.url);

/** Lines that the command prints once the sandbox listens. */
export function greet(
  url: string,
  options: Pick<CommandLine, 'seed' | 'host'>,
  faults: readonly string[] | undefined,
): string[] {
  const longest = Math.max(...Object.keys(wellKnownKeys).map((key) => key.length));
  const lines = [
    `Speech sandbox ${version}. Recent calls, to see and to hear: ${url}/__sandbox/`,
    '',
    'Keys:',
    ...Object.entries(wellKnownKeys).map(([key, meaning]) => `  ${key.padEnd(longest)}  ${meaning}`),
    ...(options.seed === undefined ? [] : [`  and those of ${options.seed}`]),
    '',
    'Try:',
    ...tryIt(url).map((line) => `  ${line}`),
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

/** A command that speaks, ready to be copied: two lines of one command. */
export function tryIt(url: string): string[] {
  return [
    `curl ${url}/v1/tts -H 'authorization: Bearer sandbox-key' -H 'model: s2-pro' \\`,
    `  -H 'content-type: application/json' -d '{"text":"Hello."}' --output hello.mp3`,
  ];
}
