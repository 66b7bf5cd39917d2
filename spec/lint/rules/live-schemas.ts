import { isNode, type Rule } from '../redocly-types.ts';

/**
 * Keeps the schemas of live messages readable by OpenAPI and AsyncAPI alike: the parser of the latter knows neither
 * OpenAPI's `discriminator` nor keywords next to `$ref`, so messages are told apart by a `const` in their field `event`.
 */
export const liveSchemas: Rule = () => ({
  Schema(schema, context) {
    if (!('discriminator' in schema)) return;
    context.report({
      message:
        'A live message reaches this schema, and AsyncAPI has no such discriminator. Tell the branches apart with const.',
      location: context.location.child('discriminator'),
    });
  },
  ref(reference, context) {
    const siblings = Object.keys(reference).filter((key) => key !== '$ref');
    if (siblings.length === 0) return;
    context.report({
      message: `Beside $ref stands ${siblings.join(', ')}. AsyncAPI reads nothing beside $ref: move it into the schema that is referred to.`,
    });
  },
  Message(message, context) {
    const { node: payload } = context.resolve(message.payload);
    const properties = isNode(payload) ? payload.properties : undefined;
    const event = isNode(properties) ? context.resolve(properties.event).node : undefined;
    if (isNode(event) && typeof event.const === 'string') return;
    context.report({
      message:
        'The payload of a live message has no field event with a const. It is what tells messages apart.',
      location: context.location.child('payload'),
    });
  },
});
