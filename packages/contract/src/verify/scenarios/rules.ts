import { mediaTypes, synthesisRules } from '@speech-api/types';
import { breakRule } from '../generate/break-rule.ts';
import { toneAsWav } from '../request/tone.ts';
import type { Scenario } from '../step.ts';
import { greeting, refused, type SpeechOperation, speak } from './making.ts';

// Each rule of a synthesis request broken once, the two operations in turn.

const operations: readonly SpeechOperation[] = ['createSpeech', 'streamSpeechWithTimestamps'];
const material = {
  text: greeting,
  audio: toneAsWav({ seconds: 10, sampleRate: 8000 }),
  voices: ['first', 'second'],
};

export const rules: readonly Scenario[] = synthesisRules
  .filter(({ effect }) => effect === 'refuse')
  .map((rule, index) => {
    const { model, fields } = breakRule(rule, material);
    const operationId = operations[index % operations.length] ?? 'createSpeech';
    return {
      name: `rule-${rule.id}`,
      about: `a request that breaks the rule ${rule.id} is refused`,
      priority: 26 + index / 100,
      steps: [
        speak(`breaking ${rule.id}`, fields, {
          operationId,
          model,
          mediaType: 'references' in fields ? mediaTypes.msgpack : mediaTypes.json,
          expectation: refused(
            `it breaks the rule ${rule.id} of section ${rule.section}`,
            rule.refusal ?? 'rule',
          ),
        }),
      ],
    };
  });
