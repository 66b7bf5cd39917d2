import type { ParseArgsOptionsConfig } from 'node:util';
import { readNumber } from '../command/arguments.ts';
import { UsageError } from '../errors.ts';
import type { Budget } from './budget.ts';

/** Options of the commands that send calls of their own: where to, and how much. */
export const sendingOptions = {
  target: { type: 'string' },
  live: { type: 'string' },
  only: { type: 'string', multiple: true, default: [] },
  'max-calls': { type: 'string' },
  'max-characters': { type: 'string' },
  'max-audio-seconds': { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  timeout: { type: 'string', default: '20' },
} as const satisfies ParseArgsOptionsConfig;

/** The values of {@link sendingOptions} as a command line gives them. */
type SendingValues = Readonly<
  Partial<
    Record<'target' | 'live' | 'max-calls' | 'max-characters' | 'max-audio-seconds', string | undefined>
  >
> & { readonly timeout: string };

/** @throws UsageError when a value is invalid */
export function readSending(values: SendingValues, whole: Budget) {
  const { target, live } = values;
  if (target === undefined)
    throw new UsageError(
      '--target is missing. Give the base address of the server: --target http://127.0.0.1:4010',
    );
  return {
    target,
    ...(live !== undefined && { live }),
    budget: {
      calls: readNumber('--max-calls', values['max-calls'], whole.calls, 1),
      characters: readNumber('--max-characters', values['max-characters'], whole.characters, 0),
      audioSeconds: readNumber('--max-audio-seconds', values['max-audio-seconds'], whole.audioSeconds, 0),
    },
    limits: { idleMs: 1000 * readNumber('--timeout', values.timeout, 20, 1) },
  };
}
