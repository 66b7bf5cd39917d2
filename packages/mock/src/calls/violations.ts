import type { Refusal, ValidationIssue } from '@speech-api/server';
import type { Violation } from './recorded-call.ts';

/** Refusals that are about how the server stands, not about what was sent. */
const notTheirs = new Set(['overloaded', 'fault', 'concurrency', 'credit', 'credit-short', 'not-found']);

/** What a refusal says against its request. */
export function violationsOf(refusal: Refusal): Violation[] {
  const { id } = refusal.entry;
  if (notTheirs.has(id)) return [];
  if (refusal.issues.length > 0) return refusal.issues.map((issue) => violationOf(issue, id));
  return [{ rule: id, loc: [], type: '', message: withoutValues(refusal.message) }];
}

export function violationOf({ loc, type, msg }: ValidationIssue, rule: string): Violation {
  return { rule, loc: loc.map((step) => step.slice(0, 60)), type, message: withoutValues(msg) };
}

/** Messages show what was sent in quotation marks. That is for its sender, who may log what he sent himself. */
export function withoutValues(message: string): string {
  return message.replaceAll(/"(?:[^"\\]|\\.)*(?:"|$)/g, '"…"').slice(0, 500);
}
