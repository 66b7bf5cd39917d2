import { type Answer, bytesAnswer, emptyAnswer, jsonAnswer, Refusal, rangeAnswer } from './answer.ts';
import type { CallLog } from './call-log.ts';
import type { IncomingRequest } from './receive.ts';

/** Path of a server's calls. No path of the interface begins like this. */
export const callsPath = '/__calls';
const audioPath = /^\/__calls\/(\d{1,15})\/audio$/;

export interface CallPages {
  /** Name of the server in messages: `mock`, `sandbox`. */
  readonly name: string;
  readonly log: CallLog;
  /** A key that the server accepts. */
  readonly exampleKey: string;
}

/**
 * Answers `/`, a page of the calls, and what it shows. `GET /__calls` reports the calls, `DELETE` forgets them: for tests that
 * are not written in JavaScript.
 *
 * @param check whether the sender may see the pages of this server
 * @returns undefined if the request is for none of them
 * @throws Refusal of `check`, or `not-found` for audio that is not kept
 */
export function answerCallPage(
  { name, log, exampleKey }: CallPages,
  { method, url, headers }: IncomingRequest,
  check: () => void,
): Answer | undefined {
  const [path = '', query] = url.split('?');
  const isRead = method === 'GET' || method === 'HEAD';
  if (path === callsPath) {
    check();
    if (method === 'DELETE') {
      log.clear();
      return emptyAnswer();
    }
    if (isRead) return jsonAnswer(200, log.report(latestOf(query)), fresh);
    const message = `${callsPath} has GET and DELETE.`;
    return jsonAnswer(405, { status: 405, message }, { allow: 'GET, DELETE' });
  }
  const audio = audioPath.exec(path);
  const example = tryIt(`http://${headers.host}`, exampleKey).join('\n').replaceAll('<', '&lt;');
  const text = textOf(path, () => pageOf(`Speech ${name}`, example));
  if (!isRead || (audio === null && text === undefined)) return undefined;
  check();
  if (text !== undefined) {
    const [type, content] = text;
    return bytesAnswer(200, Buffer.from(content), {
      ...safe,
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
    });
  }
  const call = log.calls.find(({ id }) => id === Number(audio?.[1]));
  const file = call?.playable();
  if (file === undefined) {
    const message = 'The audio of this call is not kept; record bodies to keep it.';
    throw new Refusal('not-found', { message });
  }
  return rangeAnswer(headers.range, file, fresh);
}

const safe = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
const fresh = { ...safe, 'cache-control': 'no-store' };

function latestOf(query: string | undefined): number | undefined {
  const latest = new URLSearchParams(query).get('latest');
  return latest !== null && /^[1-9]\d{0,8}$/.test(latest) ? Number(latest) : undefined;
}

function textOf(path: string, page: () => string): readonly [type: string, content: string] | undefined {
  if (path === '/') return ['text/html', page()];
  if (path === `${callsPath}/page.css`) return ['text/css', pageStyle];
  if (path === `${callsPath}/page.js`) return ['text/javascript', pageScript];
  return undefined;
}

/** A command that speaks, ready to be copied: two lines of one command. */
export function tryIt(url: string, key: string): string[] {
  return [
    `curl ${url}/v1/tts -H 'authorization: Bearer ${key}' -H 'model: s2-pro' \\`,
    `  -H 'content-type: application/json' -d '{"text":"Hello."}' --output hello.mp3`,
  ];
}

/** Nothing but the page's own files may run, and nobody may frame it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "media-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page of a server's calls, which loads its style and its script: nothing may run inline. */
const pageOf = (title: string, example: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/__calls/page.css">
<script src="/__calls/page.js" type="module"></script>
</head>
<body>
<h1>${title}</h1>
<p><span role="status">The calls are at <a href="/__calls">/__calls</a>.</span> <button type="button">Pause</button></p>
<p>Make a call, and see it here:</p>
<pre>${example}</pre>
<ol reversed></ol>
</body>
</html>
`;

const pageStyle = `:root {
  color-scheme: light dark;
  --bad: light-dark(#a8201a, #ff9d95);
}
body {
  max-width: 60rem;
  margin: 1rem auto;
  padding: 0 1rem;
  font: 1rem / 1.5 system-ui, sans-serif;
}
button {
  min-height: 2.75rem;
  padding: 0 1rem;
  font: inherit;
}
pre, li {
  padding: 0.75rem;
  border: 1px solid light-dark(#dcdcd6, #343a44);
  border-radius: 0.5rem;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}
ol {
  padding: 0;
  list-style: none;
}
li {
  margin-top: 0.75rem;
}
.bad {
  color: var(--bad);
}
audio {
  display: block;
  width: 100%;
}
`;

const pageScript = `// An item is changed in place, so that what plays goes on playing.
const list = document.querySelector('ol');
const status = document.querySelector('[role=status]');
const button = document.querySelector('button');
const items = new Map();
let isPaused = false;

button.addEventListener('click', () => {
  isPaused = !isPaused;
  button.textContent = isPaused ? 'Resume' : 'Pause';
});
setInterval(refresh, 2000);
refresh();

async function refresh() {
  if (isPaused || document.hidden) return;
  const response = await fetch('/__calls?latest=100').catch(() => undefined);
  if (!response?.ok) return put(status, 'The server does not answer.');
  const { calls } = await response.json();
  for (const [id, item] of items) {
    if (calls.some((call) => call.id === id)) continue;
    item.remove();
    items.delete(id);
  }
  for (const call of calls) show(call);
  put(status, calls.length === 1 ? '1 call.' : calls.length + ' calls.');
}

function show(call) {
  const item = items.get(call.id) ?? document.createElement('li');
  if (!items.has(call.id)) {
    item.append(document.createElement('strong'), document.createElement('div'));
    list.prepend(item);
    items.set(call.id, item);
  }
  const [line, reasons] = item.children;
  const milliseconds = call.milliseconds === undefined ? '' : call.milliseconds + ' ms';
  const state = call.state === 'complete' ? '' : call.state;
  const time = new Date(call.at).toLocaleTimeString();
  put(line, [call.method, call.path, call.status, state, milliseconds, time].filter(Boolean).join(' '));
  line.className = call.state === 'cut' || call.status >= 400 ? 'bad' : '';
  const violations = call.violations.map(({ rule, loc, message }) => rule + ' ' + loc.join('.') + ': ' + message);
  const text = call.sent?.body?.text;
  put(reasons, [text, ...violations, call.message].filter(Boolean).join('\\n'));
  const player = item.querySelector('audio');
  if (call.audio?.kept && call.state !== 'under way' && !player) item.append(playerOf(call));
  if (!call.audio?.kept && player?.paused) player.remove();
}

function playerOf({ id, path }) {
  const player = new Audio('/__calls/' + id + '/audio');
  Object.assign(player, { controls: true, preload: 'none', ariaLabel: 'Audio of ' + path });
  return player;
}

function put(node, words) {
  if (node.textContent !== words) node.textContent = words;
}
`;
