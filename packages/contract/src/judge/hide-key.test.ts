import { describe, expect, it } from 'vitest';
import { reportFormats, writeReport } from '../report/write-report.ts';
import { credit, generalError } from '../testing/bodies.ts';
import { exchange, refused } from '../testing/exchanges.ts';
import { hideKey, keyOf } from './hide-key.ts';
import { judge } from './judge.ts';

const key = 'sk-0123456789abcdef0123456789abcdef';

describe('a key', () => {
  it('is hidden as a whole, in the middle of words too', () => {
    expect(hideKey(`for ${key}!`, key)).toBe('for $SPEECH_API_KEY!');
    expect(hideKey(`${key}${key}`, key)).toBe('$SPEECH_API_KEY$SPEECH_API_KEY');
  });

  it('is hidden where a message has cut it off', () => {
    expect(hideKey(`"${key.slice(0, 20)}...`, key)).toBe('"$SPEECH_API_KEY...');
    expect(hideKey(`${key.slice(10)} ends`, key)).toBe('$SPEECH_API_KEY ends');
  });

  it('leaves words alone that share a few letters with it', () => {
    expect(hideKey('0123456789 is a number', key)).toBe('0123456789 is a number');
  });

  it('is none where something in its place was to be refused', () => {
    expect(
      keyOf(exchange('getApiCredit', { body: credit(), expectation: refused('key-unknown') })),
    ).toBeUndefined();
  });

  it('stands in no report, however a server says it back', async () => {
    const told = [
      exchange('getApiCredit', { body: credit({ credit: key, [key]: key, _id: 7 }) }),
      exchange('getApiCredit', { body: `${key} is wrong`, headers: { 'content-type': `text/${key}` } }),
      exchange('getModel', { path: `/model/${key}`, status: 404, body: generalError(400, { hint: key }) }),
    ];
    const sent = told.map((each) => ({
      ...each,
      request: {
        ...each.request,
        headers: { authorization: `Bearer ${key}`, cookie: 'session=a-cookie-of-somebody' },
      },
    }));
    const report = await judge(sent);
    expect(report.findings.length).toBeGreaterThan(4);
    for (const format of reportFormats) {
      const text = writeReport(format, report);
      expect(text).not.toContain(key.slice(3, 20));
      expect(text).not.toContain('a-cookie-of-somebody');
    }
    expect(writeReport('summary', report)).toContain('$SPEECH_API_KEY');
  });
});
