import type { ListModelsQuery } from '@speech-api/types';

/** The parts of a statement that selects from `voice_models`, and the values of its placeholders. */
export interface ListStatement {
  readonly where: string;
  readonly order: string;
  readonly values: readonly string[];
}

/** Each with the largest or latest first; models that are equal in it by their ids, so that pages do not overlap. */
const orders: Readonly<Record<NonNullable<ListModelsQuery['sort_by']>, string>> = {
  score: 'score DESC, id',
  task_count: 'task_count DESC, id',
  created_at: 'created_at DESC, id',
};

/** What a user asks for with the filters of section 4.4. */
export function listQuery(
  userId: string,
  query: ListModelsQuery & { readonly sort_by: keyof typeof orders },
): ListStatement {
  const conditions: string[] = [];
  const values: string[] = [];
  const add = (condition: string, ...given: readonly string[]): void => {
    conditions.push(condition);
    values.push(...given);
  };
  if (query.self === true) add('author_id = ?', userId);
  else add("(author_id = ? OR visibility = 'public')", userId);
  // Section 4.4: the author filter is ignored when own models are asked for.
  if (query.author_id !== undefined && query.self !== true) add('author_id = ?', query.author_id);
  if (query.title) add('instr(title_folded, ?) > 0', query.title.toLowerCase());
  // Lists are one value each: a condition a tag would nest deeper than SQLite allows when somebody sends thousands.
  const tags = listOf(query.tag);
  if (tags.length > 0) {
    const missing = 'value NOT IN (SELECT value FROM json_each(voice_models.tags))';
    add(`NOT EXISTS (SELECT 1 FROM json_each(?) WHERE ${missing})`, JSON.stringify(tags));
  }
  const languages = listOf(query.language);
  if (languages.length > 0) {
    const wanted = 'value IN (SELECT value FROM json_each(?))';
    add(`EXISTS (SELECT 1 FROM json_each(languages) WHERE ${wanted})`, JSON.stringify(languages));
  }
  const titleLanguages = listOf(query.title_language);
  if (titleLanguages.length > 0) {
    add('title_language IN (SELECT value FROM json_each(?))', JSON.stringify(titleLanguages));
  }
  return { where: conditions.join(' AND '), order: orders[query.sort_by], values };
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}
