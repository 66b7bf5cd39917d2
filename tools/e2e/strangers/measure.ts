// Judges every stranger and writes what was found: node strangers/measure.ts first|last [name...]
import { readFileSync, writeFileSync } from 'node:fs';
import { type Found, judgeStranger } from './found.ts';
import { legitimate } from './legitimate.ts';
import { lies } from './lies.ts';

const [moment = 'last', ...names] = process.argv.slice(2);
const path = new URL('./found.json', import.meta.url);
const found = read();
for (const stranger of [...lies, ...legitimate]) {
  if (names.length > 0 && !names.includes(stranger.id)) continue;
  const result = await judgeStranger(stranger);
  found[stranger.id] = { ...found[stranger.id], [moment]: result };
  console.error(stranger.id, JSON.stringify(result));
  writeFileSync(path, `${JSON.stringify(found, undefined, 2)}\n`);
}

function read(): Record<string, Record<string, Found>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}
