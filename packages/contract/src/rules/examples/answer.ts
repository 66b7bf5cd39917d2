import {
  credit,
  type Example,
  exchange,
  generalError,
  issue,
  refused,
  speech,
  stream,
  success,
} from '../../testing/exchanges.ts';
import { mp3Of, pcmOf } from '../../testing/sound.ts';

const good = () => exchange('getApiCredit', { body: credit(), expectation: success });
const mp3 = await mp3Of(1, 44_100, 128);
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const list = (told: object) => exchange('listModels', told);

/** Issues of a synthesis have no `in`; one that is there all the same has to be right. */
const wrongText = (part: { readonly in?: string }) => {
  const { in: _query, ...rest } = issue({ loc: ['body', 'text'] });
  return exchange('createSpeech', {
    name: `in ${part.in}`,
    status: 422,
    body: [{ ...rest, ...part }],
    expectation: { ...refused('schema'), field: 'text' },
  });
};

export const answerExamples: readonly Example[] = [
  {
    rule: 'success-expected',
    keeps: [good()],
    breaks: [exchange('getApiCredit', { status: 404, body: generalError(404), expectation: success })],
  },
  {
    rule: 'success-expected',
    about: 'a refusal for lack of credit does not show whether the request is valid',
    keeps: [good(), exchange('createSpeech', { status: 402, body: generalError(402), expectation: success })],
    breaks: [exchange('createSpeech', { status: 500, body: generalError(500), expectation: success })],
  },
  {
    rule: 'refusal-expected',
    keeps: [list({ status: 422, body: [issue()], expectation: refused('schema') })],
    breaks: [list({ body: { total: 0, items: [], has_more: false }, expectation: refused('schema') })],
  },
  {
    rule: 'key-checked',
    keeps: [list({ status: 401, body: generalError(401), expectation: refused('key-missing') })],
    breaks: [list({ body: { total: 0, items: [], has_more: false }, expectation: refused('key-unknown') })],
  },
  {
    rule: 'success-status',
    keeps: [good(), exchange('deleteModel', { body: '' })],
    breaks: [
      exchange('getApiCredit', { status: 202, body: credit() }),
      exchange('deleteModel', { status: 204, body: '' }),
    ],
  },
  {
    rule: 'status-documented',
    keeps: [exchange('getModel', { status: 404, body: generalError(404) })],
    breaks: [exchange('getModel', { status: 418, body: generalError(418) })],
  },
  {
    rule: 'refusal-status',
    keeps: [list({ status: 422, body: [issue()], expectation: refused('schema') })],
    breaks: [list({ status: 400, body: [issue()], expectation: refused('schema') })],
  },
  {
    rule: 'server-fault',
    keeps: [list({ status: 422, body: [issue()], expectation: refused('schema') })],
    breaks: [list({ status: 500, body: generalError(500), expectation: refused('schema') })],
  },
  {
    rule: 'body-complete',
    keeps: [exchange('getApiCredit', { body: '{}', headers: { 'content-length': '2' } })],
    breaks: [exchange('getApiCredit', { body: '{', ended: 'cut' })],
  },
  {
    rule: 'body-complete',
    about: 'a length that is not that of the body',
    keeps: [exchange('getApiCredit', { body: '{}' })],
    breaks: [exchange('getApiCredit', { body: '{}', headers: { 'content-length': '3' } })],
  },
  {
    rule: 'media-type-documented',
    keeps: [good()],
    breaks: [exchange('getApiCredit', { body: credit(), headers: { 'content-type': 'text/plain' } })],
  },
  {
    rule: 'media-type-documented',
    about: 'none at all',
    keeps: [speech({}, mp3, 'application/octet-stream')],
    breaks: [exchange('getApiCredit', { body: credit(), headers: { 'content-type': '' } })],
  },
  {
    rule: 'audio-is-not-text',
    keeps: [speech({}, mp3, 'audio/mpeg')],
    breaks: [speech({}, mp3, 'application/json')],
  },
  {
    rule: 'audio-media-type',
    keeps: [speech({}, mp3, 'audio/mpeg'), speech({ format: 'pcm' }, pcmOf(1, 44_100), 'audio/pcm')],
    breaks: [speech({}, mp3, 'audio/wav')],
  },
  {
    rule: 'stream-media-type',
    keeps: [stream({}, [])],
    breaks: [stream({}, [], { headers: { 'content-type': 'application/json' } })],
  },
  {
    rule: 'stream-is-chunked',
    keeps: [stream({}, [])],
    breaks: [stream({}, [], { headers: { 'transfer-encoding': '' } })],
  },
  {
    rule: 'stream-is-chunked',
    about: 'a length that is known before',
    keeps: [stream({}, [])],
    breaks: [stream({}, [], { headers: { 'transfer-encoding': '', 'content-length': '0' } })],
  },
  {
    rule: 'audio-is-delivered-while-made',
    keeps: [speech({}, mp3, 'audio/mpeg')],
    breaks: [
      speech({}, mp3, 'audio/mpeg', {
        headers: { 'transfer-encoding': '', 'content-length': String(mp3.length) },
      }),
    ],
  },
  {
    rule: 'header-values',
    keeps: [exchange('getApiCredit', { body: credit(), headers: { 'x-trace-id': traceId } })],
    breaks: [exchange('getApiCredit', { body: credit(), headers: { 'x-trace-id': 'trace-1' } })],
  },
  {
    rule: 'refusal-headers',
    keeps: [list({ status: 401, body: generalError(401), headers: { 'www-authenticate': 'Bearer' } })],
    breaks: [list({ status: 405, body: generalError(405) })],
  },
  {
    rule: 'trace-is-continued',
    keeps: [
      speech({}, mp3, 'audio/mpeg', { sentHeaders: { traceparent }, headers: { 'x-trace-id': traceId } }),
      speech({}, mp3, 'audio/mpeg', { headers: { 'x-trace-id': '1'.repeat(32) } }),
    ],
    breaks: [
      speech({}, mp3, 'audio/mpeg', {
        sentHeaders: { traceparent },
        headers: { 'x-trace-id': '1'.repeat(32) },
      }),
    ],
  },
  {
    rule: 'trace-is-continued',
    about: 'a traceparent that is not valid',
    keeps: [speech({}, mp3, 'audio/mpeg', { headers: { 'x-trace-id': traceId } })],
    breaks: [
      speech({}, mp3, 'audio/mpeg', {
        sentHeaders: { traceparent: `ff-${traceId}-00f067aa0ba902b7-01` },
        headers: { 'x-trace-id': traceId },
      }),
    ],
  },
  {
    rule: 'error-body-shape',
    keeps: [
      list({ status: 422, body: [issue()] }),
      list({ status: 401, body: generalError(401, { reason: null }) }),
    ],
    breaks: [list({ status: 401, body: { error: 'no' } })],
  },
  {
    rule: 'error-body-shape',
    about: 'nothing, an issue without its message',
    keeps: [list({ status: 401, body: generalError(401) })],
    breaks: [list({ status: 401, body: '' }), list({ status: 422, body: [{ loc: [], type: 'x', ctx: '' }] })],
  },
  {
    rule: 'error-body-shape',
    about: 'a page of a gateway',
    severity: 'warning',
    keeps: [list({ status: 502, body: generalError(502) })],
    breaks: [list({ status: 502, body: '<html></html>', headers: { 'content-type': 'text/html' } })],
  },
  {
    rule: 'key-is-not-shown',
    keeps: [list({ status: 401, body: generalError(401) })],
    breaks: [
      list({ status: 401, body: generalError(401, { message: 'a-key-of-tests is wrong' }) }),
      list({
        status: 401,
        body: generalError(401),
        headers: { 'x-key': encodeURIComponent('a-key-of-tests') },
      }),
      list({
        status: 401,
        body: generalError(401, { message: Buffer.from('Bearer a-key-of-tests').toString('base64') }),
      }),
    ],
  },
  {
    rule: 'issues-name-the-field',
    keeps: [
      list({
        status: 422,
        body: [issue({ loc: ['page_size'], in: 'query' })],
        expectation: { ...refused('schema'), field: 'page_size' },
      }),
    ],
    breaks: [
      list({
        status: 422,
        body: [issue({ loc: ['title'], in: 'query' })],
        expectation: { ...refused('schema'), field: 'page_size' },
      }),
      list({
        status: 422,
        body: [issue({ loc: ['page_size'], in: 'body' })],
        expectation: { ...refused('schema'), field: 'page_size' },
      }),
    ],
  },
  {
    rule: 'issues-name-the-field',
    about: 'where no part has to be named',
    keeps: [wrongText({}), wrongText({ in: 'body' })],
    breaks: [wrongText({ in: 'query' })],
  },
  {
    rule: 'error-body-status',
    keeps: [list({ status: 401, body: generalError(401) })],
    breaks: [list({ status: 401, body: generalError(400) })],
  },
  {
    rule: 'error-media-type',
    keeps: [list({ status: 401, body: generalError(401) })],
    breaks: [list({ status: 401, body: generalError(401), headers: { 'content-type': 'text/plain' } })],
  },
  {
    rule: 'refusal-shape',
    keeps: [list({ status: 422, body: [issue()], expectation: refused('schema') })],
    breaks: [list({ status: 422, body: generalError(422), expectation: refused('schema') })],
  },
  {
    rule: 'issues-name-their-part',
    keeps: [list({ status: 422, body: [issue()] })],
    breaks: [list({ status: 422, body: [issue({ in: undefined })] })],
  },
  {
    rule: 'issues-are-listed',
    keeps: [list({ status: 422, body: [issue()] })],
    breaks: [list({ status: 422, body: [] })],
  },
];
