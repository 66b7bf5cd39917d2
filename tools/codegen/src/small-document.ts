import type { JsonObject } from '@speech-api/spec/read';

/** The smallest document that holds one of everything the type generator needs help with. */
export function smallDocument(): JsonObject {
  return {
    openapi: '3.2.0',
    info: { title: 'Small', version: '1' },
    paths: {
      '/say': {
        post: {
          operationId: 'say',
          summary: 'Say something',
          'x-section': '1.1',
          parameters: [{ name: 'Voice', in: 'header', required: true, schema: reference('Voice') }],
          requestBody: { required: true, content: { 'application/json': { schema: reference('Saying') } } },
          responses: {
            '200': {
              description: 'Said.',
              content: {
                'audio/wav': { schema: reference('Sound') },
                'text/event-stream': { itemSchema: reference('Message') },
                'application/jsonl': { itemSchema: reference('Piece') },
                'application/json': { schema: reference('Report') },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Voice: {
          anyOf: [{ type: 'string', enum: ['anna', 'ben'] }, { type: 'string' }],
          'x-open-enum': true,
        },
        Mood: { type: 'string', description: 'How it sounds.', enum: ['calm', 'glad'], default: 'calm' },
        Saying: { anyOf: [reference('One'), reference('Many')] },
        Common: {
          type: 'object',
          required: ['text'],
          properties: {
            text: { type: 'string' },
            mood: reference('Mood'),
            example: { type: 'string', default: '', description: 'A field with the name of a keyword.' },
            loudness: { type: 'number', default: 0.5 },
          },
        },
        One: closed({ sample: reference('Sample') }, []),
        Many: closed({ samples: { type: 'array', items: { type: 'array', items: reference('Sample') } } }, [
          'samples',
        ]),
        Sample: { type: 'string', contentEncoding: 'base64', 'x-binary': true },
        Sound: { contentMediaType: 'application/octet-stream', 'x-binary': true },
        Piece: { type: 'object', required: ['sequence'], properties: { sequence: { type: 'integer' } } },
        Message: {
          type: 'object',
          properties: {
            data: { type: 'string', contentMediaType: 'application/json', contentSchema: reference('Piece') },
          },
        },
        Report: {
          type: 'object',
          required: ['state', 'moods'],
          properties: {
            state: { type: 'string', enum: ['done', 'failed'] },
            mood: { description: 'How it was said.', allOf: [reference('Mood')] },
            moods: { type: 'array', items: reference('Mood') },
          },
        },
      },
    },
  };
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function closed(properties: JsonObject, required: string[]): JsonObject {
  return { allOf: [reference('Common')], type: 'object', required, properties, unevaluatedProperties: false };
}
