import { inspect } from 'node:util';
import type { LogFields, Logger } from '../options.ts';

/** Everything that clients of this test file wrote, at the most verbose level. */
const lines: string[] = [];
/** What no log may show: the text of each request that reached a test server, and its transcripts. */
const secrets = new Set<string>();

/** A logger that keeps all it is given, and passes it on to the logger of the test. */
export function capturing(logger: Logger | undefined): Required<Logger> {
  const write =
    (level: keyof Logger) =>
    (message: string, fields: LogFields): void => {
      lines.push(
        `${level} ${message} ${inspect(fields, { depth: 10, showHidden: true, maxStringLength: null })}`,
      );
      logger?.[level]?.(message, fields);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn') };
}

/** Keeps lines that were written past the logger. */
export function captureLine(line: string): void {
  lines.push(line);
}

/** Remembers what a request said, in whichever encoding it came. */
export function rememberSecrets(body: Buffer): void {
  const found = body
    .toString('latin1')
    .matchAll(/"text":"((?:[^"\\]|\\.)+)"|\xa4text(?:[\xa1-\xbf]|\xd9.)([ -~]+)/gs);
  for (const [, json, messagePack] of found) {
    const text = json ?? messagePack ?? '';
    // A shorter text may occur in another line by chance.
    if (text.length > 4) secrets.add(text);
  }
}

/** What was written and what may not be in it. */
export function captured(): { readonly lines: readonly string[]; readonly secrets: readonly string[] } {
  return { lines, secrets: [...secrets] };
}
