import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defaultModel, headerNames, type OperationId, operationTable } from '@speech-api/types';
import type { Expectation } from '../../exchange/expectation.ts';
import { asObject, isObject, type JsonObject } from '../../specification/document.ts';
import { refused, success } from '../scenarios/making.ts';
import type { Call, CallStep, Scenario } from '../step.ts';
import { checkCondition, holds } from './criterion.ts';
import { type ExpressionContext, NotPlayed, resolveValue } from './expression.ts';

/** The workflows that can be played, and why others can't. */
export interface Workflows {
  readonly scenarios: readonly Scenario[];
  readonly notPlayed: readonly { readonly name: string; readonly reason: string }[];
}

/** The Arazzo documents of `@speech-api/spec`; none where a spec has none. */
export function readWorkflows(): readonly JsonObject[] {
  const folder = createRequire(import.meta.url).resolve('@speech-api/spec/openapi.json');
  const file = join(dirname(folder), 'workflows.json');
  const documents: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return Object.values(asObject(documents)).filter(isObject);
}

/** Makes a scenario of each workflow; made anew for each run, since it learns from the answers. */
export function workflowScenarios(documents: readonly JsonObject[]): Workflows {
  const scenarios: Scenario[] = [];
  const notPlayed: { name: string; reason: string }[] = [];
  for (const workflow of documents.flatMap(({ workflows }) => listOf(workflows))) {
    const name = `workflow-${String(workflow.workflowId)}`;
    try {
      scenarios.push(scenarioOf(name, workflow, scenarios.length));
    } catch (error) {
      if (!(error instanceof NotPlayed)) throw error;
      notPlayed.push({ name, reason: error.message });
    }
  }
  return { scenarios, notPlayed };
}

const changing: ReadonlySet<OperationId> = new Set(['createModel', 'updateModel', 'deleteModel']);

function scenarioOf(name: string, workflow: JsonObject, place: number): Scenario {
  const inputs = inputsOf(workflow);
  const outputs = new Map<string, Record<string, unknown>>();
  const steps = listOf(workflow.steps).map((step) => stepOf(name, step, { inputs, steps: outputs }, outputs));
  return {
    name,
    about: typeof workflow.summary === 'string' ? workflow.summary : 'a workflow of the spec',
    priority: 37 + place / 100,
    steps,
    ...(steps.some(({ operationId }) => changing.has(operationId)) && { writes: true }),
  };
}

function stepOf(
  workflow: string,
  step: JsonObject,
  context: ExpressionContext,
  outputs: Map<string, Record<string, unknown>>,
): CallStep {
  for (const word of ['workflowId', 'operationPath', 'onSuccess', 'onFailure']) {
    if (word in step) throw new NotPlayed(`a step with ${word} is not played by the judge`);
  }
  const operationId = operationOf(step.operationId);
  const id = String(step.stepId);
  const name = `${workflow}, ${id}`;
  const conditions = listOf(step.successCriteria).map((criterion) => {
    if (criterion.type !== undefined && criterion.type !== 'simple') {
      throw new NotPlayed(
        `criteria of the type ${JSON.stringify(criterion.type)} are not played by the judge`,
      );
    }
    const condition = String(criterion.condition);
    checkCondition(condition);
    return condition;
  });
  return {
    kind: 'call',
    operationId,
    name,
    expectation: expectationOf(conditions),
    call: () => callOf(operationId, step, context),
    criteria: (exchange) =>
      conditions.map((condition) => ({
        text: `${name}: ${condition}`,
        holds: holds(condition, { ...context, exchange }),
      })),
    needs: neededBy(step),
    remember: (exchange, memory) => {
      if (exchange.kind !== 'http') return;
      const seen = { ...context, exchange };
      const own = asObject(resolveValue(step.outputs ?? {}, seen));
      outputs.set(id, own);
      for (const [output, value] of Object.entries(own)) {
        if (value !== undefined) memory.set(`${id}.outputs.${output}`, String(value));
      }
    },
  };
}

/** The outputs of earlier steps that a step is sent with. */
function neededBy({ parameters, requestBody }: JsonObject): string[] {
  const text = JSON.stringify([parameters, requestBody]);
  return [...new Set([...text.matchAll(/\$steps\.([\w-]+\.outputs\.[\w-]+)/g)].map(([, name = '']) => name))];
}

/** A step whose criteria want a status of refusal sends something wrong on purpose. */
function expectationOf(conditions: readonly string[]): Expectation {
  const statuses = conditions.flatMap((condition) =>
    [...condition.matchAll(/\$statusCode\s*==\s*(\d+)/g)].map(([, status]) => Number(status)),
  );
  if (statuses.length === 0 || statuses.some((status) => status < 400)) return success;
  const ids: Readonly<Record<number, string>> = {
    400: 'rule',
    404: 'not-found',
    403: 'forbidden',
    415: 'media-type',
    422: 'schema',
  };
  return refused('the workflow wants it refused', ...statuses.flatMap((status) => ids[status] ?? []));
}

function callOf(operationId: OperationId, step: JsonObject, context: ExpressionContext): Call {
  const parameters = listOf(step.parameters).map(({ name, in: place, value }) => ({
    name: String(name),
    place,
    // Unknown while nothing was sent yet: then it is only shown.
    values: [resolveValue(value, context) ?? `<${String(value)}>`].flat().map(String),
  }));
  const at = (place: string) => parameters.filter((parameter) => parameter.place === place);
  const byName = (place: string) =>
    Object.fromEntries(at(place).map(({ name, values }) => [name, values.join(', ')]));
  const body = asObject(step.requestBody);
  const model = operationTable[operationId].acceptsModel ? { [headerNames.model]: defaultModel } : {};
  return {
    path: byName('path'),
    query: at('query').flatMap(({ name, values }) => values.map((value): [string, string] => [name, value])),
    headers: { ...model, ...byName('header') },
    ...(body.payload !== undefined && { fields: resolveValue(body.payload, context) }),
    ...(typeof body.contentType === 'string' && { mediaType: body.contentType }),
  };
}

function operationOf(value: unknown): OperationId {
  const id = String(value).split('.').at(-1) ?? '';
  if (!(id in operationTable)) throw new NotPlayed(`there is no operation ${String(value)}`);
  return id as OperationId;
}

function inputsOf(workflow: JsonObject): Record<string, unknown> {
  const properties = Object.entries(asObject(asObject(workflow.inputs).properties));
  return Object.fromEntries(
    properties.map(([name, schema]) => {
      const { default: usual, examples } = asObject(schema);
      return [name, usual ?? (Array.isArray(examples) ? examples[0] : undefined)];
    }),
  );
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
