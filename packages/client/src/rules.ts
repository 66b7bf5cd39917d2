import type { operations, SynthesisModel, SynthesisRequest } from '@speech-api/types';
import { RequestError } from './errors.ts';
import { rules } from './generated/rules.ts';

/**
 * Throws a `RequestError` for a request that breaks a rule no type can express, before anything is sent.
 *
 * The rules are generated from the specification; those that only the service can judge are left to it.
 */
export function checkSynthesis(
  operationId: keyof operations,
  request: SynthesisRequest,
  model: SynthesisModel,
): void {
  // A header that cannot be sent would be refused later, by an error that does not say which one it was.
  if (!/^[\x21-\x7e]+$/.test(model)) {
    throw new RequestError('model must be a name without spaces', { field: 'model' });
  }
  for (const { id, field, applies_to, check } of rules) {
    if (applies_to && !applies_to.includes(operationId)) continue;
    const message = check({ ...request }, model);
    if (message !== undefined) throw new RequestError(message, { field, rule: id });
  }
}
