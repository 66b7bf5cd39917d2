import type { Exchange, GroupMembership, Relation } from '../exchange.ts';
import { asObject, isObject, type JsonObject } from '../specification/document.ts';
import type { Answer } from './answer.ts';

/** Answers that belong together. */
export interface ExchangeGroup {
  readonly id: string;
  readonly relation: Relation;
  /** The service says that it gives the same audio for the same request. */
  readonly isDeterministic: boolean;
  /** In the order of the exchanges. */
  readonly members: readonly GroupMember[];
}

export interface GroupMember {
  readonly exchange: Exchange;
  readonly membership: GroupMembership;
  readonly status: number;
  readonly mediaType: string;
  /** Content to compare shapes by: a body, events of a stream, facts of audio, kinds of live messages. */
  readonly said: unknown;
  /** Of generated audio. */
  readonly fingerprint?: string;
  /** Seconds of generated audio. */
  readonly seconds?: number;
  /** Of generated audio: its loudest sample, of full scale. */
  readonly peak?: number;
  /** Of generated opus, on average. */
  readonly bitsPerSecond?: number;
  /** Left out for a live session. */
  readonly answer?: Answer;
}

/** One page of a list. */
interface Page {
  readonly name: string;
  readonly items: readonly JsonObject[];
  readonly total: unknown;
  readonly hasMore: unknown;
}

/** The lists of a group in order; `undefined` if the group is about something else or a list can't be read. */
export function listsOf(
  { relation, members }: ExchangeGroup,
  wanted: Extract<Relation, 'pages' | 'filters'>,
): readonly Page[] | undefined {
  if (relation !== wanted) return undefined;
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

/** The life of one voice model, as far as it was asked for. */
interface VoiceSteps {
  /** Answer to the creation. */
  readonly created?: JsonObject;
  readonly read?: VoiceStep;
  readonly list?: {
    readonly exchange: Exchange;
    readonly items: readonly JsonObject[];
    readonly hasMore: unknown;
  };
  readonly use?: VoiceStep;
  /** Changes requested by all successful updates together. */
  readonly update?: JsonObject;
  readonly readUpdated?: VoiceStep;
  readonly deleted?: VoiceStep;
  readonly readDeleted?: VoiceStep;
}

/** One call about it. */
interface VoiceStep {
  readonly exchange: Exchange;
  readonly status: number;
  /** The answer, if it is a voice model. */
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

/** The body of an answer, when it is a JSON object. */
export function jsonObject({ json }: Answer): JsonObject | undefined {
  return json !== undefined && 'value' in json && isObject(json.value) ? json.value : undefined;
}
