import type { Rule } from '../redocly-types.ts';

/** One word for each thing that an operation can do. A new verb is a decision, not a habit. */
const verbs = ['create', 'list', 'get', 'update', 'delete', 'stream', 'open'];

const verbAndNoun = new RegExp(`^(${verbs.join('|')})[A-Z][A-Za-z0-9]*$`);

/** Operations are named in camelCase, a verb of the list and a noun: `createSpeech`. */
export const operationIdVerb: Rule = () => ({
  Operation(operation, context) {
    const operationId = operation.operationId;
    if (typeof operationId === 'string' && verbAndNoun.test(operationId)) return;
    context.report({
      message:
        operationId === undefined
          ? 'The operation has no operationId. Generated clients name their functions after it.'
          : `The operationId ${JSON.stringify(operationId)} is not one of the verbs ${verbs.join(', ')} followed by a noun, in camelCase such as createSpeech.`,
      location: operationId === undefined ? context.location : context.location.child('operationId'),
    });
  },
});
