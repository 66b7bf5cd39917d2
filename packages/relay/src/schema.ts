import { originOf } from '@speech-api/program/page-origin';
import { audioFormats } from '@speech-api/types/constants';
import { operationTable } from '@speech-api/types/operations';
import { z } from 'zod';
import { defaultLimits, type RelayLimits } from './defaults.ts';
import type { Grant, RelayOptions } from './options.ts';
import type { RelayState } from './state.ts';

/**
 * Checks a value from outside. No value is shown in an error, since it may be a secret.
 *
 * @param nameOf how the reader wrote a field
 * @throws TypeError that names every field which is missing, unknown or wrong, and says what would work
 */
export function parse<Output>(
  schema: z.ZodType<Output>,
  value: unknown,
  nameOf = (field: string): string => field,
): Output {
  const error = ({ input }: { readonly input?: unknown }): string | undefined =>
    input === undefined ? 'missing' : undefined;
  const result = schema.safeParse(value, { error });
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path: [field, ...rest], message }) => {
    if (field === undefined) return message;
    return `${z.core.toDotPath([nameOf(String(field)), ...rest])}: ${message}`;
  });
  throw new TypeError(faults.join('; '));
}

const livePath = operationTable.openLiveSession.path;

export const headerValue = z.string().regex(/^[\x21-\x7e]+$/, 'use ASCII characters without spaces');

/** True if a name is of this machine, without a DNS lookup. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|::1|\[::1\])$/.test(host);

const webSocketAddress = z
  .string()
  .transform((address) => address.replace(/\/+$/, ''))
  .refine((address) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || url.username + url.password + url.search + url.hash !== '') return false;
    return url.protocol === 'wss:' || (url.protocol === 'ws:' && isLoopback(url.hostname));
  }, 'must begin with wss://, or ws:// on this machine, and hold no password, query or fragment')
  .refine((address) => !address.endsWith(livePath), `must not end in ${livePath}, which is added`);

/** An origin that a page can have, except "null": any page can take that one in a sandboxed frame. */
const origin = z
  .string()
  .toLowerCase()
  .superRefine((options, context) => {
    const real = originOf(options);
    if (real === options) return;
    const words = real ?? 'a scheme, a host and a port, such as https://app.example';
    context.addIssue({ code: 'custom', message: `use ${words}` });
  });

const host = z
  .string()
  .toLowerCase()
  .regex(/^(?:[\w.-]+|\[[\da-f:.]+\])$/, 'use a name without scheme and port, such as relay.example');

/** A timer with more milliseconds would fire at once. */
const maximumSeconds = Math.floor((2 ** 31 - 1) / 1000);

const limits = z.strictObject(
  Object.fromEntries(
    Object.entries(defaultLimits).map(([name, value]) => {
      const number = name.endsWith('Seconds') ? z.number().max(maximumSeconds) : z.int().max(1e9);
      return [name, number.positive().default(value)];
    }),
  ),
) as unknown as z.ZodType<RelayLimits, Partial<RelayLimits>>;

const aFunction = <Work>(words: string): z.ZodType<Work> =>
  z.custom<Work>((value) => typeof value === 'function', words);

export const shared = {
  origins: z.array(origin),
  hosts: z.array(host).default([]),
  limits: limits.prefault({}),
};
export const upstream = {
  webSocketUrl: webSocketAddress,
  // A key that was read from a file often ends with a line break.
  apiKey: z.string().trim().pipe(headerValue),
  model: headerValue,
};

export const optionsSchema = z.strictObject({
  ...shared,
  upstream: z.strictObject(upstream),
  authorize: aFunction<RelayOptions['authorize']>('use a function that returns a grant, or nothing'),
  state: z.custom<RelayState>().optional(),
  metrics: z.custom<NonNullable<RelayOptions['metrics']>>().optional(),
  log: aFunction<NonNullable<RelayOptions['log']>>('use a function').optional(),
});

export type CheckedOptions = z.output<typeof optionsSchema>;

/** A grant. Unknown fields are refused, because an unknown limit would not apply. */
export const grantSchema: z.ZodType<Grant> = z.strictObject({
  user: z.string().min(1),
  model: headerValue.optional(),
  voices: z.array(z.string()).optional(),
  formats: z.array(z.enum(audioFormats)).min(1).optional(),
  characters: z.int().min(0).optional(),
  references: z.boolean().optional(),
});
