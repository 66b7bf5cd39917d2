import { type Json, SpecDocument } from '@speech-api/spec/read';
import { expect, test } from 'vitest';
import { smallDocument } from './small-document.ts';
import { generateOperationTable } from './tables.ts';
import { formatTypeScript } from './typescript.ts';

const generate = (refusals: Json) =>
  formatTypeScript(generateOperationTable(new SpecDocument(smallDocument()), refusals));

test('has one row per operation, with what the document says about it', async () => {
  const table = await generate([{ id: 'credit', applies_to: ['say'] }]);
  expect(table).toContain(`  say: {
    method: 'POST',
    path: '/say',
    summary: 'Say something',
    section: '1.1',
    requestMediaTypes: ['application/json'],
    responseMediaTypes: ['audio/wav', 'text/event-stream', 'application/jsonl', 'application/json'],
    successStatus: 200,
    acceptsTraceparent: false,
    acceptsModel: false,
    billed: true,
    beta: false,
    webSocket: false,
  },`);
});

test('bills only what is refused without credit', async () => {
  expect(await generate([{ id: 'credit', applies_to: ['sing'] }])).toContain('billed: false');
});

test('does not guess what is billed', () => {
  expect(() => generateOperationTable(new SpecDocument(smallDocument()), [])).toThrow('credit');
});
