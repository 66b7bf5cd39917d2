import { audioFormats, defaultModel, mediaTypes } from '@speech-api/types/constants';
import { formatJson } from '../reference/format-json.ts';
import { type ApiRequest, isContentType, isPacked, parseJson } from './request.ts';

/** A sample of the specification, split where its request is: in its place comes the request as it is edited. */
export interface SampleTemplate {
  readonly language: string;
  readonly before: string;
  readonly after: string;
}

/** Schema types of the fields that a query or a form has as text. */
export type FieldTypes = Readonly<Record<string, string>>;

/** Writes the program that sends this request, with the key as a variable. */
export function writeSample(template: SampleTemplate, request: ApiRequest, types: FieldTypes): string {
  const comment = template.language === 'ts' ? '//' : '#';
  const path = normalPath(request.path);
  if (path === undefined) return `${comment} The path is not complete yet.`;
  const value = parseJson(request.json ?? '');
  if (request.json !== undefined && value === undefined) return `${comment} The body is not JSON yet.`;
  const write = { sh: writeCurl, python: writePython }[template.language] ?? writeTypeScript;
  const text = write(template, { ...request, path }, value, types);
  const { format } = Object(value) as { format?: unknown };
  const isFormat = audioFormats.some((name) => name === format);
  // The saved file is called by its format.
  return isFormat ? text.replaceAll(/speech\.(mp3|wav|pcm|opus)\b/g, `speech.${format}`) : text;
}

/** A path as a browser sends it; undefined while half of it is typed, such as `/model/%2`. */
function normalPath(path: string): string | undefined {
  try {
    const { pathname, search } = new URL(path, 'http://localhost');
    // It throws for half an escape. A minifier drops a call whose result is unused.
    return decodeURIComponent(pathname) && pathname + search;
  } catch {
    return undefined;
  }
}

function writeCurl({ before, after }: SampleTemplate, request: ApiRequest): string {
  const { method, path, headers, json, parts, files } = request;
  const hasBody = json !== undefined || files.length > 0;
  const packed = isPacked(request);
  const lines = [
    `"$SPEECH_BASE_URL${path.replaceAll(/["$`\\]/g, '\\$&')}"`,
    '--header "Authorization: Bearer $SPEECH_API_KEY"',
    ...headers.map(([name, text]) => `--header ${shellQuote(`${name}: ${text}`)}`),
    ...files.map(([name, file]) => `--form ${shellQuote(`${name}=@${file}`)}`),
    ...parts.map(([name, text]) => `--form-string ${shellQuote(`${name}=${text}`)}`),
    ...(packed
      ? ['--data-binary @-']
      : json === undefined
        ? []
        : [`--data-raw ${shellQuote(json.replaceAll('\n', '\n  '))}`]),
    ...(after === '' ? [] : [after]),
  ];
  const options = [
    ...(method === (hasBody ? 'POST' : 'GET') ? [] : [`--request ${method}`]),
    ...(/[[\]{}]/.test(path) ? ['--globoff'] : []),
  ];
  const command = [[before, ...options].join(' '), ...lines].join(' \\\n  ');
  return packed ? `${packedInShell(json ?? '')} |\n${command}` : command;
}

