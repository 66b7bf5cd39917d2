import { describe, expect, test } from 'vitest';
import { asObject, type JsonObject } from '../read.ts';
import { readDocument } from '../test/documents.ts';
import { differences } from './differences.ts';
import { DownLevelError, downLevel } from './down-level.ts';

describe('writing an OpenAPI 3.2 document as 3.1', () => {
  test('keeps what both versions have', () => {
    const document = withOperation({ responses: { '200': { description: 'Fine.' } } });
    expect(downLevel(document)).toEqual({ ...document, openapi: '3.1.1' });
  });

  test('gives a stream the schema of one event and keeps itemSchema as x-itemSchema', () => {
    const event = { $ref: '#/components/schemas/Event' };
    const payload = { $ref: '#/components/schemas/Payload' };
    const media = (itemSchema: JsonObject) =>
      mediaTypeOf(
        downLevel({
          ...withContent({ 'text/event-stream': { itemSchema } }),
          components: { schemas: { Event: { type: 'object' }, Payload: { type: 'object' } } },
        }),
        'text/event-stream',
      );
    expect(media(event)).toEqual({ schema: event, 'x-itemSchema': event });
    const wrapped = { properties: { data: { type: 'string', contentSchema: payload } } };
    expect(media(wrapped)).toEqual({ schema: payload, 'x-itemSchema': wrapped });
  });

  test('writes several types, and an enum with null, as one type each, and leaves a type beside null', () => {
    const text = { type: ['string', 'null'] };
    const tags = { type: ['array', 'string', 'null'], items: text, description: 'Tags.' };
    const rate = { type: ['integer', 'null'], enum: [8000, null], default: null };
    const schemas = { Text: text, Tags: tags, Rate: rate };
    const document = { ...withOperation({ responses: {} }), components: { schemas } };
    expect(schemasOf(downLevel(document))).toEqual({
      Text: text,
      Tags: {
        description: 'Tags.',
        anyOf: [{ type: 'array', items: text }, { type: 'string' }, { type: 'null' }],
      },
      Rate: { default: null, anyOf: [{ type: 'integer', enum: [8000] }, { type: 'null' }] },
    });
  });

  test('turns the serialized value of an example into its value', () => {
    const examples = { oneEvent: { summary: 'One event', serializedValue: 'data: {}\n\n' } };
    const media = mediaTypeOf(downLevel(withContent({ 'text/plain': { examples } })), 'text/plain');
    expect(media).toEqual({ examples: { oneEvent: { summary: 'One event', value: 'data: {}\n\n' } } });
  });

  test('keeps a data value of null, false or 0', () => {
    const examples = { nothing: { dataValue: null }, no: { dataValue: false }, zero: { dataValue: 0 } };
    const media = mediaTypeOf(downLevel(withContent({ 'text/plain': { examples } })), 'text/plain');
    expect(media).toEqual({
      examples: { nothing: { value: null }, no: { value: false }, zero: { value: 0 } },
    });
  });

  test('sets headers of the connection aside, which no mock server may copy', () => {
    const chunked = { description: 'In chunks.', schema: { type: 'string' } };
    const trace = { description: 'A trace.', schema: { type: 'string' } };
    const response = { description: 'Fine.', headers: { 'Transfer-Encoding': chunked, 'x-trace-id': trace } };
    expect(downLevel(withOperation({ responses: { '200': response } }))).toMatchObject(
      withOperation(
        {
          responses: {
            '200': {
              description: 'Fine.',
              headers: { 'x-trace-id': trace },
              'x-connection-headers': { 'Transfer-Encoding': chunked },
            },
          },
        },
        '3.1.1',
      ),
    );
  });

  test.each<[string, JsonObject]>([
    ['schema and itemSchema', withContent({ 'text/event-stream': { schema: {}, itemSchema: {} } })],
    [
      'more than one value',
      withContent({ 'text/plain': { examples: { a: { dataValue: 1, serializedValue: '1' } } } }),
    ],
    ['#/components/schemas/A', withSchemas({ A: { allOf: [{ oneOf: [] }], unevaluatedProperties: false } })],
  ])('refuses what would lose something: %s', (words, document) => {
    expect(() => downLevel(document)).toThrow(DownLevelError);
    expect(() => downLevel(document)).toThrow(words);
  });
});

describe('closing schemas for tools made for 3.1', () => {
  test('writes allOf with unevaluatedProperties as one closed object', () => {
    const schemas = {
      Settings: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
      Request: {
        allOf: [{ $ref: '#/components/schemas/Settings' }],
        type: 'object',
        required: ['voice'],
        properties: { voice: { type: 'string' } },
        unevaluatedProperties: false,
        'x-provenance': { unknown: 'a', from: 'assumed', of: ['unevaluatedProperties'] },
      },
    };
    expect(downLevel({ ...withPathItem({}), components: { schemas } })).toMatchObject({
      components: {
        schemas: {
          Settings: schemas.Settings,
          Request: {
            type: 'object',
            required: ['text', 'voice'],
            properties: { text: { type: 'string' }, voice: { type: 'string' } },
            additionalProperties: false,
            'x-provenance': { unknown: 'a', from: 'assumed', of: ['additionalProperties'] },
          },
        },
      },
    });
  });
});

