import { expect, test } from 'vitest';
import { ask, type Index } from './ask.ts';

/** Finds the page of errors for every word. */
const index: Index = {
  search: async () => ({
    results: [{ id: 'errors', score: 1, data: async () => ({ url: '/errors/' }) }],
  }),
};

async function firstAddress(question: string): Promise<string | undefined> {
  const { results } = await ask(index, [], { '429': 'toomanyrequestserror' }, question);
  return (await results[0]?.data())?.url;
}

test('only a word that has an entry leads to one', async () => {
  expect(await firstAddress('status 429')).toBe('/errors/#toomanyrequestserror');
  for (const word of ['constructor', 'toString', '__proto__'])
    expect(await firstAddress(word)).toBe('/errors/');
});
