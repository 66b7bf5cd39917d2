import type { Finding } from '../finding.ts';
import type { Entry } from './changelog.ts';

/** Stands in a draft where only a person knows what somebody has to do. The gate does not let it through. */
export const draftMark = '(say what to do)';

/**
 * Lines of the changelog for changes, in the words "who: what to do".
 *
 * @param entry What the changelog says already; changes whose subject it names are left out.
 */
export function draft(findings: readonly Finding[], entry: Entry = []): string[] {
  const missing = findings.filter(({ subject }) => !names(entry, subject));
  const lines = missing
    .filter(({ impact }) => impact !== 'patch')
    .map(({ audience, message, action, impact }) => {
      const what = impact === 'major' ? (action ?? draftMark) : 'you may use it, nothing has to be done';
      return `${audience}: ${what}. ${message}`;
    });
  const words = [
    ...new Set(missing.filter(({ impact }) => impact === 'patch').map(({ subject }) => `\`${subject}\``)),
  ];
  if (words.length > 0) {
    const listed =
      words.length > 8 ? `${words.slice(0, 8).join(', ')} and ${words.length - 8} more` : words.join(', ');
    lines.push(`Everybody: nothing has to be done for other words about ${listed}.`);
  }
  return [...new Set(lines)];
}

/** Whether an entry names the subject of a change, as a word of its own. */
export function names(entry: Entry, subject: string): boolean {
  const words = (line: string): string[] =>
    line.split(/[^\w./{}-]+/).map((word) => word.replace(/[.-]+$/, ''));
  return entry.some((line) => words(line).includes(subject));
}
