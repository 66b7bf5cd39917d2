import { readdirSync } from 'node:fs';
import { type AsyncAPIDocumentInterface, DiagnosticSeverity, Parser } from '@asyncapi/parser';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../build/bundle.ts';
import { downLevelLive } from '../build/down-level.ts';
import { isObject, type Json, type JsonObject } from '../read.ts';

let source: JsonObject;
let document: AsyncAPIDocumentInterface | undefined;

async function parse(text: JsonObject) {
  return new Parser().parse(JSON.stringify(text));
}

beforeAll(async () => {
  source = downLevelLive(await bundle('live/asyncapi.yaml'));
  ({ document } = await parse(source));
}, 60_000);

describe('the live document', () => {
  test('is refused by the parser if an operation is neither sent nor received', async () => {
    const broken = structuredClone(source);
    Object.assign(at(broken, ['operations', 'sendAudio']), { action: 'publish' });
    const result = await parse(broken);
    expect(result.diagnostics.some(({ severity }) => severity === DiagnosticSeverity.Error)).toBe(true);
  });

  test('lets clients send start, text, flush and stop, and the server audio, finish and error', () => {
    const messages = (action: 'receive' | 'send') =>
      (document?.operations().all() ?? [])
        .filter((operation) => operation.action() === action)
        .flatMap((operation) =>
          operation
            .messages()
            .all()
            .map((message) => message.name()),
        );
    expect(messages('receive')).toEqual(['start', 'text', 'flush', 'stop']);
    expect(messages('send')).toEqual(['audio', 'finish', 'error']);
  });

  test('tells every message apart by its event, and has a schema file for each', () => {
    const all = document?.components().messages().all() ?? [];
    const files = readdirSync(new URL('../schemas/live/', import.meta.url));
    for (const message of all) {
      const name = message.name() ?? '';
      expect(message.payload()?.property('event')?.const()).toBe(name);
      expect(files).toContain(`${schemaOf(name)}.yaml`);
    }
    expect(all).toHaveLength(8);
  });

  test('has one secure server and two addresses', () => {
    expect(
      document
        ?.servers()
        .all()
        .map((server) => server.protocol()),
    ).toEqual(['wss']);
    expect(
      document
        ?.channels()
        .all()
        .map((channel) => channel.address()),
    ).toEqual(['/v1/tts/live', '/v1/tts/live/with-timestamp']);
  });
});

describe('the messages', () => {
  const validate = (name: string, message: unknown): boolean => {
    const ajv = new Ajv({ strict: false });
    const schemas = at(source, ['components', 'schemas']);
    return ajv.compile({ components: { schemas }, $ref: `#/components/schemas/${name}` })(message);
  };

  test('have examples that their schemas allow', () => {
    for (const message of document?.components().messages().all() ?? []) {
      const name = message.name() ?? '';
      for (const example of message.examples().all()) {
        expect(validate(schemaOf(name), example.payload()), `${name}: ${example.name()}`).toBe(true);
      }
      // The audio of a frame is bytes, which no YAML file can show.
      expect(message.examples().all().length > 0).toBe(name !== 'audio');
    }
  });

  test('allow an empty text, in start and in text', () => {
    expect(validate('StartMessage', { event: 'start', request: { text: '', format: 'opus' } })).toBe(true);
    expect(validate('TextMessage', { event: 'text', text: '' })).toBe(true);
  });

  test('start with a request that matches the schema of any other synthesis request', () => {
    expect(validate('StartMessage', { event: 'start', request: { text: '', format: 'flac' } })).toBe(false);
    expect(validate('StartMessage', { event: 'start', request: { format: 'opus' } })).toBe(false);
    expect(validate('StartMessage', { event: 'start', request: { text: '', temprature: 1 } })).toBe(false);
    expect(validate('StartMessage', { event: 'start' })).toBe(false);
  });

  test('are what their event says', () => {
    expect(validate('FlushMessage', { event: 'flush' })).toBe(true);
    expect(validate('FlushMessage', { event: 'stop' })).toBe(false);
  });

  test('may grow: a finish with other fields and another reason is still one', () => {
    expect(validate('FinishMessage', { event: 'finish', reason: 'stop', credits: 3 })).toBe(true);
    expect(validate('FinishMessage', { event: 'finish', reason: 'idle' })).toBe(true);
    expect(validate('FinishMessage', { event: 'finish' })).toBe(false);
  });
});

/** The schema of the message with this event. */
function schemaOf(event: string): string {
  return `${event[0]?.toUpperCase()}${event.slice(1)}Message`;
}

/** The object at a place of a document. */
function at(value: Json, path: readonly string[]): JsonObject {
  const found = path.reduce<Json | undefined>(
    (inside, key) =>
      Array.isArray(inside) ? inside[Number(key)] : isObject(inside) ? inside[key] : undefined,
    value,
  );
  if (!isObject(found)) throw new TypeError(`There is no object at ${path.join('/')}.`);
  return found;
}
