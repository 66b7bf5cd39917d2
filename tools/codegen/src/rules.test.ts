import { stripTypeScriptTypes } from 'node:module';
import type { Json, JsonObject } from '@speech-api/spec/read';
import { describe, expect, test } from 'vitest';
import { generateRules } from './rules.ts';

type Check = (request: object, model?: string) => string | undefined;

/** The generated function of one rule, compiled and loaded. */
async function checkOf(rule: JsonObject, defaults: JsonObject = {}): Promise<Check> {
  const whole = {
    id: 'tested',
    section: '2.1',
    field: '/reference_id',
    when: [],
    enforced_by: ['client', 'server'],
    message: 'no',
    ...rule,
  };
  const code = stripTypeScriptTypes(generateRules([whole], defaults));
  const { serverRules } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return (request, model = 's2-pro') => serverRules[0].check(request, model);
}

const requiring = (condition: JsonObject, defaults?: JsonObject) =>
  checkOf({ require: [condition] }, defaults);

describe('a generated rule', () => {
  test('lets a value pass that is left out or null and has no default', async () => {
    const check = await requiring({ at: '/reference_id', in: ['x'] });
    expect(check({})).toBeUndefined();
    expect(check({ reference_id: null })).toBeUndefined();
    expect(check({ reference_id: 'x' })).toBeUndefined();
    expect(check({ reference_id: 'y' })).toBe('no');
    expect(check({ reference_id: '' })).toBe('no');
  });

  test('sees the default of a field that is left out', async () => {
    const check = await requiring({ at: '/format', in: ['mp3'] }, { format: 'opus' });
    expect(check({})).toBe('no');
    expect(check({ format: null })).toBe('no');
    expect(check({ format: 'mp3' })).toBeUndefined();
  });

  test('tells the kinds of values apart', async () => {
    const kinds = ['present', 'array', 'array-of-arrays'];
    const brokenRules = async (value: unknown): Promise<string[]> => {
      const checks = kinds.map(async (is) => {
        const check = await requiring({ at: '/references', is });
        return check({ references: value }) === undefined ? [is] : [];
      });
      return (await Promise.all(checks)).flat();
    };
    expect(await brokenRules(undefined)).toEqual([]);
    expect(await brokenRules('a')).toEqual(['present']);
    expect(await brokenRules([1])).toEqual(['present', 'array']);
    expect(await brokenRules([[1]])).toEqual(['present', 'array', 'array-of-arrays']);
  });

  test('counts speakers, entries and code points', async () => {
    const tags = await requiring({ at: '/text', speaker_tags_below: '/reference_id' });
    expect(tags({ text: '<|speaker:1|>a', reference_id: ['a', 'b'] })).toBeUndefined();
    expect(tags({ text: '<|speaker:2|>a', reference_id: ['a', 'b'] })).toBe('no');
    const lengths = await requiring({ at: '/references', same_length_as: '/reference_id' });
    expect(lengths({ references: [[]], reference_id: ['a'] })).toBeUndefined();
    expect(lengths({ references: [[]], reference_id: ['a', 'b'] })).toBe('no');
    const length = await requiring({ at: '/text', code_points_at_most: 2 });
    expect(length({ text: '😀😀' })).toBeUndefined();
    expect(length({ text: '😀😀😀' })).toBe('no');
  });

  test('applies only when its conditions hold', async () => {
    const when = [{ at: 'header:model', in: ['s1'] }];
    const check = await checkOf({ when, require: [{ at: '/format', in: ['mp3'] }] });
    expect(check({ format: 'wav' }, 's1')).toBe('no');
    expect(check({ format: 'wav' }, 's2-pro')).toBeUndefined();
  });

  test('fills in its message, and takes nothing in it for code', async () => {
    const message = "`{field}` {value} is not '\\'; use {allowed}.";
    const check = await checkOf({ message, field: '/rate', require: [{ at: '/rate', in: [1, 2, 3] }] });
    expect(check({ rate: 9 })).toBe("`rate` 9 is not '\\'; use 1, 2 or 3.");
    expect(check({ rate: ['a'] })).toBe('`rate` ["a"] is not \'\\\'; use 1, 2 or 3.');
  });
});

test('a side gets the rules that it enforces', () => {
  const rule = (id: string, enforced_by: Json): JsonObject => ({
    ...{ id, section: '2.1', field: '/text', when: [], require: [], message: 'no', enforced_by },
  });
  const rules = [rule('both', ['client', 'server']), rule('servers', ['server']), rule('readers', [])];
  const code = generateRules(rules, {});
  expect(code).toContain('clientRules: readonly RequestRule[] = [both];');
  expect(code).toContain('serverRules: readonly RequestRule[] = [both, servers];');
  expect(code).not.toContain('readers');
});

test('a condition or a place that nobody has written a function for is an error', async () => {
  await expect(requiring({ at: '/text', rhymes_with: '/title' })).rejects.toThrow('rhymes_with');
  await expect(requiring({ at: '/text', is: 'absent' })).rejects.toThrow('absent');
  await expect(requiring({ at: '/prosody/speed', in: [1] })).rejects.toThrow('/prosody/speed');
});
