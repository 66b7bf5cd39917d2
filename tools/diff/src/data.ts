import { isDeepStrictEqual } from 'node:util';
import { asArray, asObject, isObject, type Json, type JsonObject } from '@speech-api/spec/read';
import { type Finding, greatest, type Impact, inWords } from './finding.ts';
import type { Snapshot } from './snapshot.ts';
import { compareVersions } from './verdict.ts';

/** Rates the changes of the data beside the documents. */
export function rateData(base: Snapshot, revision: Snapshot): Finding[] {
  const [old, now] = [asObject(base.data.rules), asObject(revision.data.rules)];
  // Nobody can have relied on a list that did not exist. A list without a judge is only for readers.
  const ofRules = Object.keys(old).flatMap((name) => {
    if (name === 'unjudged') return [];
    // Lists without their own policy are rules that a judge applies.
    const policy = rules[name] ?? judged(`The rule of ${name}`, base.version);
    return rateEntries(`rules.json/${name}`, policy, entriesOf(old[name]), entriesOf(now[name]));
  });
  const others = Object.entries(policies).flatMap(([name, policy]) =>
    rateEntries(`${name}.json`, policy, entriesOf(base.data[name]), entriesOf(revision.data[name])),
  );
  return [...ofRules, ...others];
}

/** Policy for rating the entries of one list, which are matched by id. */
interface EntryPolicy {
  /** Name of the rule: `changed-refusal`. */
  readonly rule: string;
  /** Noun for one entry: "the refusal". */
  readonly noun: string;
  readonly audience: string;
  /** Descriptive members besides those of every list; a change of them is a patch. */
  readonly words?: readonly string[];
  /** Whether the order of the entries matters. */
  readonly isOrdered?: boolean;
  /** @defaultValue minor */
  readonly added?: (entry: JsonObject) => Impact;
  /** @defaultValue major */
  readonly removed?: (entry: JsonObject) => Impact;
  /** The impact of a change of a member that is not only words. @defaultValue major */
  readonly changed?: (member: string, before: Json | undefined, after: Json | undefined) => Impact;
  /** Action required by a breaking change of an entry: when it changed, was removed, and is new. */
  readonly actions: readonly [changed: string, removed: string, added?: string];
}

/** Compares two versions of a list of entries. */
function rateEntries(
  file: string,
  policy: EntryPolicy,
  before: Json | undefined,
  after: Json | undefined,
): Finding[] {
  const [old, now] = [byId(before), byId(after)];
  const [onChanged, onRemoved, onAdded] = policy.actions;
  const findings: Finding[] = [];
  const finding = (id: string, impact: Impact, words: string, action?: string): void => {
    const about = { rule: policy.rule, audience: policy.audience, subject: id, place: `${file}#${id}` };
    const message = `${policy.noun} \`${id}\` ${words}.`;
    findings.push({
      ...about,
      impact,
      message,
      ...(impact === 'major' && action !== undefined && { action }),
    });
  };

  for (const [id, entry] of old) {
    const next = now.get(id);
    if (!next) finding(id, policy.removed?.(entry) ?? 'major', 'was removed', onRemoved);
    else if (!isDeepStrictEqual(entry, next)) {
      const { impact, words } = rateMembers(policy, entry, next);
      finding(id, impact, words, onChanged);
    }
  }
  for (const [id, entry] of now) {
    if (!old.has(id)) finding(id, policy.added?.(entry) ?? 'minor', 'is new', onAdded ?? onChanged);
  }
  const ids = [...now.keys()].filter((id) => old.has(id));
  const sooner = [...old.keys()].filter((id) => now.has(id));
  const moved = policy.isOrdered ? ids.find((id, index) => sooner[index] !== id) : undefined;
  if (moved !== undefined) finding(moved, 'major', 'moved in the order', onChanged);
  return findings;
}

function rateMembers(
  policy: EntryPolicy,
  before: JsonObject,
  after: JsonObject,
): { impact: Impact; words: string } {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (member) => !isDeepStrictEqual(before[member], after[member]),
  );
  const allWords = [...words, ...(policy.words ?? [])];
  const rated = changed.map((member) => ({
    member,
    impact: allWords.includes(member)
      ? 'patch'
      : (policy.changed?.(member, before[member], after[member]) ?? 'major'),
  }));
  const impact = greatest(rated.map((entry) => entry.impact)) ?? 'patch';
  const worst = rated.filter((entry) => entry.impact === impact).map(({ member }) => member);
  const described = worst.map(
    (member) => `${member}: ${inWords(after[member])} instead of ${inWords(before[member])}`,
  );
  return {
    impact,
    words: impact === 'patch' ? `has other words (${worst.join(', ')})` : `has ${described.join('; ')}`,
  };
}

function byId(list: Json | undefined): Map<string, JsonObject> {
  return new Map(
    asArray(list)
      .filter(isObject)
      .map((entry, index) => [String(entry.id ?? entry.kind ?? index), entry]),
  );
}

