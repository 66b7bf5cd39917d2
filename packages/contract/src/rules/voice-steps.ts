import type { Answer } from '../answer/answer.ts';
import { asObject, isObject, type JsonObject } from '../specification/document.ts';
import type { ExchangeGroup, GroupMember } from '../subjects/exchange-group.ts';
import { jsonObject } from './json-object.ts';

/** The life of one voice model, as far as it was asked for. */
export interface VoiceSteps {
  /** What the creation answered. */
  readonly created?: JsonObject;
  readonly read?: ReadStep;
  readonly list?: { readonly items: readonly JsonObject[]; readonly hasMore: unknown };
  readonly use?: { readonly status: number };
  readonly update?: { readonly status: number; readonly asked: JsonObject };
  readonly readUpdated?: ReadStep;
  /** Statuses. */
  readonly deleted?: number;
  readonly readDeleted?: number;
}

export interface ReadStep {
  readonly status: number;
  readonly model?: JsonObject;
}

/** `undefined` when the group is not the life of a voice model. */
export function stepsOf({ relation, members }: ExchangeGroup): VoiceSteps | undefined {
  if (relation !== 'voice') return undefined;
  const at = (role: string): GroupMember | undefined =>
    members.find(({ membership }) => membership.role === role);
  const created = modelOf(at('create')?.answer);
  const list = at('list')?.answer;
  const update = at('update');
  const use = at('use');
  const items = list === undefined ? undefined : jsonObject(list)?.items;
  return {
    ...(created !== undefined && { created }),
    ...readStep('read', at('read')),
    ...(Array.isArray(items) && {
      list: {
        items: items.filter(isObject),
        hasMore: list === undefined ? undefined : jsonObject(list)?.has_more,
      },
    }),
    ...(use !== undefined && { use: { status: use.status } }),
    ...(update !== undefined && {
      update: { status: update.status, asked: asObject(update.answer?.asked.body) },
    }),
    ...readStep('readUpdated', at('read-updated')),
    ...status('deleted', at('delete')),
    ...status('readDeleted', at('read-deleted')),
  };
}

function readStep(
  name: 'read' | 'readUpdated',
  member: GroupMember | undefined,
): { [key in typeof name]?: ReadStep } {
  if (member === undefined) return {};
  const model = modelOf(member.answer);
  return { [name]: { status: member.status, ...(model !== undefined && { model }) } };
}

function status(
  name: 'deleted' | 'readDeleted',
  member: GroupMember | undefined,
): { [key in typeof name]?: number } {
  return member === undefined ? {} : { [name]: member.status };
}

function modelOf(answer: Answer | undefined): JsonObject | undefined {
  return answer === undefined || !answer.isSuccess ? undefined : jsonObject(answer);
}
