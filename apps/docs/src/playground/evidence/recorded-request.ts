/** A part of a form: a value, or a file that is described and not shown. */
export interface RecordedPart {
  readonly name: string;
  readonly value: string | { readonly fileName: string; readonly type: string; readonly bytes: number };
}

/** A request as it left the page. The key is not in it. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  /** Header names in lower case, in the order of sending; the authorization shows its scheme alone. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Text, or the parts of a form. */
  readonly body: string | readonly RecordedPart[];
}

/** How the shell and the reader are told to put their own key in. */
export const keyVariable = '$SPEECH_API_KEY';

type Fetch = (input: Request | string, init?: RequestInit) => Promise<Response>;

/** Wraps `fetch` so that each request is shown to `record` before it is sent. */
export function recordingFetch(send: Fetch, record: (request: RecordedRequest) => void): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    // A form is described by itself: reading it back from a copy of the request would hold the file twice.
    record(await describeRequest(request, init?.body instanceof FormData ? init.body : undefined));
    return send(request);
  };
}

async function describeRequest(request: Request, form: FormData | undefined): Promise<RecordedRequest> {
  const type = request.headers.get('content-type') ?? '';
  const isForm = form !== undefined || type.startsWith('multipart/form-data');
  return {
    method: request.method,
    url: request.url,
    headers: [...request.headers].map(([name, value]) => [
      name,
      name === 'authorization' ? value.replace(/\S+$/, keyVariable) : value,
    ]),
    body: isForm ? partsOf(form ?? (await request.clone().formData())) : await request.clone().text(),
  };
}

function partsOf(form: FormData): RecordedPart[] {
  return [...form].map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : { fileName: value.name, type: value.type, bytes: value.size },
  }));
}

/** The request as text, the way it is written on the wire. */
export function writeRequest(request: RecordedRequest): string {
  const url = new URL(request.url);
  const head = [
    `${request.method} ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const { body } = request;
  return `${head.join('\n')}\n\n${typeof body === 'string' ? prettyJson(body) : body.map(writePart).join('\n\n')}`;
}

function writePart({ name, value }: RecordedPart): string {
  if (typeof value === 'string') return `[${name}]\n${value}`;
  return `[${name}; filename="${value.fileName}"; ${value.type}]\n(${value.bytes} bytes)`;
}

function prettyJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
