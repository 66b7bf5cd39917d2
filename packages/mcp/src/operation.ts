import { type Json, type JsonObject, readOpenApi } from '@speech-api/spec/read';

const document = readOpenApi();
const operations = new Map(document.operations().map((operation) => [operation.id, operation]));

export const operationIds = [...operations.keys()] as [string, ...string[]];

/** One operation as the specification has it, with every component that it refers to. */
export function readOperation(id: string): string {
  const { method = '', path, pathItem, operation } = operations.get(id) ?? {};
  const components: Record<string, Json> = {};
  const shown: JsonObject = { parameters: pathItem?.parameters ?? [], ...operation };
  collectComponents(shown, components);
  return JSON.stringify({ [`${method.toUpperCase()} ${path}`]: shown, components });
}

function collectComponents(value: Json | undefined, components: Record<string, Json>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    collectComponents(inner, components);
    if (name !== '$ref' || typeof inner !== 'string' || inner in components) continue;
    components[inner] = document.at(inner);
    collectComponents(components[inner], components);
  }
}
