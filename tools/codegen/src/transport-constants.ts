import { isObject, type JsonObject, mediaTypesOf, type SpecDocument } from '@speech-api/spec/read';
import type { Constant } from './typescript.ts';

/** The name in the code of each media type other than audio. A new one in the document must be named here. */
const mediaTypeNames: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/msgpack': 'msgpack',
  'multipart/form-data': 'multipart',
  'application/x-www-form-urlencoded': 'urlencoded',
  'text/event-stream': 'eventStream',
};

/** The names of headers in the code, and the component that has the name on the wire. */
const requestHeaders = { model: 'ModelHeader', traceparent: 'TraceParent' };
const responseHeaders = {
  traceId: 'TraceId',
  concurrencyLimit: 'RateLimitLimitConcurrency',
  concurrencyInUse: 'RateLimitCurrentConcurrency',
  retryAfter: 'RetryAfter',
};

/** Media types and header names. */
export function transportConstants(document: SpecDocument): Constant[] {
  return [
    { name: 'mediaTypes', comment: 'The media types of bodies, audio apart.', value: mediaTypes(document) },
    { name: 'headerNames', comment: 'Names of headers, in lower case.', value: headerNames(document) },
  ];
}

function mediaTypes(document: SpecDocument): JsonObject {
  const used = new Set(
    document
      .operations()
      .flatMap(({ requestBody, responses }) => [
        ...mediaTypesOf(requestBody),
        ...[...responses.values()].flatMap(mediaTypesOf),
      ]),
  );
  const named = new Map<string, string>();
  for (const type of used) {
    if (type.startsWith('audio/')) continue;
    const name = mediaTypeNames[type];
    if (name === undefined)
      throw new Error(`The media type ${type} has no name yet: add one to mediaTypeNames.`);
    named.set(name, type);
  }
  // In the order of the names above, so that the order of operations doesn't show.
  return Object.fromEntries(
    Object.values(mediaTypeNames).flatMap((name) => {
      const type = named.get(name);
      return type === undefined ? [] : [[name, type]];
    }),
  );
}

function headerNames(document: SpecDocument): JsonObject {
  const used = responseHeaderNames(document);
  const names: Record<string, string> = { authorization: authorizationHeader(document) };
  for (const [name, component] of Object.entries(requestHeaders)) {
    names[name] = document.stringAt(`/components/parameters/${component}/name`).toLowerCase();
  }
  for (const [name, component] of Object.entries(responseHeaders)) {
    const header = used.get(`#/components/headers/${component}`);
    if (header === undefined) throw new Error(`No response has the header ${component}.`);
    names[name] = header.toLowerCase();
  }
  return names;
}

/** The key travels where the HTTP schemes put it; any other scheme would need another constant. */
function authorizationHeader(document: SpecDocument): string {
  const schemes = Object.values(document.objectAt('/components/securitySchemes'));
  if (schemes.every((scheme) => isObject(scheme) && scheme.type === 'http')) return 'authorization';
  throw new Error('A security scheme is not of type http.');
}

function responseHeaderNames(document: SpecDocument): Map<string, string> {
  const names = new Map<string, string>();
  for (const { responses } of document.operations()) {
    for (const { headers } of responses.values()) {
      if (!isObject(headers)) continue;
      for (const [name, header] of Object.entries(headers)) {
        if (isObject(header) && typeof header.$ref === 'string') names.set(header.$ref, name);
      }
    }
  }
  return names;
}

/** What our servers do on the live socket where the interface does not say what happens (section 4.6). */
export function liveConstants(document: SpecDocument): Constant[] {
  const channel = '/channels/liveSpeech';
  const { 'x-provenance': _, ...reasons } = document.objectAt(`${channel}/x-close-codes`);
  const codes = Object.keys(reasons).map((name) => [
    name,
    document.numberAt(`${channel}/x-close-codes/${name}/code`),
  ]);
  const sent = document.arrayAt('/operations/receiveText/messages').map((message) => {
    const { name, payload } = document.resolve(message);
    return [String(name), [...document.properties(payload).keys()]];
  });
  return [
    {
      name: 'liveClientFields',
      comment:
        'The messages that a client of a live session sends, each with its fields. Servers refuse others.',
      value: Object.fromEntries(sent),
    },
    {
      name: 'liveCloseCodes',
      comment: 'The close codes of the live WebSocket, by what they mean. A service may use others.',
      value: Object.fromEntries(codes),
    },
    {
      name: 'liveIdleSeconds',
      comment: 'How long a server waits for another `start` after `finish`, in seconds.',
      value: document.numberAt(`${channel}/x-idle/secondsAfterFinish`),
    },
    {
      name: 'liveTimestampsPath',
      comment: 'The path of live sessions with word times, which is public and not part of the interface.',
      value: document.stringAt('/channels/liveSpeechWithTimestamps/address'),
    },
  ];
}
