import { asArray, asObject, asText, isObject, type Json, readOpenApi } from '@speech-api/spec/read';
import { expect, test } from 'vitest';
import { slugOf } from '../src/reference/operations.ts';
import { readFile } from './testing/built-site.ts';

const document = readOpenApi();

/** The paths of all properties of a schema, in every form it can have. */
function propertiesOf(node: Json | undefined, before = ''): string[] {
  const schema = document.flatten(node);
  const inside = isObject(schema.contentSchema) ? document.flatten(schema.contentSchema) : schema;
  const direct = Object.entries(asObject(inside.properties)).flatMap(([name, property]) => [
    before + name,
    ...propertiesOf(property, `${before}${name}.`),
  ]);
  const branches = [...asArray(inside.anyOf), ...asArray(inside.oneOf)];
  const nested = branches.flatMap((branch) => propertiesOf(branch, before));
  return [...direct, ...nested, ...(inside.items === undefined ? [] : propertiesOf(inside.items, before))];
}

function contentsOf(content: Json | undefined): string[] {
  return Object.values(asObject(content)).flatMap((node) => {
    const { itemSchema, schema } = asObject(node);
    if (itemSchema === undefined) return propertiesOf(schema);
    const { data } = asObject(document.flatten(itemSchema).properties);
    return propertiesOf(asObject(data).contentSchema ?? itemSchema);
  });
}

test.each(document.operations())(
  'the page of $id has every parameter, field and header of the document',
  ({ id, parameters, requestBody, responses }) => {
    const html = readFile(`/reference/${slugOf(id)}/index.html`);
    const names = [...html.matchAll(/class="field-name"[^>]*>\s*<code>(.*?)<\/code>/gs)].map(
      ([, code = '']) => code.replaceAll(/<[^>]+>|\[\]|\s/g, ''),
    );
    for (const [line] of html.matchAll(/<p class="refusal-headers".*?<\/p>/gs))
      names.push(...[...line.matchAll(/<code>(.*?)<\/code>/g)].map(([, name = '']) => name));
    const wanted = [
      ...contentsOf(requestBody?.content),
      ...[...responses].flatMap(([status, { content }]) => (Number(status) < 400 ? contentsOf(content) : [])),
      ...[...responses.values()].flatMap(({ headers }) => Object.keys(asObject(headers))),
    ];
    expect(wanted.length).toBeGreaterThan(1);
    expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
    const places = parameters.map(({ name }) => `id="param-${asText(name)}"`);
    expect(places.filter((place) => !html.includes(place))).toEqual([]);
  },
);
