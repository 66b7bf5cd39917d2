// # Speak a model's answer without its Markdown
// Takes Markdown, code, links and emoji out of the tokens of a model, clause by clause: they are billed, and sound wrong.
import { createSpeechClient } from '@speech-api/client';
import { connectLive } from '@speech-api/live';

/** What may be said of a whole piece of Markdown. */
function plain(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1') // [text](address)
    .replace(/<?https?:\/\/[^\s>)]+>?/g, 'the link')
    .replace(/`([^`\n]*)`/g, '$1')
    .replace(/^\s*(?:#{1,6}|>|[-*+])\s+/gm, '')
    .replace(/^\s*\|?[-: |]{3,}\|?\s*$/gm, '') // the line below the head of a table
    .replace(/\s*\|\s*/g, ', ')
    .replace(/(\*\*|__|~~|\*)(?=\S)(.+?)\1/g, '$2')
    .replace(/(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f}|\u{200d})+ ?/gu, '');
}

/** False while a link, a code or an emphasis is open. */
const isClosed = (text: string): boolean =>
  !/\[[^\]]*$|\]\([^)]*$/.test(text) &&
  [/`/g, /\*\*/g].every((mark) => (text.match(mark)?.length ?? 0) % 2 === 0);

/** Text to be spoken, as soon as a clause or a line is whole; a block of code is left out. */
async function* speakable(tokens: AsyncIterable<string>): AsyncGenerator<string> {
  let pending = '';
  let isCode = false;
  for await (const token of tokens) {
    for (const piece of token.split(/(?<=\n)/)) {
      pending += piece;
      const isLine = pending.endsWith('\n');
      const isFence = pending.trimStart().startsWith('```');
      if (!isLine && (isCode || isFence)) continue;
      if (isFence) isCode = !isCode;
      const ends = [...pending.matchAll(/[.,;:!?] /g)].map(({ index }) => index + 2);
      const end = isLine
        ? pending.length
        : (ends.findLast((index) => isClosed(pending.slice(0, index))) ?? 0);
      if (end > 0 && !isCode && !isFence) yield plain(pending.slice(0, end));
      pending = pending.slice(end);
    }
  }
  if (!isCode) yield plain(pending);
}

/** Imitates a language model. */
async function* answer(): AsyncGenerator<string> {
  const text =
    '## The tide 🌊\n\nIt comes in at **seven**, see [the table](https://example.com/tides?day=7).\n\n' +
    '```js\nconst tide = { hour: 7 };\n```\n\n- Take the `north` path.\n- Be back by six!\n';
  yield* text.match(/[\s\S]{1,4}/gu) ?? [];
}

const connection = await connectLive(createSpeechClient(), { format: 'mp3' });
for (const tokens of [answer(), speakable(answer())]) {
  const speech = connection.speak(tokens);
  for await (const _ of speech);
  console.log(`${speech.metrics.characters} characters billed`);
}
for await (const text of speakable(answer())) process.stdout.write(text);
connection.close();
