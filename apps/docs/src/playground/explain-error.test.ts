import { ConnectionError } from '@speech-api/client';
import { expect, test } from 'vitest';
import { explainError } from './explain-error.ts';

const explain = (pageUrl: string, baseUrl: string) =>
  explainError(new ConnectionError('no answer'), { pageUrl, baseUrl, action: 'Speak' });

test('a page from elsewhere says what a browser wants before it calls this machine', () => {
  const { advice, command } = explain('https://docs.example/playground/', 'http://127.0.0.1:4010');
  expect(advice).toMatch(/allows this page.*own network.*Safari does not.*npm start/s);
  expect(command).toBe('npm run sandbox -- --port 4010 --allow-origin https://docs.example');
});

test('says so if the policy of the site refuses an address', () => {
  for (const address of ['http://speech.example', 'http://[::1]:4010']) {
    const { title, advice, field } = explain('https://docs.example/', address);
    expect(title).toBe('This page calls https and this machine alone');
    expect(advice).toContain(address);
    expect(field).toBe('baseUrl');
  }
  expect(explain('https://docs.example/', 'https://speech.example').title).toBe(
    'No answer from https://speech.example',
  );
});
