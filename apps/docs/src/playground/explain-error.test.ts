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

test('says which addresses a page can call where another one gives no answer', () => {
  const { title, advice, field } = explain('https://docs.example/', 'http://speech.example');
  expect(title).toBe('No answer from http://speech.example');
  expect(advice).toContain('This page can call https addresses, http://127.0.0.1 and http://localhost');
  expect(field).toBe('baseUrl');
});
