import { type Json, type JsonObject, readOpenApi } from '@speech-api/spec/read';

const document = readOpenApi();
const operations = new Map(document.operations().map((operation) => [operation.id, operation]));

export const operationIds = [...operations.keys()] as [string, ...string[]];

/**
 * One operation as the specification has it, with every component that it refers to. It is read by a model, so examples
 * and our own marks are left out, and an error keeps its description alone.
 */
export function readOperation(id: string): string {
  const { method = '', path, pathItem, operation, responses } = operations.get(id) ?? {};
  const answers = [...(responses ?? [])].map(([status, response]): [string, Json] => [
    status,
    status < '4' ? response : { description: response.description ?? '' },
  ]);
  const shown: JsonObject = {
    parameters: pathItem?.parameters ?? [],
    ...operation,
    responses: Object.fromEntries(answers),
  };
  const components: Record<string, Json> = {};
  const brief = shorten(shown, components);
  return JSON.stringify({ [`${method.toUpperCase()} ${path}`]: brief, components });
}

/**
 * The value without examples and marks; its components are collected.
 *
 * @param hasNames - The value's fields are names of headers or properties, which are no marks whatever they begin with.
 */
function shorten(value: Json, components: Record<string, Json>, hasNames = false): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => shorten(entry, components));
  const entries = Object.entries(value).filter(([name]) => hasNames || !/^(?:examples?|x-.*)$/.test(name));
  for (const [name, inner] of entries) {
    if (name !== '$ref' || typeof inner !== 'string' || inner in components) continue;
    components[inner] = {};
    components[inner] = shorten(document.at(inner), components);
  }
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      name,
      shorten(inner as Json, components, name === 'headers' || name === 'properties'),
    ]),
  );
}
