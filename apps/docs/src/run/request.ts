import { mediaTypes } from '@speech-api/types/constants';

type Pair = readonly [name: string, value: string];

/** The request of an operation, without its key: what Run sends, and what the samples show. */
export interface ApiRequest {
  readonly method: string;
  /** With its query, such as `/model?page_size=5`. */
  readonly path: string;
  readonly headers: readonly Pair[];
  /** The text of the body, as it was edited; it is JSON unless the reader made a mistake. */
  readonly json: string | undefined;
  /** The parts of a form that are text. */
  readonly parts: readonly Pair[];
  /** The parts of a form that are files, by the names of the files. */
  readonly files: readonly Pair[];
}

/** The header that asks the sandbox for a refusal. */
export const faultHeader = 'x-speech-fault';

/** Whether the JSON of the body is encoded as MessagePack before it is sent. */
export function isPacked({ headers }: ApiRequest): boolean {
  return headers.some(([name, value]) => isContentType(name) && value === mediaTypes.msgpack);
}

export const isContentType = (name: string): boolean => name.toLowerCase() === 'content-type';

/** Reads the request out of the fields of a page, without what was left empty. */
export function readRequest(root: HTMLElement): ApiRequest {
  const fields = (name: string) => [...root.querySelectorAll<HTMLInputElement>(`[data-${name}]`)];
  const pairs = (name: string, textOf = ({ value }: HTMLInputElement): string => value): Pair[] =>
    fields(name)
      .map((field): Pair => [field.dataset[name] ?? '', textOf(field)])
      .filter(([, value]) => value !== '');
  const [status = ''] = fields('status').map(({ value }) => value);
  return {
    method: root.dataset.method ?? 'GET',
    path: fields('path')[0]?.value.trim() ?? '/',
    headers: [...pairs('header'), ...(status === '' ? [] : [[faultHeader, `status=${status}`] as const])],
    json: fields('json')[0]?.value,
    parts: pairs('part'),
    files: pairs('file', ({ files, dataset }) => files?.[0]?.name ?? dataset.example ?? ''),
  };
}

/** The value of a text that is JSON; undefined for any other. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
