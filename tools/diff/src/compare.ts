import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import {
  asArray,
  asObject,
  isObject,
  type Json,
  type JsonObject,
  pointerNames,
  pointerPart,
  valueAt,
} from '@speech-api/spec/read';
import { rateData } from './data.ts';
import { type Finding, type Impact, impacts, inWords } from './finding.ts';
import type { Snapshot } from './snapshot.ts';

/** Every change between two versions of the specification, the gravest first. */
export async function compare(base: Snapshot, revision: Snapshot): Promise<Finding[]> {
  // A schema of both documents is rated in the first, which knows its direction.
  const shared = new Set(
    [base, revision].flatMap(({ openapi }) => Object.keys(asObject(valueAt(openapi, '/components/schemas')))),
  );
  const [before, after] = [liveAlone(base, shared), liveAlone(revision, shared)];
  const [http, live] = await Promise.all([
    changesOf(base.openapi, revision.openapi),
    // Half of the time goes if nothing else of the live messages changed, as for a new field.
    isDeepStrictEqual(before, after) ? [] : changesOf(base.asyncapi, revision.asyncapi),
  ]);
  const findings = [
    ...http.map((change) => rate(change, 'openapi.json', audienceOf(change.path))),
    ...live
      .filter(
        ({ pointer }) =>
          !(pointer.startsWith('/components/schemas/') && shared.has(pointerNames(pointer)[2] ?? '')),
      )
      .map((change) => rate(change, 'asyncapi.json', 'Clients of live sessions')),
    ...rateData(base, revision),
  ];
  return findings.sort((first, second) => impacts.indexOf(second.impact) - impacts.indexOf(first.impact));
}

/** The document of live sessions without the schemas that it shares with the other one. */
function liveAlone({ asyncapi }: Snapshot, shared: ReadonlySet<string>): JsonObject {
  const schemas = Object.entries(asObject(valueAt(asyncapi, '/components/schemas')));
  const alone = Object.fromEntries(schemas.filter(([name]) => !shared.has(name)));
  return { ...asyncapi, components: { ...asObject(asyncapi.components), schemas: alone } };
}

/** One change of a document. */
interface Change {
  /** JSON pointer in the newer document, or in the older one for a removed part. */
  readonly pointer: string;
  /** The path from the root, through references. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'modified';
  /** The changed keyword; undefined if the whole part is new or removed. */
  readonly keyword?: string | undefined;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  /** The document that the pointer leads into. */
  readonly document: JsonObject;
  /** The gravest verdict of redocly diff, if one of its rules applies. */
  readonly verdict?: Verdict | undefined;
}

interface Verdict {
  readonly ruleId: string;
  readonly impact: Impact;
  readonly message: string;
}

interface Rating {
  readonly rule: string;
  readonly impact: Impact;
  /** The change, phrased to follow the name of the thing: "has the default 0.5 instead of 0.7". */
  readonly words: string;
  /** What the audience of a breaking change has to do. */
  readonly action?: string;
}

/** Keywords whose text can change without changing the meaning. */
const documentation = new Set([
  ...['description', 'summary', 'title', 'examples', 'example', 'externalDocs', 'license', 'contact'],
  ...['termsOfService', 'url', 'tags', 'x-section', 'x-fault', '$comment'],
]);

/** Keywords that redocly diff rates: without a verdict, the change is harmless. */
const ratedKeywords = new Set([
  ...['type', 'enum', 'required', 'additionalProperties', 'pattern', 'multipleOf', 'format'],
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'],
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'],
]);

/** Our own rules for changes that redocly diff cannot rate. */
const rules: readonly ((change: Change) => Rating | undefined)[] = [
  changedValues,
  changedDefault,
  changedUnit,
  changedFormat,
  changedLimit,
  removedExample,
];

/** Rates by our own rules, then by redocly diff, then by assuming that somebody relied on the removed part. */
function rate(change: Change, file: string, audience: string): Finding {
  const subject = subjectOf(change);
  const about = { place: `${file}#${change.pointer}`, subject, audience };
  const { verdict } = change;
  const ownRating = rules.map((rule) => rule(change)).find((rating) => rating !== undefined);
  if (ownRating === undefined && verdict !== undefined) {
    const { ruleId, impact, message } = verdict;
    const named = message.includes(`\`${subject}\``) ? message : `\`${subject}\`: ${message}`;
    return { ...about, rule: `redocly/${ruleId}`, impact, message: named };
  }
  const { words, ...rating } = ownRating ?? rateOther(change, subject);
  return { ...about, ...rating, message: `\`${subject}\` ${words}.` };
}

