import {
  asArray,
  asObject,
  asText,
  isObject,
  type Json,
  type JsonObject,
  readOpenApi,
} from '@speech-api/spec/read';
import { expect, test } from 'vitest';
import { slugOf } from '../src/reference/operations.ts';
import { readFile } from './testing/built-site.ts';

const document = readOpenApi();
const methods = ['get', 'post', 'put', 'patch', 'delete'];
/** Every operation as the document has it, with the parameters that all operations of its path share. */
const operations = Object.values(asObject(document.root.paths)).flatMap((node) => {
  const item = document.resolve(node);
  return methods.flatMap((method) => {
    const operation = item[method];
    if (!isObject(operation)) return [];
    const parameters = [...asArray(item.parameters), ...asArray(operation.parameters)];
    return [[asText(operation.operationId), operation, parameters] as const];
  });
});

/** The paths of all properties of a schema, in every form it can have. */
function propertiesOf(node: Json | undefined, before = ''): string[] {
  const schema = document.flatten(node);
  const inside = isObject(schema.contentSchema) ? document.flatten(schema.contentSchema) : schema;
  const own = Object.entries(asObject(inside.properties)).flatMap(([name, property]) => [
    before + name,
    ...propertiesOf(property, `${before}${name}.`),
  ]);
  const branches = [...asArray(inside.anyOf), ...asArray(inside.oneOf)];
  const nested = branches.flatMap((branch) => propertiesOf(branch, before));
  return [...own, ...nested, ...(inside.items === undefined ? [] : propertiesOf(inside.items, before))];
}

function contentsOf(content: Json | undefined): string[] {
  return Object.values(asObject(content)).flatMap((node) => {
    const { itemSchema, schema } = asObject(node);
    if (itemSchema === undefined) return propertiesOf(schema);
    const { data } = asObject(document.flatten(itemSchema).properties);
    return propertiesOf(asObject(data).contentSchema ?? itemSchema);
  });
}

function headersOf(response: JsonObject): string[] {
  return Object.keys(asObject(response.headers));
}

test.each(operations)(
  'the page of %s has every parameter, field and header of the document',
  (id, operation, parameters) => {
    const html = readFile(`/reference/${slugOf(id)}/index.html`);
    const names = [...html.matchAll(/class="field-name"[^>]*>\s*<code>(.*?)<\/code>/gs)].map(
      ([, code = '']) => code.replaceAll(/<[^>]+>|\[\]|\s/g, ''),
    );
    for (const [line] of html.matchAll(/<p class="refusal-headers".*?<\/p>/gs))
      names.push(...[...line.matchAll(/<code>(.*?)<\/code>/g)].map(([, name = '']) => name));
    const responses = Object.entries(asObject(operation.responses)).map(
      ([status, node]) => [status, document.resolve(node)] as const,
    );
    const wanted = [
      ...contentsOf(document.resolve(operation.requestBody ?? {}).content),
      ...responses
        .filter(([status]) => Number(status) < 400)
        .flatMap(([, { content }]) => contentsOf(content)),
      ...responses.flatMap(([, response]) => headersOf(response)),
    ];
    expect(wanted.length).toBeGreaterThan(1);
    expect([...new Set(wanted)].filter((name) => !names.includes(name))).toEqual([]);
    const places = parameters.map((parameter) => `id="param-${asText(document.resolve(parameter).name)}"`);
    expect(places.filter((place) => !html.includes(place))).toEqual([]);
  },
);
