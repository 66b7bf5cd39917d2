import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  asObject,
  isObject,
  type JsonObject,
  pointerNames,
  pointerPart,
  valueAt,
} from '@speech-api/spec/read';
import { rateData } from './data.ts';
import { keywordRules } from './keyword-rules.ts';
import {
  audienceOf,
  changedFigures,
  type Difference,
  type Direction,
  differences,
  directionsOf,
  inWords,
  isInsideData,
  isSame,
  keywordOf,
  subjectOf,
} from './place.ts';
import type { Snapshot } from './snapshot.ts';
import { type Finding, type Impact, impacts, isAtLeast } from './verdict.ts';

/** Every change between two versions of the specification, the gravest first. */
export async function compare(base: Snapshot, revision: Snapshot): Promise<Finding[]> {
  const [openapi, asyncapi] = await Promise.all([
    rateDocument('openapi.json', base.openapi, revision.openapi),
    rateDocument('asyncapi.json', base.asyncapi, revision.asyncapi),
  ]);
  const findings = [...openapi, ...asyncapi, ...rateData(base, revision)];
  return findings.sort((first, second) => impacts.indexOf(second.impact) - impacts.indexOf(first.impact));
}

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
async function rateDocument(file: string, base: JsonObject, revision: JsonObject): Promise<Finding[]> {
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
    const schema = { directions: directions(pointer), isOpen: isOpen(base, pointer) };
    const { overrules, ...ours } = rateDifference(difference, schema, about(pointer));
    const worst = theirs.find(({ impact }) => impact === 'major') ?? theirs[0];
    findings.push(overrules ? ours : graver(ours, worst));
  }
  // Findings of redocly where the documents themselves do not differ, such as a scheme that all use.
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
function graver(ours: Finding, theirs: RatedChange | undefined): Finding {
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
  schema: { readonly directions: ReadonlySet<Direction>; readonly isOpen: boolean },
  about: Pick<Finding, 'place' | 'subject' | 'audience'>,
): Finding & { readonly overrules?: true } {
  const { pointer, before, after } = difference;
  if (!isInsideData(pointer)) {
    for (const rule of keywordRules) {
      const rating = rule(difference, schema.directions, schema.isOpen);
      if (rating) {
        const { words, ...rest } = rating;
        return { ...about, ...rest, message: `\`${about.subject}\` ${words}.` };
      }
    }
  }
  const names = pointerNames(pointer);
  const what = names.at(-1) ?? 'document';
  const pointerTo = (index: number): string =>
    names
      .slice(0, index + 1)
      .map(pointerPart)
      .join('');
  const isWords =
    isInsideData(pointer) ||
    names.some((name, index) => documentation.has(name) && keywordOf(pointerTo(index)) === name);
  if (isWords) {
    const message = `\`${about.subject}\`: other words (${what}).`;
    return { ...about, rule: 'documentation', impact: 'patch', message, ...changedFigures(before, after) };
  }
  const message = `\`${about.subject}\` has ${what}: ${inWords(after)} instead of ${inWords(before)}.`;
  return { ...about, rule: unknownRule, impact: before === undefined ? 'minor' : 'major', message };
}

/** True for the values of a schema that callers were told may have others: `x-open-enum`. */
function isOpen(document: JsonObject, pointer: string): boolean {
  const holder = pointer.replace(/(\/anyOf\/\d+)?\/enum$/, '');
  return asObject(valueAt(document, holder))['x-open-enum'] === true;
}

function isWithin(pointer: string, holder: string): boolean {
  return pointer === holder || pointer.startsWith(`${holder}/`);
}

const run = promisify(execFile);
const configuration = fileURLToPath(new URL('../redocly.yaml', import.meta.url));

/** A change that redocly diff rates by one of its rules. */
interface RatedChange {
  /** JSON pointer in the document that has the thing. */
  readonly pointer: string;
  readonly rule: string;
  readonly impact: Impact;
  readonly message: string;
}

/** The part of the report of redocly diff that is read here. */
interface Report {
  readonly changes: readonly {
    readonly path: string;
    readonly typeName: string;
    readonly kind: 'added' | 'removed' | 'modified';
    readonly impact: Impact;
    readonly verdicts: readonly {
      readonly ruleId: string;
      readonly impact: Impact;
      readonly message: string;
    }[];
    readonly base?: { readonly pointer: string };
    readonly revision?: { readonly pointer: string };
  }[];
}

/**
 * Compares two documents with redocly diff, in a process of its own since it has no other interface.
 *
 * @returns The changes that a rule rates, and the additions; other changes are left to the caller.
 * @throws Error When one of the documents cannot be read or resolved: then a change could be missed.
 */
async function rateWithRedocly(base: JsonObject, revision: JsonObject): Promise<RatedChange[]> {
  const folder = await mkdtemp(join(tmpdir(), 'speech-diff-'));
  const [before, after, output] = ['before.json', 'after.json', 'report.json'].map((file) =>
    join(folder, file),
  );
  if (!before || !after || !output) throw new Error('unreachable');
  try {
    await Promise.all([writeFile(before, JSON.stringify(base)), writeFile(after, JSON.stringify(revision))]);
    const words = [redocly(), 'diff', before, after, '--config', configuration, '--fail-on', 'none'];
    await run(process.execPath, [...words, '--format', 'json', '--output', output], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    return read(JSON.parse(await readFile(output, 'utf8')));
  } catch (cause) {
    const words = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause);
    throw new Error(`redocly diff cannot compare the documents:\n${words}`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function read({ changes }: Report): RatedChange[] {
  return changes.flatMap(({ path, kind, typeName, impact, verdicts, base, revision }) => {
    const place = { pointer: (revision ?? base)?.pointer.slice(1) ?? path.slice(1) };
    const rated = verdicts.map(({ ruleId, ...verdict }) => ({
      ...place,
      ...verdict,
      rule: `redocly/${ruleId}`,
    }));
    if (rated.length > 0 || impact === 'patch') return rated;
    const message = `${typeName} \`${path.split('/').at(-1)}\` was ${kind}.`;
    return [{ ...place, impact, message, rule: `redocly/${kind}` }];
  });
}

function redocly(): string {
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
  return join(manifest, '..', 'bin', 'cli.js');
}
