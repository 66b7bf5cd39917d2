import type { Finding } from '../finding.ts';
import { greatest, type Impact } from '../impact.ts';
import { inWords, isObject, isSame, type Json, type JsonObject, listOf } from '../json.ts';

/** How the entries of one list are rated, each found again by its id. */
export interface EntryPolicy {
  /** Name of the rule: `changed-refusal`. */
  readonly rule: string;
  /** What one entry is called: "the refusal". */
  readonly noun: string;
  readonly audience: string;
  /** Members that are words about the entry; a change of them is a patch. */
  readonly words: readonly string[];
  /** Whether the order of the entries has a meaning. */
  readonly isOrdered?: boolean;
  added(entry: JsonObject): Impact;
  removed(entry: JsonObject): Impact;
  /** The impact of a change of a member that is not only words; major unless the policy knows better. */
  changed?(member: string, before: Json | undefined, after: Json | undefined): Impact | undefined;
  /** What somebody has to do about a breaking change of an entry. */
  readonly action: { readonly added?: string; readonly removed: string; readonly changed: string };
}

/** Compares two versions of a list of entries. */
export function rateEntries(
  file: string,
  policy: EntryPolicy,
  before: Json | undefined,
  after: Json | undefined,
): Finding[] {
  const [old, now] = [byId(before), byId(after)];
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
    if (!next) finding(id, policy.removed(entry), 'was removed', policy.action.removed);
    else if (!isSame(entry, next)) {
      const { impact, words } = rateMembers(policy, entry, next);
      finding(id, impact, words, policy.action.changed);
    }
  }
  for (const [id, entry] of now) {
    if (!old.has(id))
      finding(id, policy.added(entry), 'is new', policy.action.added ?? policy.action.changed);
  }
  const kept = [...now.keys()].filter((id) => old.has(id));
  const sooner = [...old.keys()].filter((id) => now.has(id));
  const moved = policy.isOrdered ? kept.find((id, index) => sooner[index] !== id) : undefined;
  if (moved !== undefined)
    finding(moved, 'major', 'stands at another place in the order', policy.action.changed);
  return findings;
}

function rateMembers(
  policy: EntryPolicy,
  before: JsonObject,
  after: JsonObject,
): { impact: Impact; words: string } {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (member) => !isSame(before[member], after[member]),
  );
  const rated = changed.map((member) => ({
    member,
    impact: policy.words.includes(member)
      ? ('patch' as const)
      : (policy.changed?.(member, before[member], after[member]) ?? ('major' as const)),
  }));
  const impact = greatest(rated.map((one) => one.impact)) ?? 'patch';
  const worst = rated.filter((one) => one.impact === impact).map(({ member }) => member);
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
    listOf(list)
      .filter(isObject)
      .map((entry, index) => [String(entry.id ?? entry.kind ?? index), entry]),
  );
}
