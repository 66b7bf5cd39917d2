import { STATUS_CODES } from 'node:http';
import {
  asArray,
  asObject,
  asText,
  type Json,
  type JsonObject,
  type SpecOperation,
} from '@speech-api/spec/read';
import { isAbout, readExamples } from './examples.ts';
import { readLimits } from './facts.ts';
import { allFields, FieldReader, provenanceOf } from './fields.ts';
import { rulesBetweenFields } from './rules.ts';
import { readCodeSamples, readSampleRequest } from './samples.ts';
import { openapi, readRules } from './specification.ts';

const fieldReader = new FieldReader(openapi);
/** Refusals that only a server on a developer's machine gives, never a service. */
const localCauses = ['foreign-host', 'foreign-origin'];
const places = { path: 'Path', query: 'Query', header: 'Headers' } as const;

export type OperationPage = ReturnType<typeof readOperation>;

/** Content shared by the media types with one schema. */
export type Content = OperationPage['successes'][number]['contents'][number];

/** The pages of all operations, in the order of the document. */
export const operations = openapi.operations().map(readOperation);

/** The address of the page of an operation, below `/reference/`. */
export function slugOf(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function readOperation(specOperation: SpecOperation) {
  const { id, method, path, pathItem, operation, requestBody } = specOperation;
  const words = slugOf(id)
    .replaceAll('-', ' ')
    .replace(/\bapi\b/, 'API');
  const samples = readCodeSamples(operation['x-codeSamples']);
  const parameters = readParameters(specOperation);
  const body = requestBody && {
    description: asText(requestBody.description),
    facts: readLimits(requestBody),
    provenance: provenanceOf(requestBody),
    contents: readContents(requestBody.content, 'body'),
  };
  const wholes = (body?.contents ?? []).map(({ whole }) => whole);
  /** Every field that a client sends: the parameters, and the body in each of its forms. */
  const sentFields = allFields([...parameters.flatMap(({ fields }) => fields), ...wholes]);
  return {
    id,
    slug: slugOf(id),
    /** What it is called in code, as words: `Get API credit`. */
    title: words.charAt(0).toUpperCase() + words.slice(1),
    method,
    path,
    server: asText(asObject(asArray(pathItem.servers ?? openapi.root.servers)[0]).url),
    tag: asText(asArray(operation.tags)[0]),
    isBeta: operation['x-beta'] === true,
    description: asText(operation.description),
    samples,
    /** Request that Run sends; undefined if curl cannot make the call. */
    request: readSampleRequest(samples),
    /** Types of what a query or a form has as text, unless it is text. */
    fieldTypes: Object.fromEntries(
      sentFields
        .filter(({ path: name, type }) => !name.includes('.') && /array|^(integer|number|boolean)/.test(type))
        .map(({ name, type }) => [name, type]),
    ),
    /** Encodings of the body that Run offers. */
    encodings: (body?.contents ?? [])
      .flatMap(({ mediaTypes }) => mediaTypes)
      .filter((name) => /json|msgpack/.test(name)),
    parameters,
    body,
    sentFields,
    rules: body === undefined ? [] : rulesBetweenFields(asArray(asObject(operation['x-rules']).synthesis)),
    successes: readSuccesses(specOperation),
    refusals: readRefusals(
      specOperation,
      new Set(sentFields.map((field) => field.path.replaceAll('[]', ''))),
    ),
  };
}

function readParameters({ parameters }: SpecOperation) {
  return Object.entries(places)
    .map(([where, place]) => ({
      place,
      fields: parameters
        .filter((parameter) => parameter.in === where)
        .map((parameter) => fieldReader.parameter(asText(parameter.name), parameter, 'param')),
    }))
    .filter(({ fields }) => fields.length > 0);
}

/** Groups the media types that have the same schema. */
function readContents(content: Json | undefined, anchor: string) {
  const mediaTypes = Object.entries(asObject(content)).map(([name, node]) => ({
    name,
    media: asObject(node),
  }));
  const groups = Map.groupBy(mediaTypes, ({ media }) => JSON.stringify(media.itemSchema ?? media.schema));
  return [...groups.values()].map((group, index) => {
    const [{ name = '', media = {} } = {}] = group;
    const examples = group.flatMap((type) =>
      readExamples(type.media).map((example) => ({ ...example, type })),
    );
    const byName = Map.groupBy(examples, (example) => example.name);
    return {
      mediaTypes: group.map((type) => type.name),
      provenance: group.map((type) => type.media['x-provenance']),
      /** The fields are those of each event of a stream. */
      isStream: media.itemSchema !== undefined,
      whole: fieldReader.whole(
        payloadOf(media.itemSchema) ?? media.schema,
        index === 0 ? anchor : `${anchor}-${name.split('/').at(-1)}`,
      ),
      /** Each example once, with the media types that show it. */
      examples: [...byName.values()].flatMap(([example, ...others]) =>
        example === undefined
          ? []
          : [{ ...example, mediaTypes: [example, ...others].map(({ type }) => type.name) }],
      ),
    };
  });
}

/** Schema of the `data:` line of an event, rather than of the event around it. */
function payloadOf(itemSchema: Json | undefined): Json | undefined {
  return asObject(asObject(openapi.flatten(itemSchema).properties).data).contentSchema ?? itemSchema;
}

function readSuccesses(operation: SpecOperation) {
  return responsesOf(operation, (status) => status < 400).map(({ status, response, provenance }) => ({
    status,
    anchor: `response-${status}`,
    description: asText(response.description),
    provenance,
    headers: Object.entries(asObject(response.headers)).map(([name, node]) =>
      fieldReader.parameter(name, openapi.resolve(node), `response-${status}`),
    ),
    contents: readContents(response.content, `response-${status}`),
  }));
}

function readRefusals(operation: SpecOperation, sentNames: ReadonlySet<string>) {
  const ids = asArray(asObject(operation.operation['x-rules']).refusals);
  const ownCauses = readRules('refusals').filter(
    ({ id = '' }) => ids.includes(id) && !localCauses.includes(asText(id)),
  );
  return responsesOf(operation, (status) => status >= 400).map(({ status, response, provenance }) => {
    const causes = ownCauses.filter((cause) => cause.status === Number(status));
    const examples = Object.values(asObject(response.content)).flatMap((media) =>
      readExamples(asObject(media)),
    );
    return {
      status,
      name: STATUS_CODES[status] ?? '',
      anchor: `error-${status}`,
      description: asText(response.description),
      provenance: [...provenance, ...causes.map((cause) => cause.provenance)],
      /** Names alone. */
      headers: Object.keys(asObject(response.headers)),
      /** When it comes, in the order of the server's checks. */
      when: causes.map(({ when }) => asText(when)),
      // Responses are shared between operations, and so an example may be about another one.
      examples: examples.filter((example) => isAbout(example, sentNames, causes)),
    };
  });
}

function responsesOf({ operation, responses }: SpecOperation, isWanted: (status: number) => boolean) {
  const operationMarks = asArray([operation['x-provenance'] ?? []].flat()).map(asObject);
  return [...responses]
    .filter(([status]) => isWanted(Number(status)))
    .map(([status, response]) => {
      const inherited = operationMarks
        .filter(({ of }) => asArray(of).includes(`responses/${status}`))
        .map(({ of: _, ...mark }): JsonObject => mark);
      return { status, response, provenance: [response['x-provenance'], ...inherited] };
    });
}
