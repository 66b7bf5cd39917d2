import {
  credit,
  type Example,
  examplesWith,
  exchange,
  failed,
  generalError,
  issue,
  refused,
  speech,
  stream,
  success,
  type Told,
} from '../exchanges.ts';
import { mp3Of, pcmOf } from '../sound.ts';

const good = () => exchange('getApiCredit', { body: credit(), expectation: success });
const mp3 = await mp3Of(1, 44_100, 128);
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const list = (details: object) => exchange('listModels', details);
const issues = (...all: readonly object[]) => list({ status: 422, body: all });
const credited = (headers: Told['headers'] & object) => exchange('getApiCredit', { body: credit(), headers });
const goodSpeech = speech({}, mp3, 'audio/mpeg');
const goodStream = stream({}, []);
/** A list request with a wrong page size, and its expected outcome. */
const wrongList = (details: object) =>
  list({
    path: '/model?page_size=0',
    expectation: { ...refused('schema'), because: 'page_size must be at least 1' },
    ...details,
  });
/** The same request, refused with an issue that should name the field. */
const wrongSize = (about: object) => ({
  ...issues(issue(about)),
  expectation: { ...refused('schema'), field: 'page_size' },
});
const tooHot = 'temperature must be at most 1';
const hotIssue = issue({ loc: ['body', 'temperature'], type: 'less_than_equal', msg: tooHot, in: undefined });
const hotSpeech = (details: object) =>
  exchange('createSpeech', {
    sent: { text: 'The tide comes in.', temperature: 2 },
    expectation: { ...refused('schema'), because: tooHot },
    ...details,
  });
const wrongKeyList = (body: object, refusal: string, because: string) =>
  list({ ...body, expectation: { ...refused(refusal), because } });

/** Issues of a synthesis have no `in`; if one is present, it must be correct. */
const wrongText = (part: { readonly in?: string }) => {
  const { in: _query, ...rest } = issue({ loc: ['body', 'text'] });
  return exchange('createSpeech', {
    name: `in ${part.in}`,
    status: 422,
    body: [{ ...rest, ...part }],
    expectation: { ...refused('schema'), field: 'text' },
  });
};

const shows = examplesWith(() => [good()]);

