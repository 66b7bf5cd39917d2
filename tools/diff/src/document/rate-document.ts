import type { Finding } from '../finding.ts';
import { isAtLeast } from '../impact.ts';
import { inWords, isObject, isSame, type JsonObject, pointerNames, pointerPart } from '../json.ts';
import { type RatedChange, rateWithRedocly } from '../redocly.ts';
import { type Difference, differences } from './difference.ts';
import { type Direction, directionsOf, valueAt } from './direction.ts';
import { keywordRules } from './keywords.ts';
import { audienceOf, isInsideData, keywordOf, subjectOf } from './place.ts';

/** Other words for the same thing. */
const documentation = new Set([
  'description',
  'summary',
  'title',
  'examples',
  'example',
  'externalDocs',
  'x-provenance',
  'x-section',
  'x-fault',
  'tags',
  'license',
  'contact',
  'termsOfService',
  '$comment',
]);

/**
 * Rates every difference between two versions of a document: by redocly diff, by our own rules, and by the careful
 * assumption that somebody relied on what neither of them knows.
 *
 * @param file Name of the built file, for the places of the findings.
 */
export async function rateDocument(file: string, base: JsonObject, revision: JsonObject): Promise<Finding[]> {
  if (isSame(base, revision)) return [];
  const rated = await rateWithRedocly(base, revision);
  const before = directionsOf(base);
  const after = directionsOf(revision);
  const directions = (pointer: string): ReadonlySet<Direction> =>
    new Set([...before(pointer), ...after(pointer)]);
  const isLive = 'asyncapi' in revision;
  const left = new Set(rated);
  const findings: Finding[] = [];

  const about = (pointer: string) => ({
    place: `${file}#${pointer}`,
    subject: subjectOf(isObject(valueAt(revision, pointer)) ? revision : base, pointer),
    audience: audienceOf(directions(pointer), isLive),
  });

  for (const difference of differences(base, revision)) {
    const { pointer } = difference;
    const theirs = rated.filter((change) => isWithin(change.pointer, pointer));
    for (const change of theirs) left.delete(change);
    const ours = rateDifference(difference, { directions: directions(pointer), revision }, about(pointer));
    const worst = theirs.find(({ impact }) => impact === 'major') ?? theirs[0];
    findings.push(join(ours, worst));
  }
  // What redocly saw at a place where the documents do not differ by themselves, such as a scheme that all use.
  for (const change of left) {
    findings.push({
      ...about(change.pointer),
      rule: change.rule,
      impact: change.impact,
      message: change.message,
    });
  }
  return findings;
}

/** The rating that asks for more; where both ask for the same, the words of redocly, which know the whole path. */
function join(ours: Finding, theirs: RatedChange | undefined): Finding {
  if (!theirs || !isAtLeast(theirs.impact, ours.impact)) return ours;
  if (ours.rule !== unknownRule && theirs.impact === ours.impact && theirs.rule === 'redocly/added')
    return ours;
  return {
    ...ours,
    rule: theirs.rule,
    impact: theirs.impact,
    message: aboutSubject(ours.subject, theirs.message),
  };
}

/** The words of redocly name what they see, which is not always what a reader of the changelog knows. */
function aboutSubject(subject: string, message: string): string {
  return message.includes(`\`${subject}\``) ? message : `\`${subject}\`: ${message}`;
}

const unknownRule = 'other-change';

function rateDifference(
  difference: Difference,
  { directions, revision }: { directions: ReadonlySet<Direction>; revision: JsonObject },
  about: Pick<Finding, 'place' | 'subject' | 'audience'>,
): Finding {
  const { pointer, before, after } = difference;
  if (!isInsideData(pointer)) {
    const surroundings = { directions, isOpen: isOpen(revision, pointer) };
    for (const rule of keywordRules) {
      const rating = rule(difference, surroundings);
      if (rating) {
        const { words, ...rest } = rating;
        return { ...about, ...rest, message: `\`${about.subject}\` ${words}.` };
      }
    }
  }
  const isWords =
    isInsideData(pointer) ||
    pointerNames(pointer).some((name, index, names) => {
      return (
        documentation.has(name) &&
        keywordOf(
          names
            .slice(0, index + 1)
            .map(pointerPart)
            .join(''),
        ) === name
      );
    });
  const what = pointerNames(pointer).at(-1) ?? 'document';
  if (isWords)
    return {
      ...about,
      rule: 'documentation',
      impact: 'patch',
      message: `\`${about.subject}\`: other words (${what}).`,
    };
  const message = `\`${about.subject}\` has ${what}: ${inWords(after)} instead of ${inWords(before)}.`;
  return { ...about, rule: unknownRule, impact: before === undefined ? 'minor' : 'major', message };
}

/** Whether the schema at a pointer, or one that holds it, names only the values known today. */
function isOpen(document: JsonObject, pointer: string): boolean {
  const names = pointerNames(pointer);
  return names.some((_, index) => {
    const holder = valueAt(document, names.slice(0, index).map(pointerPart).join(''));
    return isObject(holder) && holder['x-open-enum'] === true;
  });
}

function isWithin(pointer: string, holder: string): boolean {
  return pointer === holder || pointer.startsWith(`${holder}/`);
}
