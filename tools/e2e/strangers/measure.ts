// Judges every stranger, or those named, and prints a line for each: node strangers/measure.ts [id...]
import { judgeStranger } from './found.ts';
import { legitimate } from './legitimate.ts';
import { others, quotable } from './lies.ts';

const names = process.argv.slice(2);
for (const [kind, strangers] of Object.entries({ quotable, others, legitimate }))
  for (const stranger of strangers) {
    if (names.length > 0 && !names.includes(stranger.id)) continue;
    const began = Date.now();
    const { errors, warnings, calls, uncovered } = await judgeStranger(stranger);
    const found = errors.length > 0 ? 'error' : warnings.length > 0 ? 'warning' : 'nothing';
    const rules = [...errors, ...warnings.map((rule) => `${rule} (warning)`), uncovered].join(', ');
    console.log([kind, stranger.id, found, calls, Date.now() - began, rules].join('\t'));
  }
