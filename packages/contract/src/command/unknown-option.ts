import { UsageError } from './command.ts';

/** What to say about arguments that `parseArgs` did not accept; for an unknown option, what it may have been meant to be. */
export function usageErrorOf(error: unknown, options: object): UsageError {
  const message = error instanceof Error ? error.message : String(error);
  const [, name] = /^Unknown option '--([\w-]+)/.exec(message) ?? [];
  if (name === undefined) return new UsageError(message);
  if (name.includes('key'))
    return new UsageError(
      `Unknown option --${name}. Put the key of the server into the environment variable SPEECH_API_KEY.`,
    );
  const near = Object.keys(options).find(
    (known) => lettersOf(known) === lettersOf(name) || isOneLetterApart(known, name),
  );
  return new UsageError(`Unknown option --${name}.${near === undefined ? '' : ` Did you mean --${near}?`}`);
}

/** The same for names whose letters are in another order. */
function lettersOf(name: string): string {
  return [...name].sort().join('');
}

/** Whether one letter was added, left out or mistyped. */
function isOneLetterApart(one: string, other: string): boolean {
  const start = [...one].findIndex((letter, index) => letter !== other[index]);
  const place = start < 0 ? one.length : start;
  const rests = [one.slice(place), one.slice(place + 1)];
  return [other.slice(place), other.slice(place + 1)].some((rest) => rests.includes(rest));
}