export const answerExamples: readonly Example[] = [
  shows('success-expected', failed('getApiCredit', 400, {}, { expectation: success })),
  shows(
    'success-expected: a refusal for lack of credit does not show whether the request is valid',
    failed('createSpeech', 500, {}, { expectation: success }),
    [good(), failed('createSpeech', 402, {}, { expectation: success })],
  ),
  shows(
    'refusal-expected',
    hotSpeech({ body: mp3, headers: { 'content-type': 'audio/mpeg' } }),
    hotSpeech({ status: 422, body: [hotIssue] }),
  ),
  shows(
    'key-checked',
    wrongKeyList({ body: { total: 0, items: [], has_more: false } }, 'key-unknown', 'no such key was issued'),
    wrongKeyList({ status: 401, body: generalError(401) }, 'key-missing', 'no key was sent'),
  ),
  shows(
    'success-status',
    [exchange('getApiCredit', { status: 202, body: credit() }), exchange('deleteModel', { status: 202 })],
    [good(), exchange('deleteModel', { body: '' })],
  ),
  shows(
    'success-status: one that the document lists beside it',
    exchange('deleteModel', { status: 204 }),
    exchange('deleteModel', { body: '' }),
    { severity: 'warning' },
  ),
  shows('status-documented', failed('getModel', 418), failed('getModel', 404)),
  shows(
    'refusal-status',
    wrongList({ status: 400, body: [issue()] }),
    wrongList({ status: 422, body: [issue()] }),
  ),
  shows(
    'server-fault',
    wrongList({ status: 500, body: generalError(500) }),
    wrongList({ status: 422, body: [issue()] }),
  ),
  shows(
    'body-complete',
    exchange('getApiCredit', { body: '{', ended: 'cut' }),
    exchange('getApiCredit', { body: '{}', headers: { 'content-length': '2' } }),
  ),
  shows(
    'body-complete: a length that is not that of the body',
    exchange('getApiCredit', { body: '{}', headers: { 'content-length': '3' } }),
    [
      exchange('getApiCredit', { body: '{}' }),
      // The recorder decoded the body and dropped its content-encoding.
      exchange('getApiCredit', { body: '{ }', headers: { 'content-length': '2' } }),
    ],
  ),
  shows(
    'body-complete: of a refusal',
    failed('listModels', 401, {}, { ended: 'cut' }),
    failed('listModels', 401),
    { severity: 'warning' },
  ),
  shows('media-type-documented', credited({ 'content-type': 'text/plain' })),
  shows(
    'media-type-documented: none at all',
    credited({ 'content-type': '' }),
    speech({}, mp3, 'application/octet-stream'),
  ),
  shows('audio-media-type', speech({}, mp3, 'audio/wav'), [
    goodSpeech,
    speech({ format: 'pcm' }, pcmOf(1, 44_100), 'audio/pcm'),
  ]),
  shows('stream-media-type', stream({}, [], { headers: { 'content-type': 'application/json' } }), goodStream),
  shows('stream-is-chunked', stream({}, [], { headers: { 'transfer-encoding': '' } }), goodStream),
  shows(
    'stream-is-chunked: a length that is known before',
    stream({}, [], { headers: { 'transfer-encoding': '', 'content-length': '0' } }),
    goodStream,
  ),
  shows('header-values', credited({ 'x-trace-id': 'trace-1' }), credited({ 'x-trace-id': traceId })),
  shows(
    'refusal-headers',
    failed('listModels', 405),
    failed('listModels', 401, {}, { headers: { 'www-authenticate': 'Bearer' } }),
  ),
  shows(
    'trace-is-continued',
    speech({}, mp3, 'audio/mpeg', {
      sentHeaders: { traceparent },
      headers: { 'x-trace-id': '1'.repeat(32) },
    }),
    [
      speech({}, mp3, 'audio/mpeg', { sentHeaders: { traceparent }, headers: { 'x-trace-id': traceId } }),
      speech({}, mp3, 'audio/mpeg', { headers: { 'x-trace-id': '1'.repeat(32) } }),
    ],
  ),
  shows(
    'trace-is-continued: a traceparent that is not valid',
    speech({}, mp3, 'audio/mpeg', {
      sentHeaders: { traceparent: `ff-${traceId}-00f067aa0ba902b7-01` },
      headers: { 'x-trace-id': traceId },
    }),
    speech({}, mp3, 'audio/mpeg', { headers: { 'x-trace-id': traceId } }),
  ),
  shows(
    'error-body-shape',
    [list({ status: 401, body: { error: 'no' } }), issues({ loc: [], type: 'x', ctx: '' })],
    [issues(issue()), failed('listModels', 401, { reason: null })],
  ),
  shows(
    'error-body-shape: nothing, text, a page of a gateway, and JSON of an operation that section 7 does not name',
    [
      ...['', 'Unauthorized', '<html></html>'].map((body) => list({ status: 401, body })),
      list({ status: 502, body: { error: 'no' } }),
      exchange('getModel', { status: 404, body: { error: 'no' } }),
    ],
    failed('listModels', 401),
    { severity: 'warning' },
  ),
  shows(
    'key-is-not-shown',
    [
      failed('listModels', 401, { message: 'a-key-of-tests is wrong' }),
      failed('listModels', 401, {}, { headers: { 'x-key': encodeURIComponent('a-key-of-tests') } }),
      failed('listModels', 401, { message: Buffer.from('Bearer a-key-of-tests').toString('base64') }),
    ],
    failed('listModels', 401),
  ),
  shows(
    'issues-name-the-field',
    [wrongSize({ loc: ['title'], in: 'query' }), wrongSize({ loc: ['page_size'], in: 'body' })],
    wrongSize({ loc: ['page_size'], in: 'query' }),
  ),
  shows('issues-name-the-field: where no part has to be named', wrongText({ in: 'query' }), [
    wrongText({}),
    wrongText({ in: 'body' }),
  ]),
  shows('error-body-status', list({ status: 401, body: generalError(400) }), failed('listModels', 401)),
  shows(
    'error-media-type',
    failed('listModels', 401, {}, { headers: { 'content-type': 'text/plain' } }),
    failed('listModels', 401),
  ),
  shows(
    'refusal-shape',
    wrongList({ status: 422, body: generalError(422) }),
    wrongList({ status: 422, body: [issue()] }),
  ),
  shows('issues-name-their-part', issues(issue({ in: undefined })), issues(issue())),
  shows('issues-are-listed', issues(), issues(issue())),
];
