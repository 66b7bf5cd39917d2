/** Where a statement of the specification comes from when the interface itself does not make it. */
interface Provenance {
  unknown: string;
  from: 'public' | 'assumed';
  /** The members of the marked object that are meant, when it is not all of it. */
  of?: readonly string[];
}

const words = {
  public: 'publicly documented',
  assumed: 'assumed',
} as const;

/**
 * Writes every `x-provenance` mark of a document into the description beside it, as a link to its entry on the
 * page of unknowns: the generator of the reference pages renders descriptions and leaves extensions out.
 *
 * @param unknownsPage address of the page of unknowns, with its trailing slash
 */
export function markProvenance(document: unknown, unknownsPage: string): unknown {
  if (Array.isArray(document)) return document.map((item) => markProvenance(item, unknownsPage));
  if (!isRecord(document)) return document;
  const { schema } = document;
  // A parameter and its schema are one thing to a reader, so the marks of both stand together.
  const together = typeof document.in === 'string' && isRecord(schema);
  const marked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(document)) {
    // What stands in an example is data of the caller, not a statement of the specification.
    if (key === 'example' || key === 'examples') marked[key] = value;
    else if (key === 'schema' && together)
      marked[key] = markProvenance({ ...schema, 'x-provenance': null }, unknownsPage);
    else marked[key] = markProvenance(value, unknownsPage);
  }
  const marks = [document['x-provenance'], together ? schema['x-provenance'] : null]
    .flat()
    .filter(isProvenance)
    .map((provenance) => describe(provenance, unknownsPage));
  if (marks.length === 0) return marked;
  const { description } = document;
  const paragraphs = typeof description === 'string' ? [description.trimEnd(), ...marks] : marks;
  return { ...marked, description: paragraphs.join('\n\n') };
}

function describe({ unknown, from, of = [] }: Provenance, unknownsPage: string): string {
  const responses = of.flatMap((member) => /^responses\/(.+)$/.exec(member)?.[1] ?? []);
  const others = of.filter((member) => !member.startsWith('responses/') && member !== 'description');
  const members = [...others, ...(responses.length > 0 ? [`responses ${responses.join(', ')}`] : [])];
  const what = members.length > 0 ? ` (${members.join(', ')})` : '';
  // The description cannot name its own parts.
  const how = of.includes('description') && members.length === 0 ? 'In part not' : 'Not';
  return `${how} in the interface${what}: [${words[from]}](${unknownsPage}#${unknown})`;
}

function isProvenance(value: unknown): value is Provenance {
  return isRecord(value) && typeof value.unknown === 'string' && String(value.from) in words;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
