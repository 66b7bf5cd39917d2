import { isNode, type Location, type Node, type Rule, type RuleContext } from '../redocly-types.ts';

/**
 * Every property, parameter and header has a description and an example, its own or that of the schema it refers to.
 * Whether an example is valid is checked by Redocly's own rules no-invalid-schema-examples, no-invalid-parameter-examples
 * and no-invalid-media-type-examples. None of them looks at the examples of a header, so these stand in its schema.
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

function checkThing(
  kind: string,
  name: string,
  thing: unknown,
  location: Location,
  context: RuleContext,
): void {
  if (!isNode(thing)) return;
  const faces = facesOf(thing, context);
  if (!faces.some((face) => typeof face.description === 'string' && face.description.trim() !== '')) {
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

/** Where the examples of a thing may stand. */
function examplesOf(kind: string, faces: readonly Node[]): readonly Node[] {
  return kind === 'header' ? faces.map((face) => ({ schema: face.schema })) : faces;
}

/** The thing as it is written and, where it is a reference, what it refers to. */
function facesOf(thing: Node, context: RuleContext): Node[] {
  if (typeof thing.$ref !== 'string') return [thing];
  const target = context.resolve(thing).node;
  return isNode(target) ? [thing, ...facesOf(target, context)] : [thing];
}

/** Deep enough for an array of arrays of objects, and an end for schemas that contain themselves. */
const deepest = 6;

function hasExample(face: Node, context: RuleContext, depth: number): boolean {
  if ('example' in face || 'const' in face || face['x-binary'] === true || face.type === 'null') return true;
  if (Array.isArray(face.examples)) return face.examples.length > 0;
  if (isNode(face.examples)) return Object.keys(face.examples).length > 0;
  if (depth >= deepest) return false;
  const partHasExample = (part: unknown) =>
    isNode(part) && facesOf(part, context).some((partFace) => hasExample(partFace, context, depth + 1));

  if (isNode(face.properties)) return Object.values(face.properties).every(partHasExample);
  for (const alternatives of [face.anyOf, face.oneOf, face.allOf]) {
    if (Array.isArray(alternatives)) return alternatives.every(partHasExample);
  }
  return [face.items, face.schema, face.contentSchema].some(partHasExample);
}
