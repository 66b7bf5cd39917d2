import type { IncomingMessage } from 'node:http';
import type { Headers } from '../../exchange/http-exchange.ts';

/** The headers as they came, by lower-case name; several of one name are joined by `, `. */
export function headersOf(response: IncomingMessage | undefined): Headers {
  const headers: Record<string, string> = {};
  const raw = response?.rawHeaders ?? [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}