function rateOther({ kind, keyword, pointer, before, after }: Change, subject: string): Rating {
  const name = keyword ?? pointerNames(pointer).at(-1) ?? 'document';
  // A parameter is an item of a list, so its pointer ends in a number.
  const isWhole = name === subject || /^\d+$/.test(name);
  if (documentation.has(name))
    return { rule: 'documentation', impact: 'patch', words: `has another ${name}` };
  if (kind === 'added')
    return { rule: 'added', impact: 'minor', words: isWhole ? 'is new' : `has a new \`${name}\`` };
  if (kind === 'removed') {
    const words = isWhole ? 'was removed' : `lost \`${name}\``;
    return { rule: 'removed', impact: 'major', words, action: 'do without it' };
  }
  const words = `has the ${name} ${inWords(after)} instead of ${inWords(before)}`;
  return ratedKeywords.has(name)
    ? { rule: 'changed-shape', impact: 'minor', words }
    : { rule: 'other-change', impact: 'major', words };
}

/** An open list, to which values may be added: redocly diff does not know that it is open. */
function changedValues({ keyword, pointer, before, after, document }: Change): Rating | undefined {
  const holder = pointer.replace(/(\/anyOf\/\d+)?\/enum$/, '');
  if (keyword !== 'enum' || asObject(valueAt(document, holder))['x-open-enum'] !== true) return undefined;
  if (lost(before, after).length > 0) return undefined;
  return { rule: 'changed-values', impact: 'minor', words: `lists ${lost(after, before).join(', ')} too` };
}

function changedDefault({ keyword, before, after }: Change): Rating | undefined {
  if (keyword !== 'default' && keyword !== 'defaultSampleRate') return undefined;
  const rule = 'changed-default';
  if (before === undefined) return { rule, impact: 'minor', words: `states a default: ${inWords(after)}` };
  const words = `has the default ${inWords(after)} instead of ${inWords(before)}`;
  return { rule, impact: 'major', words, action: `send ${inWords(before)} yourself where you relied on it` };
}

function changedUnit({ keyword, before, after }: Change): Rating | undefined {
  if (keyword !== 'x-unit') return undefined;
  const words = `is in ${inWords(after)} instead of ${inWords(before)}`;
  return before === undefined
    ? { rule: 'changed-unit', impact: 'minor', words: `states a unit: ${inWords(after)}` }
    : { rule: 'changed-unit', impact: 'major', words, action: 'convert the number' };
}

function changedFormat({ pointer, before, after }: Change): Rating | undefined {
  const names = pointerNames(pointer);
  const start = names.indexOf('x-audio-formats');
  if (start < 0 || names.includes('header')) return undefined;
  const words = `has ${names.slice(start + 1).join(' ')}: ${inWords(after)} instead of ${inWords(before)}`;
  const isMore = before === undefined || (Array.isArray(after) && lost(before, after).length === 0);
  return isMore
    ? { rule: 'changed-format', impact: 'minor', words }
    : { rule: 'changed-format', impact: 'major', words, action: 'use what is left' };
}

/** A limit that schema keywords cannot express. All of them limit what a client sends. */
function changedLimit({ pointer, keyword = '', before, after, document }: Change): Rating | undefined {
  if (!pointerNames(pointer).includes('x-limits')) return undefined;
  const words = `has the ${keyword} ${inWords(after)} instead of ${inWords(before)}`;
  const limits = asObject(valueAt(document, pointer.slice(0, pointer.lastIndexOf('/'))));
  const isLower = ['minimum', 'refusedBelow'].includes(keyword);
  const isTighter =
    before === undefined ||
    (typeof before === 'number' && typeof after === 'number' && (isLower ? after > before : after < before));
  if (limits.enforced === false) return { rule: 'documentation', impact: 'patch', words };
  return isTighter || (keyword === 'enforced' && after === true)
    ? { rule: 'changed-range', impact: 'major', words, action: 'keep to the limit' }
    : { rule: 'changed-range', impact: 'minor', words };
}

function removedExample({ kind, pointer }: Change): Rating | undefined {
  const names = pointerNames(pointer);
  if (kind !== 'removed' || names.at(-2) !== 'examples') return undefined;
  const words = `lost the example \`${names.at(-1)}\``;
  return { rule: 'removed-example', impact: 'major', words, action: 'ask a mock for another example' };
}

/** The items of the first list that the second does not have. */
function lost(before: Json | undefined, after: Json | undefined): Json[] {
  return asArray(before).filter((value) => !asArray(after).includes(value));
}

