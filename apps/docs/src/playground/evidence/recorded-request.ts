/** A request as it left the page. The key is not in it. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  /** Header names in lower case, in the order of sending; the authorization shows its scheme alone. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** How the shell and the reader are told to put their own key in. */
export const keyVariable = '$SPEECH_API_KEY';

type Fetch = (input: Request | string, init?: RequestInit) => Promise<Response>;

/** Wraps `fetch` so that each request is shown to `record` before it is sent. */
export function recordingFetch(send: Fetch, record: (request: RecordedRequest) => void): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    record(await describeRequest(request.clone()));
    return send(request);
  };
}

async function describeRequest(request: Request): Promise<RecordedRequest> {
  return {
    method: request.method,
    url: request.url,
    headers: [...request.headers].map(([name, value]) => [
      name,
      name === 'authorization' ? value.replace(/\S+$/, keyVariable) : value,
    ]),
    body: await request.text(),
  };
}

/** The request as text, the way it is written on the wire. */
export function writeRequest(request: RecordedRequest): string {
  const url = new URL(request.url);
  const head = [
    `${request.method} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return `${head.join('\n')}\n\n${prettyJson(request.body)}`;
}

function prettyJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
