/** The page of a server's calls, which loads its style and its script: nothing may run inline. */
export const pageOf = (title: string, example: string): string => `<!doctype html>
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

export const pageStyle = `:root {
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

export const pageScript = `// An item is changed in place, so that what plays goes on playing.
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
