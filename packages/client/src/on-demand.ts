import { ConnectionError } from './errors.ts';

// Code that only some calls need, in one file that is loaded with the first of them.

let loaded: Promise<typeof import('./later.ts')> | undefined;

/** Loads when it is first asked; a failure is tried again. Asking a runtime for a module at each call is slow. */
export function loadLater(): Promise<typeof import('./later.ts')> {
  loaded ??= import('./later.ts').catch((cause: unknown) => {
    loaded = undefined;
    throw new ConnectionError('a part of the client could not be loaded; is its bundle complete?', { cause });
  });
  return loaded;
}
