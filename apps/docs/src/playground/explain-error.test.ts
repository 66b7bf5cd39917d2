import { ConnectionError } from '@speech-api/client';
import { expect, test } from 'vitest';
import { explainError } from './explain-error.ts';

const silence = new ConnectionError('no answer');

function explain(pageUrl: string, baseUrl: string, error: unknown = silence, receivedSeconds = 0) {
  const answered = receivedSeconds > 0;
  return explainError(error, { pageUrl, baseUrl, action: 'Speak', answered, receivedSeconds });
}

test('explains a missing sandbox with the command that starts it at the address of the page', () => {
  const { title, command } = explain('http://127.0.0.1:4000/playground/', 'http://127.0.0.1:4567');
  expect(title).toBe('No sandbox answers at http://127.0.0.1:4567');
  expect(command).toBe('npm run sandbox -- --port 4567');
});

test('a page from elsewhere says what a browser wants before it calls this machine', () => {
  const { steps, command, afterwards } = explain('https://docs.example/playground/', 'http://127.0.0.1:4010');
  expect(steps?.join(' ')).toMatch(/allows this page.*own network.*Safari does not/s);
  expect(command).toBe('npm run sandbox -- --port 4010 --allow-origin https://docs.example');
  expect(afterwards).toContain('npm start');
});

test('says so if the policy of the site refuses an address', () => {
  for (const address of ['http://speech.example', 'http://[::1]:4010']) {
    for (const page of ['https://docs.example/', 'http://127.0.0.1:4000/']) {
      const { title, advice, field } = explain(page, address);
      expect(title).toBe('This page calls https and this machine alone');
      expect(advice).toContain(address);
      expect(field).toBe('baseUrl');
    }
  }
  expect(explain('https://docs.example/', 'https://speech.example').title).toBe(
    'No answer from https://speech.example',
  );
});

test('a stream that broke off says how much of it there is, whatever broke it', () => {
  for (const error of [silence, new Error('cut')]) {
    const { title, advice } = explain('http://127.0.0.1:4000/', 'http://127.0.0.1:4010', error, 2.34);
    expect(title).toBe('The stream broke off after 2.3 s');
    expect(advice).toContain('plays to its end');
  }
});

test('an answer that broke off before anything of it could be used is not taken for silence', () => {
  const situation = {
    pageUrl: 'http://127.0.0.1:4000/',
    baseUrl: 'http://127.0.0.1:4010',
    action: 'Transcribe',
  };
  const { title } = explainError(silence, { ...situation, answered: true, receivedSeconds: 0 });
  expect(title).toBe('The connection broke before the answer was complete');
});
