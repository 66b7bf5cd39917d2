import { createHash } from 'node:crypto';
import { decode } from '@msgpack/msgpack';
import type { Exchange, HttpExchange, LiveExchange } from '../src/exchange.ts';
import { judge } from '../src/judge/judge.ts';
import {
  clientRules,
  groundOf,
  type RuleSubject,
  serviceRules,
  unjudged,
} from '../src/specification/rules.ts';
import { examples } from '../src/testing/examples/index.ts';
import type { Example } from '../src/testing/exchanges.ts';
import type { RuleNotes } from '../src/tool.ts';

const titles: Readonly<Record<RuleSubject, string>> = {
  answer: 'Any answer',
  fields: 'The fields of a body or of an event',
  audio: 'Generated audio: an answer, a joined stream, a joined live session',
  transcription: 'Transcriptions',
  models: 'Voice models',
  wallet: 'Wallet',
  timestamps: 'The stream with timestamps',
  live: 'Live sessions',
  exchanges: 'Several answers together',
  request: 'What a client sends, judged by `check` in a file of `record`, and by `checkRequest`',
};

/** Writes `RULES.md`: every judged rule and every gap, from the data of the spec. */
export function writeRuleTable(): string {
  const rules = [...serviceRules().values(), ...clientRules().values()];
  const hash = createHash('sha256')
    .update(JSON.stringify([rules, unjudged()]))
    .digest('hex')
    .slice(0, 16);
  return `${[
    '<!-- Generated, do not edit: change the rules of the specification and run `npm run generate`. -->',
    `<!-- From: @speech-api/spec/rules.json  sha256 ${hash} of the rules below -->`,
    '',
    '# Rules',
    '',
    `What is judged: ${rules.length} rules. An \`error\` is stated by the interface, a \`warning\` is inferred or documented elsewhere, \`drift\` is an addition that clients tolerate.`,
    'A rule marked with * needs a service that follows the request and remembers what it was sent; `--profile stateless` leaves it out.',
    'A rule marked with † is measured: chance can break it, so that it is a warning, told once in a run.',
    'Beside a rule stands the sentence that states it, or the reason why a server that breaks it is not told of an error.',
    ...(Object.keys(titles) as RuleSubject[]).flatMap((subject) => [
      '',
      `## ${titles[subject]}`,
      '',
      '| rule | severity | section | what holds | the sentence, or why it is no error |',
      '| --- | --- | --- | --- | --- |',
      ...rules
        .filter((rule) => rule.subject === subject)
        .map((rule) => {
          const { id, severity, section, text, state, measured } = rule;
          return `| \`${id}\`${state ? ' *' : ''}${measured ? ' †' : ''} | ${severity} | ${section} | ${cell(text)} | ${cell(groundOf(rule))} |`;
        }),
    ]),
    '',
    '## What nobody can judge from outside',
    '',
    '| section | what the interface says | why it is not judged |',
    '| --- | --- | --- |',
    ...unjudged().map(
      ({ section, statement, reason }) => `| ${section} | ${cell(statement)} | ${cell(reason)} |`,
    ),
  ].join('\n')}\n`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** Writes `generated/rules.json`: for each rule a correct answer, a wrong one, and the judge's finding on the wrong one. */
export async function writeExamples(): Promise<string> {
  const first = new Map<string, Example>();
  for (const example of examples) if (!first.has(example.rule)) first.set(example.rule, example);
  const notes: Record<string, RuleNotes[string]> = {};
  for (const { id } of [...serviceRules().values(), ...clientRules().values()]) {
    const example = first.get(id);
    notes[id] = { ...(example !== undefined && { example: await show(example) }) };
  }
  return `${JSON.stringify(notes, null, 1)}\n`;
}

async function show({ rule, keeps, breaks, options }: Example): Promise<RuleNotes[string]['example']> {
  const { findings } = await judge(breaks, options);
  const finding = findings.find((entry) => entry.rule === rule);
  if (finding === undefined) throw new Error(`The first example of ${rule} does not break it.`);
  const { message, where, expected } = finding;
  return {
    keeps: keeps.slice(0, shownExchanges).map(inWords),
    breaks: breaks.slice(0, shownExchanges).map(inWords),
    says: message,
    ...(where !== undefined && { where }),
    ...(expected !== undefined && { expected }),
  };
}

const shownExchanges = 3;
const shownCharacters = 360;
const shownBytes = 4;

function inWords(exchange: Exchange): string {
  return exchange.kind === 'http' ? callInWords(exchange) : sessionInWords(exchange);
}

function callInWords({ request, response }: HttpExchange): string {
  const { pathname, search } = new URL(request.url);
  const { 'content-type': type, ...headers } = response.headers;
  return [
    `${request.method} ${pathname}${search}${request.body === undefined ? '' : ` ${textOf(request.body)}`}`,
    `${response.status}${type === undefined ? '' : ` ${type}`}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(response.body.length > 0 ? [textOf(response.body)] : []),
    ...(response.ended === 'complete' ? [] : [`(the body ends here: ${response.ended})`]),
  ].join('\n');
}

function sessionInWords({ upgrade, messages, close }: LiveExchange): string {
  const lines = messages.map(({ direction, bytes, frame }) => {
    const sign = direction === 'sent' ? '>' : '<';
    return `${sign} ${frame === 'text' ? textOf(bytes) : shorten(messageOf(bytes))}`;
  });
  const ending = close === undefined ? [] : [`closed by the ${close.by} with ${close.code}`];
  return [
    `GET ${new URL(upgrade.request.url).pathname}, ${upgrade.response.status}`,
    ...lines,
    ...ending,
  ].join('\n');
}

function messageOf(bytes: Uint8Array): string {
  try {
    return JSON.stringify(decode(Uint8Array.from(bytes)), (_name, value) =>
      value instanceof Uint8Array ? sizeOf(value) : (value as unknown),
    );
  } catch {
    return sizeOf(bytes);
  }
}

/** Text is shown as it is, and other bytes by their size and their first bytes. */
function textOf(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /[^\P{Cc}\s]/u.test(text) ? sizeOf(bytes) : shorten(text.trimEnd());
  } catch {
    return sizeOf(bytes);
  }
}

/** The first bytes show the format, such as 52 49 46 46 (RIFF) of a WAV file. */
function sizeOf(bytes: Uint8Array): string {
  const first = [...bytes.subarray(0, shownBytes)].map((byte) => byte.toString(16).padStart(2, '0'));
  const rest = bytes.length > shownBytes ? ' ...' : '';
  return `<${bytes.length} bytes${first.length > 0 ? `: ${first.join(' ')}${rest}` : ''}>`;
}

function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}...` : text;
}
