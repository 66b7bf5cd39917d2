import { readFileSync } from 'node:fs';
import { errorAdvice } from './error-advice.ts';

const readme = readFileSync(
  new URL('README.md', import.meta.resolve('@speech-api/client/package.json')),
  'utf8',
);

/** The error classes of the client in the order of its README, each with what it means and what to do in Markdown. */
export const errorClasses = [...readme.matchAll(/^#{3,4} (\w+Error)\n+([\s\S]*?)(?=^#{1,4} )/gm)].map(
  ([, name = '', meaning = '']) => ({
    name,
    // The sentence that leads to the list of classes in the README has no list below it here.
    meaning: meaning.trim().replace(/ The class tells the status:$/, ''),
    advice: errorAdvice[name] ?? '',
  }),
);

/** The name of the class for a status, which begins the meaning of the class: `404: …`, `5xx …`. */
export function errorClassOf(status: number | string): string {
  const start = Number(status) < 500 ? `${status}:` : '5xx';
  return errorClasses.find(({ meaning }) => meaning.startsWith(start))?.name ?? 'ApiError';
}
