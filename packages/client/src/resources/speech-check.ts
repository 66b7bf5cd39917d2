import { notAFile } from '../copy.ts';
import { RequestError } from '../errors.ts';
import { rules } from '../generated/rules.ts';
import { type AnyRequest, foreignFields } from '../request-check.ts';

/**
 * Refuses a request for speech that lacks what all of them need, or breaks a rule of the specification; what only the
 * service can judge is left to it. Loaded for requests that need a closer look.
 */
export function requireSpeech(request: AnyRequest, operationId: string, model: string): void {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    throw new RequestError('the request must be an object with a text', { field: 'body' });
  }
  const foreign = Object.entries(foreignFields).filter(([name]) => name in request);
  for (const [field] of foreign) {
    const words = foreign.map(([name, meant]) => `unknown field ${name}; use ${meant}`);
    throw new RequestError(words.join(', '), { field });
  }
  if (typeof request.text !== 'string') {
    const words = request.text === undefined ? 'is missing; pass' : 'must be a string:';
    throw new RequestError(`text ${words} what is to be spoken`, { field: 'text' });
  }
  if (request.reference_id === '') {
    throw new RequestError('reference_id is empty; leave it out for the voice of the service', {
      field: 'reference_id',
    });
  }
  const samples: unknown[] = [request.references ?? []].flat(2);
  const path = samples.find((sample) => typeof (sample as { audio?: unknown } | null)?.audio === 'string');
  if (path) throw new RequestError(`audio of a reference ${notAFile}`, { field: 'references' });
  for (const { id, field, applies_to, check } of rules) {
    if (applies_to?.includes(operationId) === false) continue;
    const message = check({ ...request }, model);
    if (message !== undefined) throw new RequestError(message, { field, rule: id });
  }
}
