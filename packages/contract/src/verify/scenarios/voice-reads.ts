import type { Scenario } from '../step.ts';
import { greeting, refused, speak } from './making.ts';
import { callModels, itemsOf, needs, path } from './voice-steps.ts';

/** Voice models that are there, and one that is not. */
export const voiceReads: readonly Scenario[] = [
  {
    name: 'voice-read-and-used',
    about: 'a listed voice model is read and speaks',
    priority: 7,
    steps: [
      callModels('listModels', 'one voice', () => ({ query: [['page_size', '1']] }), {
        remember: (exchange, memory) => {
          const [item] = itemsOf(exchange);
          if (typeof item?._id === 'string') memory.set('voice', item._id);
        },
      }),
      callModels('getModel', 'one of the list', path, { needs }),
      speak('with a saved voice', (memory) => ({ text: greeting, reference_id: memory.get('voice') }), {
        needs,
      }),
    ],
  },
  {
    name: 'voice-dialogue',
    about: 'two saved voices speak in turn',
    priority: 42,
    steps: [
      callModels('listModels', 'two voices', () => ({ query: [['page_size', '2']] }), {
        remember: (exchange, memory) => {
          const ids = itemsOf(exchange).map(({ _id }) => _id);
          // Where there is one voice alone, it speaks with itself.
          const [first, second = first] = ids.filter((id) => typeof id === 'string');
          if (first !== undefined) memory.set('voice 0', first);
          if (second !== undefined) memory.set('voice 1', second);
        },
      }),
      speak(
        'a dialogue of two',
        (memory) => ({
          text: '<|speaker:0|>Good morning.<|speaker:1|>And to you.',
          reference_id: [memory.get('voice 0'), memory.get('voice 1')],
        }),
        { needs: ['voice 0', 'voice 1'] },
      ),
    ],
  },
  {
    name: 'voice-unknown',
    about: 'what does not exist is neither read, changed nor deleted',
    priority: 46,
    writes: true,
    steps: (['getModel', 'updateModel', 'deleteModel'] as const).map((operationId) =>
      callModels(
        operationId,
        'one that does not exist',
        () => ({
          path: { id: 'speech-contract-no-such-voice' },
          ...(operationId === 'updateModel' && { fields: { title: 'Nobody' } }),
        }),
        { expectation: refused('there is no voice model with this id', 'not-found') },
      ),
    ),
  },
];