/** Name of the place in the changelog: the field, the parameter, the operation or the component. */
function subjectOf({ pointer, document }: Change): string {
  const names = pointerNames(pointer);
  const property = names.findLastIndex((name, index) => name === 'properties' && index < names.length - 1);
  if (property >= 0) return names[property + 1] ?? '';
  const holder = (length: number) =>
    asObject(valueAt(document, names.slice(0, length).map(pointerPart).join('')));
  const at = names.indexOf('parameters');
  const { $ref, name } = holder(at + 2);
  const parameter = typeof $ref === 'string' ? asObject(valueAt(document, $ref.slice(1))).name : name;
  if (at >= 0 && typeof parameter === 'string') return parameter;
  const { operationId } = holder(3);
  if (names[0] === 'paths') return typeof operationId === 'string' ? operationId : (names[1] ?? '');
  if (names[0] === 'components') return names[2] ?? names[1] ?? '';
  // Channels and operations of AsyncAPI have names; for other parts, such as servers, the kind is enough.
  return (names[0] === 'channels' || names[0] === 'operations' ? names[1] : names[0]) ?? '';
}

/** The readers that a change affects, in the words of the changelog. */
function audienceOf(path: string): string {
  const names = pointerNames(path);
  if (names.includes('responses')) return 'Clients that read responses';
  const isSent = names.includes('requestBody') || names.includes('parameters');
  return isSent ? 'Clients that send requests' : 'Everyone';
}

/** The changes that redocly diff reports, and those inside extensions, which it ignores. */
async function changesOf(base: JsonObject, revision: JsonObject): Promise<Change[]> {
  if (isDeepStrictEqual(base, revision)) return [];
  const { changes } = await runRedocly(base, revision);
  const reported = changes
    .filter(({ typeName }) => typeName !== 'SpecExtension')
    // A new component is reported where it is used.
    .filter(({ kind, path }) => kind !== 'added' || !/^#\/components\/[^/]+\/[^/]+$/.test(path))
    .map(({ path, kind, property, verdicts, base: old, revision: now }): Change => {
      const pointer = ((now ?? old)?.pointer ?? path).slice(1);
      const document = now === undefined ? base : revision;
      const verdict = verdicts.find(({ impact }) => impact === 'major') ?? verdicts[0];
      const about = { path: path.slice(1), kind, document, verdict };
      return { ...about, pointer, keyword: property, before: old?.value, after: now?.value };
    });
  const [before, after] = [extensionsOf(base), extensionsOf(revision)];
  const inside = [...new Set([...before.keys(), ...after.keys()])].flatMap((pointer): Change[] => {
    const [old, now] = [before.get(pointer), after.get(pointer)];
    if (isDeepStrictEqual(old, now)) return [];
    const kind = old === undefined ? 'added' : now === undefined ? 'removed' : 'modified';
    const [keyword, document] = [pointerNames(pointer).at(-1), now === undefined ? base : revision];
    return [{ pointer, path: pointer, kind, keyword, before: old, after: now, document }];
  });
  return [...reported, ...inside];
}

/** Objects inside the extensions of a document, by pointer, except marks, which are in the register. */
function extensionsOf(value: Json, pointer = '', isInside = false): Map<string, Json> {
  if (!isObject(value) && !(Array.isArray(value) && !isInside))
    return new Map(isInside ? [[pointer, value]] : []);
  return new Map(
    Object.entries(value)
      .filter(([name]) => !['x-provenance', 'example', 'examples'].includes(name))
      .flatMap(([name, member]) => [
        ...extensionsOf(
          member,
          pointer + pointerPart(name),
          isInside || (name.startsWith('x-') && isObject(member)),
        ),
      ]),
  );
}

/** The part of the report of redocly diff that is read here. */
interface Report {
  readonly changes: readonly {
    readonly path: string;
    readonly typeName: string;
    readonly kind: 'added' | 'removed' | 'modified';
    readonly property?: string;
    readonly verdicts: readonly Verdict[];
    readonly base?: { readonly pointer: string; readonly value?: Json };
    readonly revision?: { readonly pointer: string; readonly value?: Json };
  }[];
}

const run = promisify(execFile);
const configuration = fileURLToPath(new URL('../redocly.yaml', import.meta.url));
const cli = join(createRequire(import.meta.url).resolve('@redocly/cli/package.json'), '..', 'bin', 'cli.js');

/**
 * Compares two documents with redocly diff, in a process of its own since it has no other interface.
 *
 * @throws Error When one of the documents cannot be read or resolved: then a change could be missed.
 */
async function runRedocly(base: JsonObject, revision: JsonObject): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'speech-diff-'));
  const file = (name: string) => join(folder, `${name}.json`);
  try {
    await writeFile(file('before'), JSON.stringify(base));
    await writeFile(file('after'), JSON.stringify(revision));
    const options = ['--config', configuration, '--fail-on', 'none', '--format', 'json'];
    const words = [cli, 'diff', file('before'), file('after'), ...options, '--output', file('report')];
    await run(process.execPath, words, {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    return JSON.parse(await readFile(file('report'), 'utf8'));
  } catch (cause) {
    const words = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause);
    throw new Error(`redocly diff cannot compare the documents:\n${words}`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
