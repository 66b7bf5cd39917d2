import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { isObject, type Json, type JsonObject } from '../read.ts';
import { withLimits } from './limits.ts';
import { withSampleRates } from './sample-rates.ts';

/** The data files that accompany the documents, by the file they are built into. */
export async function readData(): Promise<Readonly<Record<string, Json>>> {
  const workflows = await readWorkflows();
  const rules = await readFolder({
    synthesis: 'rules/synthesis.yaml',
    refusals: 'rules/refusals.yaml',
    answers: 'rules/answers.yaml',
    streams: 'rules/streams.yaml',
    relations: 'rules/relations.yaml',
    requests: 'rules/requests.yaml',
    unjudged: 'rules/unjudged.yaml',
    expressions: 'rules/expressions.yaml',
  });
  return {
    'rules.json': withLimits(withSampleRates(rules, await readFormats())),
    'tolerances.json': await readYaml('tolerances.yaml'),
    'unknowns.json': await readYaml('unknowns.yaml'),
    // Programs get all of them; tools that play Arazzo get each as a separate file.
    'workflows.json': workflows,
    ...Object.fromEntries(
      Object.entries(workflows).map(([name, document]) => [`${name}.arazzo.json`, document]),
    ),
    'transcripts.json': await readTranscripts(),
  };
}

async function readFormats(): Promise<JsonObject> {
  const schema = await readYaml('schemas/AudioFormat.yaml');
  const formats = isObject(schema) ? schema['x-audio-formats'] : undefined;
  if (!isObject(formats)) throw new TypeError('schemas/AudioFormat.yaml has no x-audio-formats.');
  return formats;
}

/** Arazzo documents by name; after the build, they are beside the OpenAPI document that they describe. */
async function readWorkflows(): Promise<JsonObject> {
  const extension = '.arazzo.yaml';
  const files = (await readdir(inSpecification('workflows')))
    .filter((file) => file.endsWith(extension))
    .sort();
  const documents = files.map(async (file) => {
    const document = await readYaml(`workflows/${file}`);
    if (!isObject(document)) throw new TypeError(`workflows/${file} must be an object.`);
    const sourceDescriptions = [{ name: 'speech', type: 'openapi', url: 'openapi.json' }];
    return [file.slice(0, -extension.length), { ...document, sourceDescriptions }] as const;
  });
  return Object.fromEntries(await Promise.all(documents));
}

async function readFolder(files: Readonly<Record<string, string>>): Promise<JsonObject> {
  const entries = Object.entries(files).map(async ([name, file]) => [name, await readYaml(file)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Each transcript as the array of its lines, by its name. */
async function readTranscripts(): Promise<JsonObject> {
  const files = (await readdir(inSpecification('transcripts')))
    .filter((file) => file.endsWith('.jsonl'))
    .sort();
  const entries = files.map(async (file): Promise<[string, Json]> => {
    const text = await readFile(inSpecification(`transcripts/${file}`), 'utf8');
    const lines = text.trimEnd().split('\n');
    return [file.replace(/\.jsonl$/, ''), lines.map((line) => JSON.parse(line))];
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function readYaml(file: string): Promise<Json> {
  return parse(await readFile(inSpecification(file), 'utf8'));
}

function inSpecification(file: string): URL {
  return new URL(`../${file}`, import.meta.url);
}
