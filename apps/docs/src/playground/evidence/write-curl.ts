import { keyVariable, type RecordedRequest } from './recorded-request.ts';

/** Everybody's key of the sandbox: no secret, so it may stand in a sample. */
export const sandboxKey = 'sandbox-key';

/** Named for this one call or by curl itself: another call has others. */
const ownHeaders = ['traceparent'];

/** The shell command that sends the same request. */
export function writeCurl(request: RecordedRequest, apiKey: string): string {
  const { body } = request;
  const isForm = typeof body !== 'string';
  const headers = request.headers
    .filter(([name]) => !ownHeaders.includes(name) && !(isForm && name === 'content-type'))
    .map(([name, value]) =>
      name === 'authorization' ? `  -H "${name}: ${value}"` : `  -H ${quote(`${name}: ${value}`)}`,
    );
  const command = [`curl --no-buffer -X ${request.method} ${quote(request.url)}`, ...headers];
  if (isForm) {
    for (const { name, value } of body) {
      const isText = typeof value === 'string';
      command.push(
        isText
          ? `  --form-string ${quote(`${name}=${value}`)}`
          : `  --form ${quote(`${name}=@"${value.fileName}"`)}`,
      );
    }
  } else if (body !== '') command.push(`  --data-raw ${quote(body)}`);
  const key = apiKey === sandboxKey ? sandboxKey : '<your key>';
  return `export ${keyVariable.slice(1)}=${quote(key)}\n\n${command.join(' \\\n')}`;
}

function quote(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
