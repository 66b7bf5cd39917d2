// Shows the recent calls. An entry is changed in place and never made anew, so that what plays goes on playing.

const refreshMilliseconds = 2000;
const list = document.getElementById('calls');
const news = document.getElementById('news');
const hold = document.getElementById('hold');
const entries = new Map();
let held = false;

hold.addEventListener('click', () => {
  held = !held;
  hold.textContent = held ? 'Resume' : 'Pause';
  if (!held) refresh();
});
document.addEventListener('visibilitychange', refresh);
document.getElementById('example').textContent = [
  `curl ${location.origin}/v1/tts -H 'authorization: Bearer sandbox-key' -H 'model: s2-pro' \\`,
  `  -H 'content-type: application/json' -d '{"text":"Hello."}' --output hello.mp3`,
].join('\n');
setInterval(refresh, refreshMilliseconds);
refresh();

async function refresh() {
  if (held || document.hidden) return;
  try {
    const response = await fetch('requests');
    const { version, requests } = await response.json();
    document.getElementById('version').textContent = `Version ${version}.`;
    show(requests);
  } catch {
    say('The sandbox does not answer. This page goes on by itself when it is back.');
  }
}

function show(calls) {
  const known = new Set(calls.map((call) => call.id));
  for (const [id, entry] of entries) {
    if (known.has(id)) continue;
    entry.item.remove();
    entries.delete(id);
  }
  // From the oldest on, so that each new one is put on top.
  for (const call of calls.toReversed()) {
    if (!entries.has(call.id)) {
      const entry = makeEntry();
      entries.set(call.id, entry);
      list.prepend(entry.item);
    }
    fill(entries.get(call.id), call);
  }
  document.getElementById('empty').hidden = calls.length > 0;
  say(calls.length === 0 ? 'Waiting for calls.' : calls.length === 1 ? '1 call' : `${calls.length} calls`);
}

/** The same words again would be read out again. */
function say(words) {
  if (news.textContent !== words) news.textContent = words;
}

function makeEntry() {
  const item = element('li');
  const parts = {
    item,
    line: element('div', 'line'),
    name: element('h2'),
    status: element('span', 'status'),
    took: element('span', 'quiet'),
    time: element('time'),
    speech: element('p', 'quiet'),
    text: element('blockquote'),
    message: element('p'),
    trace: element('p', 'quiet trace'),
    audio: undefined,
  };
  parts.line.append(parts.name, parts.status, parts.took, parts.time);
  item.append(parts.line, parts.speech, parts.text, parts.message, parts.trace);
  return parts;
}

function fill(entry, call) {
  put(entry.name, `${call.method} ${call.path}`);
  put(entry.status, statusWords(call));
  entry.status.dataset.kind = kindOf(call);
  put(entry.took, call.milliseconds === undefined ? '' : `${call.milliseconds} ms`);
  put(entry.time, new Date(call.at).toLocaleTimeString());
  entry.time.dateTime = call.at;
  put(entry.speech, call.speech ? speechWords(call.speech) : '');
  put(entry.text, call.speech?.text ?? '');
  put(entry.message, call.message ?? '');
  put(entry.trace, `Trace ${call.trace_id}`);
  if (entry.audio === undefined && call.speech?.audio_kept && call.state !== 'under way')
    addAudio(entry, call);
  else if (entry.audio?.paused && call.speech?.audio_kept === false) {
    entry.audio.remove();
    entry.audio = undefined;
  }
}

function addAudio(entry, call) {
  entry.audio = element('audio');
  entry.audio.controls = true;
  entry.audio.preload = 'none';
  entry.audio.src = `requests/${call.id}/audio`;
  entry.audio.setAttribute('aria-label', `Audio of the call at ${entry.time.textContent}`);
  entry.trace.before(entry.audio);
}

function statusWords({ state, status }) {
  if (state === 'under way') return status === undefined ? 'under way' : `${status}, under way`;
  if (state === 'cut') return status === undefined ? 'left by the caller' : `${status}, cut off`;
  return String(status);
}

function kindOf({ state, status }) {
  if (state === 'under way') return 'waiting';
  return state === 'complete' && status < 400 ? 'good' : 'bad';
}

function speechWords(speech) {
  const kilobytes = (speech.audio_bytes / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 });
  const words = [
    speech.model,
    `${speech.format} at ${speech.sample_rate} Hz`,
    `latency ${speech.latency}`,
    `${speech.text_code_points} characters`,
    `${kilobytes} kB of audio${speech.audio_kept || speech.audio_bytes === 0 ? '' : ', not kept'}`,
  ];
  return words.join(' · ');
}

function put(node, words) {
  if (node.textContent !== words) node.textContent = words;
  node.hidden = words === '';
}

function element(name, className = '') {
  const made = document.createElement(name);
  made.className = className;
  return made;
}
