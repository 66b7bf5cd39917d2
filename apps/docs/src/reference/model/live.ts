import { asArray, asObject, asText, type Json, type JsonObject } from '@speech-api/spec/read';
import { withoutSections } from '../../texts/without-sections.ts';
import type { Specification } from './document.ts';
import { formatJson } from './examples.ts';
import type { Example, Field, Mark, Shape } from './page-model.ts';
import { MarkReader } from './rules.ts';
import { ShapeReader } from './shapes.ts';

/** A message of a live session. */
export interface LiveMessage {
  readonly name: string;
  readonly title: string;
  readonly anchor: string;
  readonly shape: Shape;
  /** The fields of a synthesis request are on the page of that operation and not repeated here. */
  readonly examples: readonly Example[];
}

/** Messages from one side of a live session. */
export interface LiveDirection {
  readonly title: string;
  readonly anchor: string;
  readonly description: string;
  readonly marks: readonly Mark[];
  readonly messages: readonly LiveMessage[];
}

/** Everything the page about live messages says. */
export interface LivePage {
  readonly address: string;
  readonly server: string;
  readonly description: string;
  readonly upgrade: string;
  readonly headers: readonly Field[];
  readonly directions: readonly LiveDirection[];
  readonly closeCodes: readonly { readonly code: string; readonly meaning: string }[];
  readonly closeMarks: readonly Mark[];
  /** Rules of the connection: framing, compression, idle time. */
  readonly connection: readonly {
    readonly label: string;
    readonly text: string;
    readonly marks: readonly Mark[];
  }[];
}

/** Reads the page of the live session from the AsyncAPI document. */
export function describeLive({ live, unknowns }: Specification): LivePage {
  const marks = new MarkReader(unknowns);
  const shapes = new ShapeReader(live, marks);
  const channel = asObject(Object.values(asObject(live.root.channels))[0]);
  const server = asObject(Object.values(asObject(live.root.servers))[0]);
  const headers = asObject(asObject(asObject(channel.bindings).ws).headers);
  const read = (operation: JsonObject): LiveDirection => ({
    title: asText(operation.summary),
    anchor: operation.action === 'receive' ? 'from-the-client' : 'from-the-server',
    description: asText(operation.description),
    marks: marks.read(operation['x-provenance']),
    messages: asArray(operation.messages).map((reference) =>
      readMessage(live.resolve(reference), live, shapes),
    ),
  });
  return {
    address: asText(channel.address),
    server: asText(server.host),
    description: withoutSections(asText(asObject(live.root.info).description)),
    upgrade: asText(channel.description),
    headers: shapes.shape(headers, { anchor: 'header', path: '' }).fields,
    directions: Object.values(asObject(live.root.operations)).map((operation) => read(asObject(operation))),
    ...readCloseCodes(channel, marks),
    connection: readConnection(channel, marks),
  };
}

function readMessage(message: JsonObject, live: Specification['live'], shapes: ShapeReader): LiveMessage {
  const name = asText(message.name);
  const shape = shapes.shape(message.payload, { anchor: `message-${name}`, path: '' });
  const examples = asArray(message.examples).map((node) => {
    const example = live.resolve(node);
    const summary =
      asText(example.summary) ||
      asText(example.name).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return { name, summary, language: 'json' as const, code: formatJson(example.payload ?? null) };
  });
  const fields = shape.fields.map((field) => (field.name === 'request' ? { ...field, fields: [] } : field));
  return {
    name,
    title: asText(message.title),
    anchor: `message-${name}`,
    shape: { ...shape, fields },
    examples,
  };
}

function readCloseCodes(channel: JsonObject, marks: MarkReader) {
  const { 'x-provenance': provenance, ...codes } = asObject(channel['x-close-codes']);
  return {
    closeCodes: Object.values(codes)
      .map(asObject)
      .map(({ code, when }) => ({ code: String(code), meaning: asText(when) })),
    closeMarks: marks.read(provenance),
  };
}

function readConnection(channel: JsonObject, marks: MarkReader): LivePage['connection'] {
  const at = (key: string): JsonObject => asObject(channel[key]);
  const line = (label: string, key: string, text: string) => ({
    label,
    text,
    marks: marks.read(at(key)['x-provenance']),
  });
  const say = (value: Json | undefined): string => (value === undefined ? '' : String(value));
  return [
    line(
      'Frames',
      'x-framing',
      `${say(at('x-framing').frame)}, one ${say(at('x-framing').encoding)} map each`,
    ),
    line(
      'Compression',
      'x-compression',
      `permessage-deflate is ${say(at('x-compression').perMessageDeflate)}`,
    ),
    line(
      'After finish',
      'x-idle',
      `the server waits ${say(at('x-idle').secondsAfterFinish)} seconds for another start, then: ${say(at('x-idle').then)}`,
    ),
    line('Keep-alive', 'x-keep-alive', `${say(at('x-keep-alive').promised)} is promised`),
    line('Another session on the socket', 'x-reuse', say(at('x-reuse').startAfterFinish)),
  ];
}