/** The encoder is the one of Python: no encoder comes with a shell. */
const packedInShell = (json: string): string => `# Encoder: python3 -m pip install msgpack
printf '%s' ${shellQuote(json)} |
python3 -c '
import json, msgpack, sys
sys.stdout.buffer.write(msgpack.packb(json.load(sys.stdin)))
'`;

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function writePython({ before, after }: SampleTemplate, request: ApiRequest, value: unknown): string {
  const { path, headers, json, parts, files } = request;
  const packed = isPacked(request);
  const [, base = ''] = /( *)[^\n]*\($/.exec(before) ?? [];
  const indent = `${base}    `;
  // requests names the media type of JSON itself.
  const sentHeaders = headers.filter(([name]) => json === undefined || packed || !isContentType(name));
  const options = {
    headers: { Authorization: `${codeMark}f"Bearer {api_key}"`, ...Object.fromEntries(sentHeaders) },
    ...(json !== undefined && !packed && { json: value }),
    ...(packed && { data: `${codeMark}msgpack.packb(${literal(value, 'python', indent)})` }),
    ...(files.length > 0 && { files: files.map(([name]) => [name, `${codeMark}file`]) }),
    ...(parts.length > 0 && { data: parts }),
  };
  const lines = Object.entries(options).map(
    ([name, option]) => `${name}=${literal(option, 'python', indent)},`,
  );
  const address = `f${JSON.stringify(path).replaceAll(/[{}]/g, '$&$&').replace('"', '"{base_url}')},`;
  const start = (
    packed ? before.replace('import requests', 'import msgpack\nimport requests') : before
  ).replace(/open\("[^"]*"/, `open(${JSON.stringify(files[0]?.[1])}`);
  return `${start}\n${[address, ...lines].map((line) => `${indent}${line}\n`).join('')}${after}`;
}

function writeTypeScript(
  { before, after }: SampleTemplate,
  request: ApiRequest,
  value: unknown,
  types: FieldTypes,
): string {
  const { pathname, searchParams } = new URL(request.path, 'http://localhost');
  const [, id] = /^\/model\/([^/]+)/.exec(pathname) ?? [];
  const [, base = ''] = /( *)[^\n]*\($/.exec(before) ?? [];
  const { model, ...headers } = Object.fromEntries(request.headers.filter(([name]) => !isContentType(name)));
  const isUpdate = request.method === 'PATCH';
  const options = {
    ...(model !== undefined && model !== defaultModel && { model }),
    ...(isPacked(request) && isUpdate && { contentType: mediaTypes.msgpack }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
  const fields = request.json === undefined ? typedFields(request, searchParams, types) : value;
  const hasFields = request.json !== undefined || Object.keys(Object(fields)).length > 0;
  const args = [
    ...(id === undefined ? [] : [decodeURIComponent(id)]),
    ...(hasFields ? [fields] : []),
    ...(Object.keys(options).length > 0 ? [options] : []),
  ].map((argument) => literal(argument, 'ts', base));
  const note = '// The client chooses MessagePack by itself, for a body with bytes; this one goes as JSON.\n';
  const start = isPacked(request) && !isUpdate ? before.replace(/.*$/, `${note}$&`) : before;
  return `${start}${args.join(', ')}${after}`;
}

/** The fields of a query or a form, with the types that the client takes. */
function typedFields(
  { files, parts }: ApiRequest,
  query: URLSearchParams,
  types: FieldTypes,
): Record<string, unknown> {
  const typed = (name: string, text: string): unknown =>
    /^(integer|number|boolean)/.test(types[name] ?? '') ? (parseJson(text) ?? text) : text;
  const fields = new Map<string, unknown[]>();
  const add = (name: string, value: unknown) => fields.set(name, [...(fields.get(name) ?? []), value]);
  for (const [name, file] of files) add(name, `${codeMark}await openAudioFile(${singleQuoted(file)})`);
  for (const [name, text] of [...parts, ...query]) add(name, typed(name, text));
  return Object.fromEntries(
    [...fields].map(([name, values]) => {
      const isList = types[name]?.includes('array') || values.length > 1;
      return [name, isList ? values : values[0]];
    }),
  );
}

/** Marks a text that is written as code; any other text is written as a string, in quotes. */
const codeMark = '\u0001';
const pythonWords: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A value in the syntax of a language: JSON, with the keys, the quotes and the words of the language. */
function literal(value: unknown, language: 'ts' | 'python', indent: string): string {
  const tokens = /("(?:[^"\\]|\\.)*")(:?)|true|false|null/g;
  return formatJson(value, indent).replaceAll(tokens, (token, json?: string, colon = '') => {
    if (json === undefined) return (language === 'python' && pythonWords[token]) || token;
    const text: string = JSON.parse(json);
    if (text.startsWith(codeMark)) return text.slice(codeMark.length);
    if (language === 'python') return token;
    const isBare = colon !== '' && /^[A-Za-z_]\w*$/.test(text);
    return `${isBare ? text : singleQuoted(text)}${colon}`;
  });
}

function singleQuoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll(/\\.|'/g, (piece) => ({ '\\"': '"', "'": "\\'" })[piece] ?? piece)}'`;
}
