import { readFileSync } from 'node:fs';

export const toolName = 'speech-contract';

/** The version of this package. */
export function toolVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
