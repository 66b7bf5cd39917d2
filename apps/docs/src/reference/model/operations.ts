import { STATUS_CODES } from 'node:http';
import type { SpecDocument } from '@speech-api/spec/read';
import { asArray, asObject, asText, isObject, type Json, type JsonObject } from '@speech-api/spec/read';
import type { Specification } from './document.ts';
import { formatJson, isAbout, readCodeSamples, readExamples } from './examples.ts';
import { readLimits } from './facts.ts';
import type { Example, Field, Mark, Shape } from './page-model.ts';
import { MarkReader, readRules } from './rules.ts';
import { readSampleRequest } from './sample-request.ts';
import { type Place, ShapeReader } from './shapes.ts';

const methods = ['get', 'post', 'put', 'patch', 'delete'];
/** Refusals that only a server on a developer's machine gives, never a service. */
const localCauses = ['foreign-host', 'foreign-origin'];
const places = { path: 'Path', query: 'Query', header: 'Headers' } as const;

export type OperationPage = ReturnType<typeof describeOperations>[number];

/** Content shared by the media types with one schema. */
export type Content = OperationPage['successes'][number]['contents'][number];

export type Refusal = OperationPage['refusals'][number];

/** The pages of all operations, in the order of the document. */
export function describeOperations(specification: Specification) {
  const { document } = specification;
  return Object.entries(asObject(document.root.paths)).flatMap(([path, node]) => {
    const pathItem = document.resolve(node);
    return methods.flatMap((method) => {
      const operation = pathItem[method];
      if (!isObject(operation)) return [];
      const server = asArray(operation.servers ?? pathItem.servers ?? document.root.servers)[0];
      const parameters = [...asArray(pathItem.parameters), ...asArray(operation.parameters)];
      const reader = new OperationReader(specification, { ...operation, parameters });
      return [reader.page(method, path, asText(asObject(server).url))];
    });
  });
}

/** The title of the page of an operation, such as `Get API credit`: what it is called in code, as words. */
export function titleOf(operationId: string): string {
  const words = operationId.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1).replace(/\bapi\b/, 'API');
}

