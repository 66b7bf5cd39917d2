import type { Fact, Field, OperationPage } from './page-model.ts';

/** A field with a range, a list of values or a limit, and the operations that have it. */
export interface LimitLine {
  readonly field: string;
  readonly facts: readonly Fact[];
  readonly places: readonly { readonly operation: string; readonly address: string }[];
}

const kinds = ['Range', 'Limit', 'Entries', 'Length'];

/** Every range and limit of what a client sends, each once, with all the places it holds at. */
export function describeLimits(pages: readonly OperationPage[]): readonly LimitLine[] {
  const lines = new Map<string, LimitLine>();
  const add = (field: string, all: readonly Fact[], page: OperationPage, anchor: string): void => {
    const facts = all.filter(({ label }) => kinds.includes(label));
    if (facts.length === 0) return;
    const key = `${field} ${JSON.stringify(facts)}`;
    const place = { operation: page.id, address: `/reference/${page.slug}/#${anchor}` };
    const known = lines.get(key)?.places ?? [];
    if (known.some(({ operation }) => operation === page.id)) return;
    lines.set(key, { field, facts, places: [...known, place] });
  };
  for (const page of pages) {
    for (const { fields } of page.parameters)
      walk(fields, (field) => add(field.path, field.facts, page, field.anchor));
    if (page.body === undefined) continue;
    add('whole body', page.body.facts, page, 'body');
    for (const { shape } of page.body.contents) {
      const fields = [...shape.fields, ...shape.choices.flatMap((choice) => choice.fields)];
      walk(fields, (field) => add(field.path, field.facts, page, field.anchor));
    }
  }
  return [...lines.values()];
}

function walk(fields: readonly Field[], visit: (field: Field) => void): void {
  for (const field of fields) {
    visit(field);
    walk(field.fields, visit);
  }
}
