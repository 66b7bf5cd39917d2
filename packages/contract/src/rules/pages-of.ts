import { isObject, type JsonObject } from '../specification/document.ts';
import type { ExchangeGroup } from '../subjects/exchange-group.ts';
import { jsonObject } from './json-object.ts';

/** One page of a list. */
export interface Page {
  readonly name: string;
  readonly items: readonly JsonObject[];
  readonly total: unknown;
  readonly hasMore: unknown;
}

/** The pages of a list in order; `undefined` when the group is no list or one of its pages can't be read. */
export function pagesOf({ relation, members }: ExchangeGroup): readonly Page[] | undefined {
  if (relation !== 'pages') return undefined;
  const pages = members.map(({ answer, exchange }): Page | undefined => {
    const page = answer === undefined ? undefined : jsonObject(answer);
    if (page === undefined || answer?.status !== 200 || !Array.isArray(page.items)) return undefined;
    return {
      name: exchange.name,
      items: page.items.filter(isObject),
      total: page.total,
      hasMore: page.has_more,
    };
  });
  const read = pages.filter((page) => page !== undefined);
  return read.length === members.length ? read : undefined;
}
