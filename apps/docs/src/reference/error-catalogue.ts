import { readFile } from 'node:fs/promises';
import * as client from '@speech-api/client';
import { errorAdvice } from './error-advice.ts';
import { errorClasses } from './error-classes.ts';

/** An error class of the client. */
export interface CatalogueEntry {
  readonly name: string;
  /** What the link of the error ends with. */
  readonly anchor: string;
  /** What it means, from the README of the client. Markdown. */
  readonly meaning: string;
  /** What to do about it. Markdown. */
  readonly advice: string;
  /** The statuses that give this class; none where no answer came. */
  readonly statuses: readonly number[];
}

/** The error classes of the client in the order of its README, each with the statuses it stands for. */
export async function readErrorCatalogue(statuses: readonly number[]): Promise<readonly CatalogueEntry[]> {
  const readme = await readFile(
    new URL('README.md', import.meta.resolve('@speech-api/client/package.json')),
    'utf8',
  );
  const classes = await errorClasses(statuses);
  const sections = [...readme.matchAll(/^#{3,4} (\w+Error)\n+([\s\S]*?)(?=^#{1,4} )/gm)];
  const written = sections.map(([, name = '', meaning = '']) => ({ name, meaning: meaning.trim() }));
  const exported = Object.keys(client).filter((name) => name.endsWith('Error') && name !== 'SpeechError');
  const missing = exported.filter((name) => !written.some((entry) => entry.name === name));
  if (missing.length > 0) throw new Error(`packages/client/README.md does not explain ${missing.join(', ')}`);
  return written.map(({ name, meaning }) => {
    const advice = errorAdvice[name];
    if (advice === undefined) throw new Error(`src/reference/error-advice.ts says nothing about ${name}`);
    return {
      name,
      anchor: name.toLowerCase(),
      // The sentence that leads to the list of classes in the README has no list below it here.
      meaning: meaning.replace(/ The class tells the status:$/, ''),
      advice,
      statuses: [...classes].filter(([, kind]) => kind === name).map(([status]) => status),
    };
  });
}
