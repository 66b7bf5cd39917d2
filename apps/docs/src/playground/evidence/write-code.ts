import type { Connection } from '../connection/fields.ts';
import { literal } from './write-value.ts';

/** A request as it leaves the page. The key is not in it. */
export interface PreviewedRequest {
  readonly method: string;
  readonly url: string;
  /** Header names in lower case, in the order of sending; the authorization shows its scheme alone. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Text, or the parts of a form. */
  readonly body: string | FormData;
}

/** The placeholder for the reader's own key. */
export const keyVariable = '$SPEECH_API_KEY';

/** The lines that make a client with this connection. A key of the reader's own is not written. */
export function writeClient({ baseUrl, apiKey }: Connection): string {
  const key = apiKey === sandboxKey ? literal(sandboxKey) : 'yourKey';
  return `const client = createSpeechClient({
  baseUrl: ${literal(baseUrl)},
  apiKey: ${key},
  allowBrowserKey: true, // every visitor can read it
});`;
}

/** The public key of the sandbox. It is not a secret, so samples may contain it. */
export const sandboxKey = 'sandbox-key';

/** Set for this one call or by curl itself; another call has other values. */
const ownHeaders = ['traceparent'];

/** The shell command that sends the same request. */
export function writeCurl(request: PreviewedRequest, apiKey: string): string {
  const { body } = request;
  const isForm = typeof body !== 'string';
  const headers = request.headers
    .filter(([name]) => !ownHeaders.includes(name) && !(isForm && name === 'content-type'))
    .map(([name, value]) =>
      name === 'authorization' ? `  -H "${name}: ${value}"` : `  -H ${quote(`${name}: ${value}`)}`,
    );
  const command = [`curl --no-buffer -X ${request.method} ${quote(request.url)}`, ...headers];
  if (isForm) {
    for (const [name, value] of body) {
      const isText = typeof value === 'string';
      command.push(
        isText
          ? `  --form-string ${quote(`${name}=${value}`)}`
          : `  --form ${quote(`${name}=@"${value.name.replace(/["\\]/g, '\\$&')}"`)}`,
      );
    }
  } else if (body !== '') command.push(`  --data-raw ${quote(body)}`);
  const key = apiKey === sandboxKey ? sandboxKey : '<your key>';
  return `export ${keyVariable.slice(1)}=${quote(key)}\n\n${command.join(' \\\n')}`;
}

function quote(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Characters of the audio that are shown: enough to see that it is base64. */
const shownCharacters = 24;

/** The payload of an event as JSON, the audio shortened and each segment on a line. */
export function writePayload(payload: object): string {
  const text = JSON.stringify(
    payload,
    (name, value: unknown) =>
      name === 'audio_base64' && typeof value === 'string' && value.length > shownCharacters
        ? `${value.slice(0, shownCharacters)}… (${value.length} characters)`
        : value,
    2,
  );
  return text.replace(
    /\{\s+"text": ("(?:[^"\\]|\\.)*"),\s+"start": (\S+),\s+"end": (\S+)\s+\}/g,
    '{ "text": $1, "start": $2, "end": $3 }',
  );
}
