import type { Schema } from '../spec/document.ts';

/** The component that a request body means, where its schema is a choice between several. */
type BranchChooser = (body: Readonly<Record<string, unknown>>) => string;

/**
 * How a reader tells the branches of a schema apart, by component. Without it, a fault in a dialogue would be reported
 * as three lists of complaints, two of which are about requests that nobody meant.
 */
const choosers: Readonly<Record<string, BranchChooser>> = {
  SynthesisRequest: (body) => {
    const references = body.references;
    const nested = Array.isArray(references) && references.length > 0 && references.every(Array.isArray);
    if (nested) return 'ZeroShotDialogueRequest';
    if (!Array.isArray(body.reference_id)) return 'SingleSpeakerRequest';
    return references === undefined || references === null ? 'DialogueRequest' : 'ZeroShotDialogueRequest';
  },
};

/** The schema to judge `body` by: the branch it means, or `schema` itself. */
export function chooseBranch(schema: Schema, body: unknown): Schema {
  const component = schema.$ref?.split('/').at(-1) ?? '';
  const choose = choosers[component];
  if (choose === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return schema;
  return { $ref: `#/components/schemas/${choose(body as Record<string, unknown>)}` };
}
