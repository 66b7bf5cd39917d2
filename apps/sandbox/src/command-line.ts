import {
  type Command,
  createProgram,
  InvalidArgumentError,
  Option,
  type ServerOptions,
  serverOptions,
  wholeNumber,
} from '@speech-api/program';
import { versionOf } from '@speech-api/program/node-version';
import type { RecordMode } from '@speech-api/server';

export interface CommandLine extends ServerOptions {
  readonly data?: string;
  readonly seed?: string;
  readonly concurrency?: number;
  readonly trainingSeconds?: number;
  readonly record?: RecordMode;
}

export function createCommandLine(run: (options: CommandLine) => void | Promise<void>): Command {
  const program = createProgram(
    'speech-sandbox',
    'The speech service on one machine.',
    versionOf(import.meta.url),
  )
    .addHelpText('after', '\nThe first line on stdout is the URL; everything else goes to stderr.')
    .action(run);
  const options = [
    new Option(
      '--data <folder>',
      'folder to keep state in; created when it does not exist; without it, in memory',
    ),
    new Option('--seed <file>', 'accounts, voice models and prices to start with, beside the built-in ones'),
    new Option(
      '--concurrency <count>',
      'requests of one account that may be under way; without it, what the seed data says, 50',
    ).argParser(wholeNumber(1, 999_999)),
    new Option(
      '--training-seconds <seconds>',
      'how long the training of a full voice model takes; without it, 5',
    ).argParser(seconds),
    new Option('--record <mode>', 'what / and /__calls show of a call: bodies adds texts and audio')
      .choices(['settings', 'bodies'])
      .default('settings'),
  ];
  for (const option of [...serverOptions(4010), ...options]) program.addOption(option);
  return program;
}

function seconds(text: string): number {
  if (/^\d{1,6}(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be seconds, such as 0.5.');
}
