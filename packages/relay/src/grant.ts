import { inspect } from 'node:util';
import type { AudioFormat } from '@speech-api/types';
import { audioFormats } from '@speech-api/types/constants';
import { isHeaderValue } from './http.ts';

/** What a client may do in one session. What is left out is not limited beyond the relay's own limits. */
export interface Grant {
  /** Whom the limits count; stays in the relay. */
  readonly user: string;
  /** The model of the session. @defaultValue the relay's */
  readonly model?: string | undefined;
  /** Ids of the voices that may speak. An empty list allows the service's default voice alone. */
  readonly voices?: readonly string[] | undefined;
  readonly formats?: readonly AudioFormat[] | undefined;
  /** Unicode code points of the session. @defaultValue `charactersPerSession` of the limits */
  readonly characters?: number | undefined;
  /** Whether samples of a voice may be sent. @defaultValue false */
  readonly references?: boolean | undefined;
}

const isListOf = (value: unknown, allows: (entry: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(allows);

/** What each field takes, in words and as a check. */
const fields: Readonly<Record<keyof Grant, readonly [string, (value: unknown) => boolean]>> = {
  user: ['a string with something in it', (value) => typeof value === 'string' && value !== ''],
  model: ['a name of ASCII characters without spaces', isHeaderValue],
  voices: ['a list of strings', (value) => isListOf(value, (entry) => typeof entry === 'string')],
  formats: [
    `a list of one or more of ${audioFormats.join(', ')}`,
    (value) =>
      isListOf(value, (entry) => audioFormats.includes(entry as AudioFormat)) && (value as []).length > 0,
  ],
  characters: ['a whole number from 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0],
  references: ['true or false', (value) => typeof value === 'boolean'],
};

/** What is wrong with a grant, if anything: a limit that is not understood would be none. */
export function faultOfGrant(grant: unknown): string | undefined {
  if (typeof grant !== 'object' || grant === null) return 'the grant is not an object';
  const { user } = grant as Partial<Grant>;
  for (const [name, value] of Object.entries({ ...grant, user })) {
    if (!Object.hasOwn(fields, name)) {
      return `the grant has the unknown field ${name}; use ${Object.keys(fields).join(', ')}`;
    }
    const [words, allows] = fields[name as keyof Grant];
    if (value === undefined && name !== 'user') continue;
    if (!allows(value)) {
      // A log must not show whom it is about.
      const wrong =
        name === 'user' ? 'missing or not valid' : inspect(value, { depth: 1, maxStringLength: 50 });
      return `${name} of the grant is ${wrong}; use ${words}`;
    }
  }
  return undefined;
}
