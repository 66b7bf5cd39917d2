import { asArray, asObject, asText, type JsonObject } from '@speech-api/spec/read';
import type { Specification } from './document.ts';
import { formatJson } from './examples.ts';
import { MarkReader } from './rules.ts';
import { ShapeReader } from './shapes.ts';

/** Reads the page of the live session from the AsyncAPI document. */
export function describeLive({ live, unknowns }: Specification) {
  const marks = new MarkReader(unknowns);
  const shapes = new ShapeReader(live, marks);
  const channel = asObject(Object.values(asObject(live.root.channels))[0]);
  const server = asObject(Object.values(asObject(live.root.servers))[0]);
  const headers = asObject(asObject(asObject(channel.bindings).ws).headers);
  const read = (operation: JsonObject) => ({
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
    description: asText(asObject(live.root.info).description),
    upgrade: asText(channel.description),
    headers: shapes.shape(headers, { anchor: 'header', path: '' }).fields,
    directions: Object.values(asObject(live.root.operations)).map((operation) => read(asObject(operation))),
    ...readCloseCodes(channel, marks),
    connection: readConnection(channel, marks),
  };
}

function readMessage(message: JsonObject, live: Specification['live'], shapes: ShapeReader) {
  const name = asText(message.name);
  const shape = shapes.shape(message.payload, { anchor: `message-${name}`, path: '' });
  const examples = asArray(message.examples).map((node) => {
    const example = live.resolve(node);
    const summary =
      asText(example.summary) ||
      asText(example.name).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return { name, summary, language: 'json' as const, code: formatJson(example.payload ?? null) };
  });
  // The fields of a synthesis request are on the page of that operation and not repeated here.
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

/** Rules of the connection: framing, compression, idle time. */
function readConnection(channel: JsonObject, marks: MarkReader) {
  const line = (label: string, key: string, say: (rule: Readonly<Record<string, string>>) => string) => {
    const { 'x-provenance': provenance, ...rule } = asObject(channel[key]);
    const words = Object.fromEntries(Object.entries(rule).map(([name, value]) => [name, String(value)]));
    return { label, text: say(words), marks: marks.read(provenance) };
  };
  return [
    line('Frames', 'x-framing', ({ frame, encoding }) => `${frame}, one ${encoding} map each`),
    line('Compression', 'x-compression', (rule) => `permessage-deflate is ${rule.perMessageDeflate}`),
    line(
      'After finish',
      'x-idle',
      (rule) => `the server waits ${rule.secondsAfterFinish} seconds for another start, then: ${rule.then}`,
    ),
    line('Keep-alive', 'x-keep-alive', ({ promised }) => `${promised} is promised`),
    line('Another session on the socket', 'x-reuse', ({ startAfterFinish = '' }) => startAfterFinish),
  ];
}