function withSchemas(schemas: JsonObject): JsonObject {
  return { ...withPathItem({}), components: { schemas } };
}

function schemasOf({ components }: JsonObject): unknown {
  return asObject(components).schemas;
}

function withPathItem(item: JsonObject, openapi = '3.2.0'): JsonObject {
  return { openapi, info: { title: 'A', version: '1' }, paths: { '/a': item } };
}

function withOperation(operation: JsonObject, openapi?: string): JsonObject {
  return withPathItem({ get: { operationId: 'getA', ...operation } }, openapi);
}

function withContent(content: JsonObject): JsonObject {
  return withOperation({ responses: { '200': { description: 'Fine.', content } } });
}

function mediaTypeOf(document: JsonObject, mediaType: string): unknown {
  const { paths } = document as unknown as {
    paths: { '/a': { get: { responses: { '200': { content: Record<string, unknown> } } } } };
  };
  return paths['/a'].get.responses['200'].content[mediaType];
}

describe('for generators of clients', () => {
  const built = readDocument('openapi.json');

  test('each difference changes the built document, and together they make the 3.1 document', () => {
    let before: JsonObject = built;
    for (const { words, apply } of differences) {
      const after = apply(before, []);
      expect(after, words).not.toEqual(before);
      before = after;
    }
    expect(readDocument('openapi-3.1.json')).toEqual({ ...before, openapi: '3.1.1' });
  });

  test('bytes are of the format binary, base64 has no media type of its own, and other strings keep theirs', () => {
    const mediaType = { contentMediaType: 'application/octet-stream' };
    const schemas = {
      Base64: { type: 'string', contentEncoding: 'base64', ...mediaType, 'x-binary': true },
      Bytes: { ...mediaType, 'x-binary': true },
      Text: { type: 'string', contentMediaType: 'application/json' },
    };
    expect(schemasOf(downLevel(withSchemas(schemas)))).toEqual({
      Base64: { type: 'string', contentEncoding: 'base64', 'x-binary': true },
      Bytes: { type: 'string', format: 'binary', ...mediaType, 'x-binary': true },
      Text: schemas.Text,
    });
  });

  test('one recording or several is an array, and other alternatives stay', () => {
    const bytes = { $ref: '#/components/schemas/Bytes' };
    const text = { type: 'string' };
    const schemas = {
      Bytes: { type: 'string', contentEncoding: 'base64', 'x-binary': true },
      Recordings: {
        description: 'Of a voice.',
        anyOf: [bytes, { type: 'array', maxItems: 2, items: bytes }],
      },
      Tags: { anyOf: [text, { type: 'array', items: text }] },
    };
    expect(schemasOf(downLevel(withSchemas(schemas)))).toEqual({
      ...schemas,
      Recordings: { description: 'Of a voice.', type: 'array', maxItems: 2, items: bytes },
    });
  });

  test('an enum is open in answers and closed in requests', () => {
    const use = (name: string) => ({
      'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
    });
    const state = { type: 'string', enum: ['made'] };
    const look = { type: 'string', enum: ['open', 'closed'] };
    const schemas = {
      State: state,
      Look: look,
      Sent: { properties: { look: { $ref: '#/components/schemas/Look' }, kind: state } },
      Received: {
        properties: {
          look: { $ref: '#/components/schemas/Look' },
          state: { allOf: [{ $ref: '#/components/schemas/State' }], default: 'made' },
          kind: state,
        },
      },
    };
    const document = withOperation({
      requestBody: { content: use('Sent') },
      responses: { '200': { description: 'Fine.', content: use('Received') } },
    });
    const open = (examples: readonly string[]) => ({ type: 'string', examples, 'x-open-enum': true });
    expect(schemasOf(downLevel({ ...document, components: { schemas } }))).toEqual({
      State: open(['made']),
      Look: look,
      ReceivedLook: open(['open', 'closed']),
      Sent: schemas.Sent,
      Received: {
        properties: {
          look: { $ref: '#/components/schemas/ReceivedLook' },
          state: { allOf: [{ $ref: '#/components/schemas/State' }] },
          kind: open(['made']),
        },
      },
    });
  });

  test('a list of requests that may grow is a plain string with its values as examples', () => {
    const namedVoices = { type: 'string', enum: ['one', 'two'] };
    const Voice = { anyOf: [namedVoices, { type: 'string' }], 'x-open-enum': true };
    expect(schemasOf(downLevel(withSchemas({ Voice })))).toEqual({
      Voice: { type: 'string', examples: ['one', 'two'], 'x-open-enum': true },
    });
  });

  test('a server variable has a default and no description', () => {
    const variables = { base: { default: 'https://a.example', description: 'Where it is.' } };
    const built = downLevel({
      openapi: '3.2.0',
      servers: [{ url: '{base}', description: 'It.', variables }],
    });
    expect(built.servers).toEqual([
      { url: '{base}', description: 'It.', variables: { base: { default: 'https://a.example' } } },
    ]);
  });
});
