// Writes dist/operations.json: the spec's 3.1 document as Prism reads it. Prism loads half a second of modules and takes
// another fifth to read the document; done here, once, a mock does not wait for either.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';

const file = createRequire(import.meta.url).resolve('@speech-api/spec/openapi-3.1.json');
const operations = await getHttpOperationsFromSpec(JSON.parse(readFileSync(file, 'utf8')));
writeFileSync(new URL('../dist/operations.json', import.meta.url), JSON.stringify(operations));