/** Descriptive members in every list. */
const words: readonly string[] = [
  ...['section', 'source', 'provenance', 'message', 'reason', 'text', 'comment', 'meaning'],
  ...['examples', 'quote', 'contradiction'],
];

/** True if nothing was removed from a list. */
const onlyMore = (before: Json | undefined, after: Json | undefined): boolean =>
  asArray(before).every((item) => asArray(after).includes(item));

/** The policies of the lists of `rules.json` that are not rules of a judge. */
const rules: Readonly<Record<string, EntryPolicy>> = {
  // A new rule between request fields refuses requests that were accepted.
  synthesis: {
    rule: 'changed-synthesis-rule',
    noun: 'The rule of requests',
    audience: 'Clients that send requests',
    added: (entry) => (entry.effect === 'refuse' ? 'major' : 'minor'),
    removed: () => 'minor',
    actions: ['keep the rule as it is now', 'send what was refused, if you need it', 'keep the new rule'],
  },
  refusals: {
    rule: 'changed-refusal',
    noun: 'The refusal',
    audience: 'Clients that read errors',
    words: ['when'],
    isOrdered: true,
    added: () => 'major',
    changed: (member, before, after) =>
      member === 'issue_types' && onlyMore(before, after) ? 'minor' : 'major',
    actions: [
      'read the status and body of the refusal as they are now',
      'do not wait for the refusal',
      'be ready for the new refusal',
    ],
  },
  expressions: {
    rule: 'changed-expressions',
    noun: 'The kind of tags',
    audience: 'Writers of expression tags',
    changed: (member, before, after) => (member === 'tags' && onlyMore(before, after) ? 'minor' : 'major'),
    actions: ['use the tags that are listed', 'take the tags out of your texts'],
  },
};

/**
 * Rules that a judge applies to a server. `since` makes a new one a warning for one minor version, so that nobody's
 * check fails by an update alone; one that says it was there before would be an error from its first day.
 */
function judged(noun: string, baseVersion: string): EntryPolicy {
  const isNew = ({ since }: JsonObject): boolean =>
    typeof since === 'string' && compareVersions(since, baseVersion) > 0;
  return {
    rule: 'changed-judged-rule',
    noun,
    audience: 'Servers and clients',
    // A change of `measured` counts less, because the judge repeats a measurement before it reports an error.
    words: ['subject', 'measured'],
    added: (entry) => (entry.severity === 'error' && !isNew(entry) ? 'major' : 'minor'),
    removed: (entry) => (entry.kept_by === 'reader' ? 'minor' : 'major'),
    changed: (member, before, after) =>
      member === 'state' ||
      (member === 'severity' && before === 'error' && after === 'warning') ||
      (member === 'limits' && !tightens(asObject(before), asObject(after)))
        ? 'minor'
        : 'major',
    actions: [
      'keep the rule as it is now',
      'do not rely on it any more',
      'keep the new rule; give it the coming version as `since`, and it is a warning at first',
    ],
  };
}

/** True if a rule with these limits is stricter. Limits that replace words are not. */
function tightens(before: JsonObject, after: JsonObject): boolean {
  if (Object.keys(before).length === 0) return false;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].some((name) => {
    const [old, now] = [before[name], after[name]];
    if (typeof old !== 'number' || typeof now !== 'number') return !isDeepStrictEqual(old, now);
    return /minimum|at_least|above/.test(name) ? now > old : now < old;
  });
}

/** The policies of lists that have their own file. */
const policies: Readonly<Record<string, EntryPolicy>> = {
  tolerances: {
    rule: 'changed-tolerance',
    noun: 'The tolerance',
    audience: 'Users of a lenient server',
    actions: ['see how it is normalised now', 'send what the specification says'],
  },
  // The register of the interface's open points: another choice is another behaviour.
  unknowns: {
    rule: 'changed-unknown',
    noun: 'The unknown',
    audience: 'Everyone who relied on the choice',
    words: [
      ...['settle', 'statement', 'statements', 'subject', 'pointers', 'rules', 'live_pointers'],
      ...['kind', 'absent', 'from'],
    ],
    actions: ['do as the register says now', 'read how it is settled'],
  },
  workflows: {
    rule: 'changed-workflow',
    noun: 'The workflow',
    audience: 'Users of workflows',
    words: ['summary', 'description'],
    changed: () => 'minor',
    actions: ['play it as it is now', 'play another one'],
  },
  // Streams and sessions that are played to clients, who request them by name.
  transcripts: {
    rule: 'changed-transcript',
    noun: 'The transcript',
    audience: 'Users of transcripts',
    changed: () => 'minor',
    actions: ['play it as it is now', 'play another one'],
  },
};

/** Entries of a list that a file stores as an object. */
function entriesOf(data: Json | undefined): Json {
  if (Array.isArray(data) || data === undefined) return data ?? [];
  return Object.entries(data as JsonObject).map(([id, value]) => ({ id, value }));
}