/** The address of the page of an operation, below `/reference/`. */
export function slugOf(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

class OperationReader {
  readonly #specification: Specification;
  readonly #operation: JsonObject;
  readonly #document: SpecDocument;
  readonly #marks: MarkReader;
  readonly #shapes: ShapeReader;
  readonly #id: string;

  constructor(specification: Specification, operation: JsonObject) {
    this.#specification = specification;
    this.#operation = operation;
    this.#document = specification.document;
    this.#marks = new MarkReader(specification.unknowns);
    this.#shapes = new ShapeReader(this.#document, this.#marks);
    this.#id = asText(operation.operationId);
  }

  page(method: string, path: string, server: string) {
    const operation = this.#operation;
    const body = this.#body();
    const parameters = this.#parameters();
    const sent = sentFields({ parameters, body });
    const names = new Set(sent.map(({ path }) => path.replaceAll('[]', '')));
    const samples = readCodeSamples(operation['x-codeSamples']);
    const takesSynthesis = names.has('text') && names.has('format');
    return {
      id: this.#id,
      slug: slugOf(this.#id),
      title: titleOf(this.#id),
      method,
      path,
      server,
      tag: asText(asArray(operation.tags)[0]),
      beta: operation['x-beta'] === true,
      description: asText(operation.description),
      samples,
      /** Request that Run sends; undefined if curl cannot make the call. */
      request: readSampleRequest(samples),
      parameters,
      body,
      rules: takesSynthesis ? readRules(this.#specification.rules.synthesis, this.#id, this.#marks) : [],
      successes: this.#successes(),
      refusals: this.#refusals(names),
    };
  }

  #parameters() {
    const all = asArray(this.#operation.parameters).map((node) => this.#document.resolve(node));
    return Object.entries(places).flatMap(([where, place]) => {
      const fields = all
        .filter((parameter) => parameter.in === where)
        .map((parameter) => {
          const at: Place = { anchor: 'param', path: '' };
          return this.#shapes.field(
            asText(parameter.name),
            parameter.schema,
            at,
            parameter.required === true,
            parameter,
          );
        });
      return fields.length === 0 ? [] : [{ place, fields }];
    });
  }

  #body() {
    if (this.#operation.requestBody === undefined) return undefined;
    const body = this.#document.resolve(this.#operation.requestBody);
    const limits = Object.values(asObject(body['x-limits'])).map((limit) => asObject(limit)['x-provenance']);
    return {
      anchor: 'body',
      description: asText(body.description),
      facts: readLimits(body['x-limits']),
      marks: this.#marks.read(body['x-provenance'], ...limits),
      contents: this.#contents(asObject(body.content), 'body'),
    };
  }

  /** Groups the media types that have the same schema. */
  #contents(content: JsonObject, anchor: string) {
    const groups = new Map<string, { name: string; media: JsonObject }[]>();
    for (const [name, node] of Object.entries(content)) {
      const media = asObject(node);
      const key = JSON.stringify(media.itemSchema ?? media.schema ?? null);
      groups.set(key, [...(groups.get(key) ?? []), { name, media }]);
    }
    return [...groups.values()].map((group, index) => {
      const [first] = group;
      const media = first?.media ?? {};
      const stream = media.itemSchema !== undefined;
      const schema = stream ? this.#payload(media.itemSchema) : media.schema;
      const at = index === 0 ? anchor : `${anchor}-${first?.name.split('/').at(-1) ?? index}`;
      return {
        mediaTypes: group.map(({ name, media }) => ({
          name,
          marks: this.#marks.read(media['x-provenance']),
        })),
        /** The shape describes each event of a stream. */
        stream,
        shape: this.#shapes.shape(schema, { anchor: at, path: '' }),
        examples: withMediaTypes(
          group.map(({ name, media }) => ({ name, examples: readExamples(this.#document, media) })),
        ),
      };
    });
  }

  /** Schema of the `data:` line of an event, rather than of the event around it. */
  #payload(itemSchema: Json | undefined): Json | undefined {
    const { data } = asObject(this.#document.flatten(itemSchema).properties);
    return asObject(data).contentSchema ?? itemSchema;
  }

  #successes() {
    return this.#responses((status) => status < 400).map(({ status, response, marks }) => ({
      status,
      anchor: `response-${status}`,
      description: asText(response.description),
      marks,
      headers: this.#headers(response, `response-${status}`),
      contents: this.#contents(asObject(response.content), `response-${status}`),
    }));
  }

  #refusals(names: ReadonlySet<string>) {
    return this.#responses((status) => status >= 400).map(({ status, response, marks }) => {
      const when = this.#specification.rules.refusals
        .map(asObject)
        .filter((refusal) => refusal.status === Number(status) && !localCauses.includes(asText(refusal.id)))
        .filter(({ applies_to }) => applies_to === undefined || asArray(applies_to).includes(this.#id))
        .map((refusal) => ({
          id: asText(refusal.id),
          // A reader knows the rules by their place on the page, not by their file.
          text: asText(refusal.when),
          marks: this.#marks.read(refusal.provenance),
        }));
      const media = Object.values(asObject(response.content)).map(asObject);
      const examples = media.flatMap((content) => readExamples(this.#document, content));
      const own = examples.filter((example) => isAbout(example, names, when));
      return {
        status,
        name: STATUS_CODES[status] ?? '',
        anchor: `error-${status}`,
        description: asText(response.description),
        marks,
        /** Names alone. */
        headers: Object.keys(asObject(response.headers)),
        /** When it comes, in the order of the server's checks. */
        when,
        examples: own.length > 0 ? own : [bareError(status, response)],
      };
    });
  }

  #responses(keep: (status: number) => boolean) {
    const operationMarks = asArray([this.#operation['x-provenance'] ?? []].flat()).map(asObject);
    return Object.entries(asObject(this.#operation.responses))
      .filter(([status]) => keep(Number(status)))
      .map(([status, node]) => {
        const response = this.#document.resolve(node);
        const above = operationMarks
          .filter(({ of }) => asArray(of).includes(`responses/${status}`))
          .map(({ of: _, ...mark }) => mark);
        const marks: readonly Mark[] = this.#marks.read(response['x-provenance'], above);
        return { status, response, marks };
      });
  }

  #headers(response: JsonObject, anchor: string): readonly Field[] {
    return Object.entries(asObject(response.headers)).map(([name, node]) => {
      const header = this.#document.resolve(node);
      return this.#shapes.field(name, header.schema, { anchor, path: '' }, header.required === true, header);
    });
  }
}

/** The shape of an error for which no example is about this operation. */
function bareError(status: string, response: JsonObject): Example {
  const message = asText(response.description).split('\n')[0] ?? '';
  const code = formatJson({ status: Number(status), message });
  return { name: 'bare', summary: 'its shape; the text is the server’s own', language: 'json', code };
}

interface Sent {
  readonly parameters: readonly { readonly fields: readonly Field[] }[];
  readonly body?: { readonly contents: readonly { readonly shape: Shape }[] } | undefined;
}

/** Every field that a client sends: the parameters, and the body in each of its forms. */
export function sentFields({ parameters, body }: Sent): Field[] {
  const withInner = (field: Field): Field[] => [field, ...field.fields.flatMap(withInner)];
  const shapes = (body?.contents ?? []).map(({ shape }) => shape);
  return [...parameters, ...shapes, ...shapes.flatMap(({ choices }) => choices)].flatMap(({ fields }) =>
    fields.flatMap(withInner),
  );
}

/** Each example once, with the media types that show it. */
function withMediaTypes(group: readonly { name: string; examples: ReturnType<typeof readExamples> }[]) {
  const all = new Map<string, Example & { readonly mediaTypes: readonly string[] }>();
  for (const { name, examples } of group) {
    for (const example of examples) {
      const mediaTypes = [...(all.get(example.name)?.mediaTypes ?? []), name];
      all.set(example.name, { ...example, mediaTypes });
    }
  }
  return [...all.values()];
}
