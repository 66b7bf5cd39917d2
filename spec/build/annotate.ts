import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { asArray, asObject, type Json, type JsonObject, SpecDocument, type SpecOperation } from '../read.ts';

/** The files of a sample, and what the document calls their languages. */
const languages = [
  { file: 'typescript.ts', lang: 'TypeScript', label: 'TypeScript' },
  { file: 'curl.sh', lang: 'Shell', label: 'curl' },
  { file: 'python.py', lang: 'Python', label: 'Python' },
] as const;

/** Which operations the rules of a subject are about. A new subject must be named here. */
const subjects: Readonly<Record<string, (operation: SpecOperation) => boolean>> = {
  answer: () => true,
  fields: () => true,
  audio: isTagged('Speech', 'Live speech'),
  timestamps: ({ id }) => id === 'streamSpeechWithTimestamps',
  live: isTagged('Live speech'),
  transcription: isTagged('Transcription'),
  models: isTagged('Voice models'),
  wallet: isTagged('Wallet'),
  // Rules between several answers belong to no single operation.
  exchanges: () => false,
};

/**
 * Adds to the operations of a bundled document what is written in files of its own: code samples as `x-codeSamples`, and
 * the ids of the rules in rules.json as `x-rules`.
 */
export async function annotateOperations(document: JsonObject, rules: Json | undefined): Promise<JsonObject> {
  const added = new Map<JsonObject, JsonObject>();
  for (const operation of new SpecDocument(document).operations()) {
    const samples = await readSamples(operation.id);
    added.set(operation.operation, {
      ...(samples.length > 0 ? { 'x-codeSamples': samples } : {}),
      'x-rules': rulesOf(operation, asObject(rules)),
    });
  }
  const paths = Object.entries(asObject(document.paths)).map(([path, item]) => {
    const members = Object.entries(asObject(item)).map(([name, member]) => {
      const more = added.get(asObject(member));
      return [name, more === undefined ? member : { ...asObject(member), ...more }];
    });
    return [path, Object.fromEntries(members)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

async function readSamples(operationId: string): Promise<JsonObject[]> {
  const found = languages
    .map((language) => ({
      ...language,
      path: new URL(`../samples/${operationId}/${language.file}`, import.meta.url),
    }))
    .filter(({ path }) => existsSync(path));
  return Promise.all(
    found.map(async ({ lang, label, path }) => ({ lang, label, source: await readFile(path, 'utf8') })),
  );
}

/** The ids of the rules of an operation, by the list of rules.json that has them. */
function rulesOf(operation: SpecOperation, rules: JsonObject): JsonObject {
  const lists: Readonly<Record<string, (rule: JsonObject) => boolean>> = {
    synthesis: (rule) => isTagged('Speech', 'Live speech')(operation) && appliesTo(rule, operation.id),
    // A check that applies to everything, such as the one of the path, has a status that not every operation has.
    refusals: (rule) => appliesTo(rule, operation.id) && operation.responses.has(String(rule.status)),
    answers: (rule) => isAbout(rule, operation),
    streams: (rule) => isAbout(rule, operation),
  };
  const ids = Object.entries(lists).map(([list, isRule]): [string, Json] => [
    list,
    asArray(rules[list])
      .map(asObject)
      .filter(isRule)
      .map(({ id }) => id ?? null),
  ]);
  return Object.fromEntries(ids.filter(([, found]) => asArray(found).length > 0));
}

function appliesTo(rule: JsonObject, operationId: string): boolean {
  return rule.applies_to === undefined || asArray(rule.applies_to).includes(operationId);
}

function isAbout(rule: JsonObject, operation: SpecOperation): boolean {
  const subject = subjects[String(rule.subject)];
  if (subject === undefined)
    throw new Error(`build/annotate.ts does not know the subject ${rule.subject} of the rule ${rule.id}.`);
  return subject(operation);
}

function isTagged(...tags: readonly string[]): (operation: SpecOperation) => boolean {
  return ({ operation }) => asArray(operation.tags).some((tag) => tags.includes(String(tag)));
}

/**
 * Gives each schema a title, made of its name, unless it has one.
 *
 * @example `VoiceModelList` has the title "Voice model list".
 */
export function titleSchemas(document: JsonObject): JsonObject {
  const components = asObject(document.components);
  const schemas = Object.entries(asObject(components.schemas)).map(([name, schema]) => [
    name,
    { title: wordsOf(name), ...asObject(schema) },
  ]);
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

function wordsOf(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace(/^Api\b/, 'API');
}

/** Writes the version of the specification beside that of the interface, which stays as it is. */
export function nameVersion(document: JsonObject, version: string): JsonObject {
  return { ...document, info: { ...asObject(document.info), 'x-specification-version': version } };
}

/** Names the address at which the site publishes the document. Bundling drops it from the root file. */
export function nameAddress({ openapi = null, ...document }: JsonObject): JsonObject {
  return { openapi, $self: `${asObject(document.externalDocs).url}/openapi.json`, ...document };
}
