import { keyVariable, type RecordedRequest } from './recorded-request.ts';

/** Everybody's key of the sandbox: no secret, so it may stand in a sample. */
export const sandboxKey = 'sandbox-key';

/**
 * The shell command that sends the same request.
 *
 * `traceparent` is left out: it names this one call, and another call is another one.
 */
export function writeCurl(request: RecordedRequest, apiKey: string): string {
  const headers = request.headers
    .filter(([name]) => name !== 'traceparent')
    .map(([name, value]) =>
      name === 'authorization' ? `  -H "${name}: ${value}"` : `  -H ${quote(`${name}: ${value}`)}`,
    );
  const command = [`curl --no-buffer -X ${request.method} ${quote(request.url)}`, ...headers];
  if (request.body !== '') command.push(`  --data-raw ${quote(request.body)}`);
  const key = apiKey === sandboxKey ? sandboxKey : '<your key>';
  return `export ${keyVariable.slice(1)}=${quote(key)}\n\n${command.join(' \\\n')}`;
}

function quote(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
