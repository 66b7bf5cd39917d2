import { isNode, type Location, type Node, type Rule, type RuleContext } from '../redocly-types.ts';

/**
 * Every property, parameter and header has a description and an example, its own or that of the schema it refers to.
 * The validity of an example is checked by Redocly's own rules no-invalid-schema-examples, no-invalid-parameter-examples
 * and no-invalid-media-type-examples. None of them looks at the examples of a header, so these are in its schema.
 *
 * Exempt from an example are `const` (its value is one), bytes (`x-binary`), and objects and arrays that are made of parts
 * which have their own.
 */
export const descriptionAndExample: Rule = () => ({
  Schema(schema, context) {
    if (!isNode(schema.properties)) return;
    for (const [name, property] of Object.entries(schema.properties)) {
      checkThing('property', name, property, context.location.child(['properties', name]), context);
    }
  },
  Parameter(parameter, context) {
    checkThing('parameter', String(parameter.name), parameter, context.location, context);
  },
  Header(header, context) {
    const name = context.location.pointer.split('/').at(-1) ?? '';
    checkThing('header', name, header, context.location, context);
  },
});

/** An object and the file it is in, from which its references are resolved. */
interface Face {
  readonly node: Node;
  readonly file: string | undefined;
}

function checkThing(
  kind: string,
  name: string,
  thing: unknown,
  location: Location,
  context: RuleContext,
): void {
  if (!isNode(thing)) return;
  const faces = facesOf({ node: thing, file: undefined }, context);
  if (!faces.some(({ node }) => typeof node.description === 'string' && node.description.trim() !== '')) {
    context.report({
      message: `The ${kind} "${name}" has no description. Say what it is, its unit and limit, and what happens beyond it.`,
      location,
    });
  }
  if (!examplesOf(kind, faces).some((face) => hasExample(face, context, 0))) {
    context.report({
      message: `The ${kind} "${name}" has no example${kind === 'header' ? ' in its schema' : ''}. Give one as a real request or answer would have it.`,
      location,
    });
  }
}

/** The places that may have the examples of a thing. */
function examplesOf(kind: string, faces: readonly Face[]): readonly Face[] {
  return kind === 'header' ? faces.map(({ node, file }) => ({ node: { schema: node.schema }, file })) : faces;
}

/** The thing as it is written and, where it is a reference, what it refers to. */
function facesOf(face: Face, context: RuleContext): Face[] {
  if (typeof face.node.$ref !== 'string') return [face];
  const { node, location } = context.resolve(face.node, face.file);
  return isNode(node) ? [face, ...facesOf({ node, file: location?.source.absoluteRef }, context)] : [face];
}

/** Deep enough for an array of arrays of objects, and an end for schemas that contain themselves. */
const deepest = 6;

function hasExample({ node, file }: Face, context: RuleContext, depth: number): boolean {
  if ('example' in node || 'const' in node || node['x-binary'] === true || node.type === 'null') return true;
  if (Array.isArray(node.examples)) return node.examples.length > 0;
  if (isNode(node.examples)) return Object.keys(node.examples).length > 0;
  if (depth >= deepest) return false;
  const partHasExample = (part: unknown) =>
    isNode(part) &&
    facesOf({ node: part, file }, context).some((face) => hasExample(face, context, depth + 1));

  if (isNode(node.properties)) return Object.values(node.properties).every(partHasExample);
  for (const alternatives of [node.anyOf, node.oneOf, node.allOf]) {
    if (Array.isArray(alternatives)) return alternatives.every(partHasExample);
  }
  return [node.items, node.schema, node.contentSchema].some(partHasExample);
}
