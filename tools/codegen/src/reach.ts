import { isObject, type Json, type SpecDocument } from './document.ts';
import { listOperations } from './operations.ts';

/** Which schemas a client sends and which it receives; one can be in both. */
export interface Reach {
  readonly sent: ReadonlySet<string>;
  readonly received: ReadonlySet<string>;
}

const schemaPrefix = '#/components/schemas/';

/** Follows the references from every request and every response to the schemas behind them. */
export function reachOfSchemas(document: SpecDocument): Reach {
  const sent = new Set<string>();
  const received = new Set<string>();
  for (const { parameters, requestBody, responses } of listOperations(document)) {
    for (const parameter of parameters) collect(document, parameter, sent);
    if (requestBody) collect(document, requestBody, sent);
    for (const response of responses.values()) collect(document, response, received);
  }
  return { sent, received };
}

/** Names of the schemas that are received and never sent: there the service may say more than we know. */
export function receivedOnly({ sent, received }: Reach): string[] {
  return [...received].filter((name) => !sent.has(name)).sort();
}

function collect(document: SpecDocument, value: Json, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const entry of value) collect(document, entry, found);
    return;
  }
  if (!isObject(value)) return;
  if (typeof value.$ref === 'string') {
    const name = value.$ref.startsWith(schemaPrefix) ? value.$ref.slice(schemaPrefix.length) : undefined;
    if (name !== undefined) {
      if (found.has(name)) return;
      found.add(name);
    }
    collect(document, document.at(value.$ref.slice(1)), found);
    return;
  }
  for (const [key, entry] of Object.entries(value)) {
    // An example may hold anything, a `$ref` of its own included.
    if (key !== 'example' && key !== 'examples') collect(document, entry, found);
  }
}
