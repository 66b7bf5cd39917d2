import { ConnectionError } from '@speech-api/client';
import { expect, test } from 'vitest';
import { explainError } from './explain-error.ts';

function explain(pageUrl: string, baseUrl: string) {
  const situation = { pageUrl, baseUrl, action: 'Speak', answered: false, receivedSeconds: 0 };
  return explainError(new ConnectionError('no answer'), situation);
}

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
