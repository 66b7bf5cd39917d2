import { asObject } from '@speech-api/spec/read';
import type { Specification } from './document.ts';
import { type OperationPage, sentFields } from './operations.ts';
import type { Fact, Shape } from './page-model.ts';
import { MarkReader } from './rules.ts';
import { ShapeReader } from './shapes.ts';

/** The named schemas that have something to say beside their name: fields, forms or a closed list of values. */
export function describeSchemas({ document, unknowns }: Specification) {
  const shapes = new ShapeReader(document, new MarkReader(unknowns));
  const schemas = asObject(asObject(document.root.components).schemas);
  return Object.keys(schemas)
    .sort((left, right) => left.localeCompare(right, 'en'))
    .map((name) => ({
      name,
      shape: shallow(shapes.shape({ $ref: `#/components/schemas/${name}` }, { anchor: name, path: '' })),
    }))
    .filter(
      ({ shape }) =>
        shape.fields.length + shape.choices.length > 0 || shape.facts.some(({ label }) => label === 'Values'),
    );
}

/** A field with a schema of its own leads there; its fields are not repeated. */
function shallow(shape: Shape): Shape {
  const cut = (fields: Shape['fields']): Shape['fields'] =>
    fields.map((field) => ({ ...field, fields: field.schema === undefined ? cut(field.fields) : [] }));
  return {
    ...shape,
    fields: cut(shape.fields),
    choices: shape.choices.map((choice) => ({ ...choice, fields: cut(choice.fields) })),
  };
}

/** The audio formats and their capabilities, from `x-audio-formats` of the specification. */
export function describeFormats({ document }: Specification) {
  const schemas = asObject(asObject(document.root.components).schemas);
  const settings = asObject(asObject(schemas.SynthesisSettings).properties);
  return Object.entries(asObject(asObject(schemas.AudioFormat)['x-audio-formats'])).map(([format, node]) => {
    const line = asObject(node);
    const field = typeof line.bitrateField === 'string' ? asObject(settings[line.bitrateField]) : undefined;
    const values = field && Array.isArray(field.enum) ? field.enum.join(', ') : '';
    return {
      format,
      mediaType: String(line.mediaType),
      sampleRates: Array.isArray(line.sampleRates) ? line.sampleRates.map(String) : [],
      defaultSampleRate: String(line.defaultSampleRate),
      bitrate:
        field === undefined
          ? `${String(line.bitsPerSample)}-bit`
          : `${values} ${String(field['x-unit'])}, ${String(field.default)} unless asked otherwise`,
    };
  });
}

interface LimitLine {
  readonly field: string;
  readonly facts: readonly Fact[];
  readonly places: readonly { readonly operation: string; readonly address: string }[];
}

const kinds = ['Range', 'Limit', 'Entries', 'Length'];

/** Every range and limit of what a client sends, each once, with all the places it holds at. */
export function describeLimits(pages: readonly OperationPage[]) {
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
    add('whole body', page.body?.facts ?? [], page, 'body');
    for (const { path, facts, anchor } of sentFields(page)) add(path, facts, page, anchor);
  }
  return [...lines.values()];
}
