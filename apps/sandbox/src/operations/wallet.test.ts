import { createValidator } from '@speech-api/wire';
import { expect, it } from 'vitest';
import { start } from '../testing/sandboxes.ts';

const headers = { authorization: 'Bearer sandbox-key' };

it.each([
  ['api-credit', 'ApiCredit'],
  ['package', 'Package'],
])('answers %s for self and for the own id, as the spec describes it', async (path, component) => {
  const { url } = await start();
  const own = await (await fetch(`${url}/wallet/self/${path}`, { headers })).json();
  expect(createValidator().validateComponent(component, own)).toMatchObject({ valid: true });
  expect(own).toMatchObject({ user_id: 'sandbox-user' });
  expect(await (await fetch(`${url}/wallet/sandbox-user/${path}`, { headers })).json()).toEqual(own);
});

it.each(['api-credit', 'package'])('keeps the %s of others to themselves', async (path) => {
  const { url } = await start();
  expect((await fetch(`${url}/wallet/sandbox-empty-user/${path}`, { headers })).status).toBe(403);
  expect((await fetch(`${url}/wallet/nobody/${path}`, { headers })).status).toBe(404);
});
