import { type CreateModelRequest, createModelDefaults, defaultModel } from '@speech-api/types';
import type { Fields } from '../fields.ts';
import { rules } from '../generated/rules.ts';
import { Refusal } from '../refuse/refusal.ts';

/** The surroundings of a body that is judged by the rules between its fields. */
export interface RuleContext {
  /** The model header, if there is one. */
  readonly model: string | undefined;
  /** Some rules are for some operations only. */
  readonly operationId: string;
}

/**
 * Checks the rules of the specification between the fields of a body. Its schema has been checked before.
 *
 * @throws Refusal of the first rule that is broken: `rule` or `text-too-long`
 */
export function refuseBrokenRule(
  body: Fields,
  { model = defaultModel, operationId }: RuleContext,
  { lenient }: { readonly lenient: boolean },
): void {
  for (const rule of rules) {
    if (rule.applies_to && !rule.applies_to.includes(operationId)) continue;
    if (lenient && rule.tolerated_by !== undefined) continue;
    const message = rule.check(body, model);
    if (message !== undefined) throw new Refusal(rule.refusal ?? 'rule', { message });
  }
}

/**
 * Checks what the schema of a new voice model cannot express: a public one needs a cover image, and there are
 * no more texts than recordings they could belong to.
 *
 * @throws Refusal `model-rule`
 */
export function refuseBrokenModelRule({
  visibility,
  cover_image,
  texts = [],
  voices,
}: CreateModelRequest): void {
  if ((visibility ?? createModelDefaults.visibility) === 'public' && cover_image === undefined) {
    const message =
      'cover_image is required for a public voice model; send one, or set visibility to unlist or private';
    throw new Refusal('model-rule', { message });
  }
  const recordings = [voices].flat().length;
  if (texts.length > recordings) {
    const message = `texts has ${texts.length} entries but voices has ${recordings}; send at most one text per recording, in the same order`;
    throw new Refusal('model-rule', { message });
  }
}
