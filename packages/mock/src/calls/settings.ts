import type { ReceivedCall } from '@speech-api/server';
import { headerNames } from '@speech-api/types';

/** Settings whose strings are one of a list, or a name that says nothing about anybody. An allow-list: all else stays out. */
const plainStrings = new Set([
  'format',
  'latency',
  'type',
  'train_mode',
  'visibility',
  'sort_by',
  'language',
]);

type Settings = Record<string, number | boolean | string | null>;

/** What a log may show of a request. */
export function settingsOf({ headers, query, body }: ReceivedCall): Settings {
  const model = headers[headerNames.model];
  return { ...(model === undefined ? {} : { model: model.slice(0, 60) }), ...plain(query), ...plain(body) };
}

function plain(values: unknown): Settings {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return {};
  const kept: Settings = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) kept[name] = value;
    else if (typeof value === 'string' && plainStrings.has(name)) kept[name] = value.slice(0, 60);
  }
  return kept;
}
