import type { createInstance } from '@stoplight/prism-http';

type Logger = Parameters<typeof createInstance>[1]['logger'];

const nothing = (): void => {};

/** Prism tells its reasons to a logger; the mock has a log of its own. */
export const silentLogger = {
  level: 'silent',
  fatal: nothing,
  error: nothing,
  warn: nothing,
  info: nothing,
  debug: nothing,
  trace: nothing,
  silent: nothing,
  success: nothing,
  child: () => silentLogger,
} as unknown as Logger;
