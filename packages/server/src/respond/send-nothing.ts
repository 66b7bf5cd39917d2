import type { ServerResponse } from 'node:http';

/** Answers that it is done: 200 with an empty body (section 4.4, the choice for its blanks). */
export function sendNothing(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 0 });
  response.end();
}
