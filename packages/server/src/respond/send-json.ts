import type { ServerResponse } from 'node:http';
import { mediaTypes } from '@speech-api/types';

/** Sends a whole answer as JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { ...headers, 'content-type': mediaTypes.json, 'content-length': bytes.length });
  response.end(bytes);
}
