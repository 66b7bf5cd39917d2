import { defaultModel, headerNames, type OperationId, operationTable, refusals } from '@speech-api/types';
import type { Expectation } from '../../exchange.ts';
import {
  asObject,
  isObject,
  type JsonObject,
  objectAt,
  resolve,
  workflowData,
} from '../../specification/document.ts';
import { toneAsWav } from '../request.ts';
import { refused, success } from '../scenarios/making.ts';
import type { Call, CallStep, Scenario } from '../step.ts';
import { checkCondition, type ExpressionContext, holds, NotPlayed, resolveValue } from './expression.ts';

/** The Arazzo documents of `@speech-api/spec`. */
export function readWorkflows(): readonly JsonObject[] {
  return Object.values(workflowData()).filter(isObject);
}

/**
 * Makes a scenario of each workflow, anew for each run, since it learns from the answers.
 * One that cannot be played has the reason and no steps.
 */
export function workflowScenarios(documents: readonly JsonObject[]): readonly Scenario[] {
  const workflows = documents.flatMap((document) =>
    listOf(document.workflows).map((workflow) => withComponents(workflow, document)),
  );
  return workflows.map((workflow, place): Scenario => {
    const name = `workflow-${String(workflow.workflowId)}`;
    const common = {
      name,
      about: typeof workflow.summary === 'string' ? workflow.summary : 'a workflow of the spec',
      priority: 37 + place / 100,
    };
    try {
      const steps = playableSteps(name, workflow);
      const writes = steps.some(({ operationId }) => changing.has(operationId));
      return { ...common, steps, ...(writes && { writes }) };
    } catch (error) {
      if (!(error instanceof NotPlayed)) throw error;
      return { ...common, steps: [], notPlayed: error.message };
    }
  });
}

const changing: ReadonlySet<OperationId> = new Set(['createModel', 'updateModel', 'deleteModel']);

function playableSteps(name: string, workflow: JsonObject): CallStep[] {
  const inputs = inputsOf(workflow);
  const outputs = new Map<string, Record<string, unknown>>();
  return stepsOf(workflow).map((step) => stepOf(name, step, { inputs, steps: outputs }, outputs));
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
    expectation: expectationOf(operationId, conditions),
    // What a workflow wants of later answers is what earlier steps have changed.
    needsState: true,
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
function expectationOf(operationId: OperationId, conditions: readonly string[]): Expectation {
  const statuses = conditions.flatMap((condition) =>
    [...condition.matchAll(/\$statusCode\s*==\s*(\d+)/g)].map(([, status]) => Number(status)),
  );
  if (statuses.length === 0 || statuses.some((status) => status < 400)) return success;
  const ids = refusals
    .filter(
      ({ status, applies_to }) => statuses.includes(status) && (applies_to?.includes(operationId) ?? true),
    )
    .map(({ id }) => id);
  return { ...refused('the workflow wants it refused', ...ids), rests: 'public' };
}

function callOf(operationId: OperationId, step: JsonObject, context: ExpressionContext): Call {
  const parameters = listOf(step.parameters).map(({ name, in: place, value }) => ({
    // The names of headers have no case of their own.
    name: place === 'header' ? String(name).toLowerCase() : String(name),
    place,
    // Unknown while nothing was sent yet: then it is only shown.
    values: [resolveValue(value, context) ?? `<${String(value)}>`].flat().map(String),
  }));
  const at = (place: string) => parameters.filter((parameter) => parameter.place === place);
  const byName = (place: string) =>
    Object.fromEntries(at(place).map(({ name, values }) => [name, values.join(', ')]));
  const { [headerNames.authorization]: authorization = ownKey, ...headers } = byName('header');
  const body = asObject(step.requestBody);
  const model = operationTable[operationId].acceptsModel ? { [headerNames.model]: defaultModel } : {};
  return {
    // The key itself stays where it is sent from: a workflow has a word in its place.
    key: authorization.includes(ownKey) ? 'given' : 'wrong',
    path: byName('path'),
    query: at('query').flatMap(({ name, values }) => values.map((value): [string, string] => [name, value])),
    headers: { ...model, ...headers },
    ...(body.payload !== undefined && { fields: resolveValue(body.payload, context) }),
    ...(typeof body.contentType === 'string' && { mediaType: body.contentType }),
  };
}

function operationOf(value: unknown): OperationId {
  const id = String(value).split('.').at(-1) ?? '';
  if (!(id in operationTable)) throw new NotPlayed(`there is no operation ${String(value)}`);
  return id as OperationId;
}

/** Stands for the key in what a workflow says. */
const ownKey = '<key>';

/** Inputs that only a caller can give, and that the judge has. */
const given: Readonly<Record<string, unknown>> = {
  key: ownKey,
  recording: Buffer.from(toneAsWav({ seconds: 2 })).toString('base64'),
};

/** A workflow with what it refers to in its document put in place. */
function withComponents(workflow: JsonObject, document: JsonObject): JsonObject {
  const parametersOf = (owner: JsonObject) =>
    listOf(owner.parameters).map((parameter) => {
      const [, name] = /^\$components\.parameters\.(.+)$/.exec(String(parameter.reference ?? '')) ?? [];
      if (name === undefined) return parameter;
      return { ...objectAt(objectAt(document.components, 'parameters'), name), ...parameter };
    });
  return {
    ...workflow,
    inputs: resolve(document, workflow.inputs),
    parameters: parametersOf(workflow),
    steps: listOf(workflow.steps).map((step) => ({ ...step, parameters: parametersOf(step) })),
  };
}

function inputsOf(workflow: JsonObject): Record<string, unknown> {
  const properties = Object.entries(asObject(asObject(workflow.inputs).properties));
  return Object.fromEntries(
    properties.map(([name, schema]) => {
      const value = asObject(schema).default ?? given[name];
      if (value === undefined) throw new NotPlayed(`the input ${name} has no default`);
      return [name, value];
    }),
  );
}

/** The steps, with the parameters that their workflow has for all of them. */
function stepsOf(workflow: JsonObject): JsonObject[] {
  const common = listOf(workflow.parameters);
  return listOf(workflow.steps).map((step) => {
    const own = listOf(step.parameters);
    const isOwn = (one: JsonObject) => own.some((other) => other.name === one.name && other.in === one.in);
    return { ...step, parameters: [...common.filter((one) => !isOwn(one)), ...own] };
  });
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
