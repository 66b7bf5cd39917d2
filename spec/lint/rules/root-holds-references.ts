import { isNode, type Location, type Node, type Rule, type RuleContext } from '../redocly-types.ts';

/**
 * The root document is a table of contents: every path, webhook and component in it is a reference to a file of its own.
 * Security schemes are the exception, they belong to the root like servers and security.
 */
export const rootHoldsReferences: Rule = () => ({
  Root(root, context) {
    for (const section of ['paths', 'webhooks']) {
      checkEntries(root[section], context.location.child(section), context, `${section}/`);
    }
    if (!isNode(root.components)) return;
    for (const [kind, entries] of Object.entries(root.components)) {
      if (kind === 'securitySchemes') continue;
      checkEntries(entries, context.location.child(['components', kind]), context, `${kind}/`);
    }
  },
});

function checkEntries(entries: unknown, location: Location, context: RuleContext, folder: string): void {
  if (!isNode(entries)) return;
  for (const [name, entry] of Object.entries(entries)) {
    if (name.startsWith('x-') || (isNode(entry) && isReferenceAlone(entry))) continue;
    context.report({
      message:
        `"${name}" is written out in the root document. Move it to a file of its own under ${folder} ` +
        `and leave a single $ref here: one operation a file keeps reviews small.`,
      location: location.child(name).key(),
    });
  }
}

function isReferenceAlone(entry: Node): boolean {
  return typeof entry.$ref === 'string' && !entry.$ref.startsWith('#') && Object.keys(entry).length === 1;
}
