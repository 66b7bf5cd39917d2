import { isNode, type Node, type Rule } from '../redocly-types.ts';

/**
 * A stream of events is described event by event: `itemSchema` (OpenAPI 3.2), and its payload is a named component,
 * so that readers and generators have a name for it.
 */
export const streamItemSchema: Rule = () => ({
  Response(response, context) {
    const content = response.content;
    if (!isNode(content)) return;
    for (const [mediaType, written] of Object.entries(content)) {
      if (mediaType.split(';')[0]?.trim() !== 'text/event-stream') continue;
      const description = context.resolve(written).node;
      const location = context.location.child(['content', mediaType]);
      if (!isNode(description) || !('itemSchema' in description)) {
        context.report({
          message:
            'An event stream needs itemSchema: it describes one event, where schema would describe the whole stream at once.',
          location,
        });
        continue;
      }
      if (namesItsPayload(description.itemSchema, (node) => context.resolve(node).node)) continue;
      context.report({
        message:
          'The itemSchema of an event stream names no component. Refer to one with $ref, directly or as the contentSchema of its data property.',
        location: location.child('itemSchema'),
      });
    }
  },
});

function namesItsPayload(itemSchema: unknown, resolve: (node: unknown) => unknown): boolean {
  if (!isNode(itemSchema)) return false;
  const event = resolve(itemSchema);
  const data = isNode(event) && isNode(event.properties) ? event.properties.data : undefined;
  // An event with a data property is an envelope, and the payload inside is what needs the name.
  if (isNode(data) && data.contentSchema !== undefined) return isReference(data.contentSchema);
  return isReference(itemSchema);
}

function isReference(value: unknown): value is Node {
  return isNode(value) && typeof value.$ref === 'string';
}
