import type { Answer } from '../answer/answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { asObject, isObject, type JsonObject } from '../specification/document.ts';
import type { ExchangeGroup, GroupMember } from '../subjects/exchange-group.ts';
import { jsonObject } from './json-object.ts';

/** The life of one voice model, as far as it was asked for. */
export interface VoiceSteps {
  /** What the creation answered. */
  readonly created?: JsonObject;
  readonly read?: VoiceStep;
  readonly list?: {
    readonly exchange: Exchange;
    readonly items: readonly JsonObject[];
    readonly hasMore: unknown;
  };
  readonly use?: VoiceStep;
  /** What all successful updates have asked for, together. */
  readonly update?: JsonObject;
  readonly readUpdated?: VoiceStep;
  readonly deleted?: VoiceStep;
  readonly readDeleted?: VoiceStep;
}

/** One call about it. */
export interface VoiceStep {
  readonly exchange: Exchange;
  readonly status: number;
  /** What it answered, if that is a voice model. */
  readonly model?: JsonObject;
}

/** `undefined` when the group is not the life of a voice model. */
export function stepsOf({ relation, members }: ExchangeGroup): VoiceSteps | undefined {
  if (relation !== 'voice') return undefined;
  const at = (role: string) => members.find(({ membership }) => membership.role === role);
  const created = modelOf(at('create')?.answer);
  const updates = members.filter(({ membership, status }) => membership.role === 'update' && status < 300);
  const asked: JsonObject = Object.assign({}, ...updates.map(({ answer }) => asObject(answer?.asked.body)));
  return {
    ...(created !== undefined && { created }),
    ...(updates.length > 0 && { update: asked }),
    ...listOf(at('list')),
    ...step('read', at('read')),
    ...step('use', at('use')),
    ...step('readUpdated', at('read-updated')),
    ...step('deleted', at('delete')),
    ...step('readDeleted', at('read-deleted')),
  };
}

function step<Name extends keyof VoiceSteps>(name: Name, member: GroupMember | undefined) {
  if (member === undefined) return {};
  const model = modelOf(member.answer);
  const { exchange, status } = member;
  return { [name]: { exchange, status, ...(model !== undefined && { model }) } } as {
    [key in Name]: VoiceStep;
  };
}

function listOf(member: GroupMember | undefined): Pick<VoiceSteps, 'list'> {
  const page = member?.answer === undefined ? undefined : jsonObject(member.answer);
  if (member === undefined || !Array.isArray(page?.items)) return {};
  return { list: { exchange: member.exchange, items: page.items.filter(isObject), hasMore: page.has_more } };
}

function modelOf(answer: Answer | undefined): JsonObject | undefined {
  return answer === undefined || !answer.isSuccess ? undefined : jsonObject(answer);
}
