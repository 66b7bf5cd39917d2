import type { NumberForm } from './reading.ts';

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const scales = ['', 'thousand', 'million', 'billion', 'trillion'];
const ordinals: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};
/** More digits are read one by one. */
const mostDigits = scales.length * 3;

const units: Readonly<Record<string, readonly [one: string, many: string, small: string, smalls: string]>> = {
  $: ['dollar', 'dollars', 'cent', 'cents'],
  '€': ['euro', 'euros', 'cent', 'cents'],
  '£': ['pound', 'pounds', 'penny', 'pence'],
  '¥': ['yuan', 'yuan', 'fen', 'fen'],
};

/** No letter or digit beside it: `A4`, `3D` and parts of longer signs are left to the engine. */
const before = '(?<![\\p{L}\\p{N}]|\\p{N}[.,:/-])';
const after = '(?![\\p{L}\\p{N}]|[.,:/-]\\p{N})';
const whole = '(\\d{1,3}(?:,\\d{3})+|\\d+)';

const form = (pattern: string, read: NumberForm['read']): NumberForm => ({
  pattern: new RegExp(`${before}${pattern}`, 'gu'),
  read,
});

/** Written forms of numbers in English, the most specific first. */
export const englishNumbers: readonly NumberForm[] = [
  form(
    `([$€£¥])${whole}(?:\\.(\\d+))?(?= (?:hundred|thousand|million|billion|trillion)\\b)`,
    ([, , amount = '', part]) => decimal(amount, part),
  ),
  { pattern: /(?<=[$€£¥][\d.,]+ )(?:hundred|thousand|million|billion|trillion)\b/gu, read: scaleOfMoney },
  form(`([$€£¥])${whole}(?:\\.(\\d{2}))?${after}`, ([, unit = '', amount = '', part]) =>
    money(unit, amount, part),
  ),
  form(`${whole}(?:\\.(\\d+))?%`, ([, amount = '', part]) => `${decimal(amount, part)} percent`),
  form(`([01]?\\d|2[0-3]):([0-5]\\d)${after}`, ([, hours = '', minutes = '']) => timeOfDay(hours, minutes)),
  form(`(\\d{1,15})(?:st|nd|rd|th)\\b`, ([, digits = '']) => ordinal(cardinal(digits))),
  form(`(1[1-9]\\d\\d|20\\d\\d)${after}`, ([, digits = '']) => year(digits)),
  form(
    `-?${whole}(?:\\.(\\d+))?${after}`,
    ([text, amount = '', part]) => `${text.startsWith('-') ? 'minus ' : ''}${decimal(amount, part)}`,
  ),
];

function scaleOfMoney(match: RegExpExecArray): string | undefined {
  const sign = /([$€£¥])[\d.,]+ $/u.exec(match.input.slice(0, match.index))?.[1] ?? '';
  const many = units[sign]?.[1];
  return many === undefined ? undefined : `${match[0]} ${many}`;
}

function money(sign: string, amount: string, part: string | undefined): string | undefined {
  const unit = units[sign];
  if (unit === undefined) return undefined;
  const [one, many, little, littles] = unit;
  const cents = Number(part ?? 0);
  const large = `${cardinal(amount)} ${plain(amount) === '1' ? one : many}`;
  const rest = `${cardinal(String(cents))} ${cents === 1 ? little : littles}`;
  if (cents === 0) return large;
  return /^0+$/.test(plain(amount)) ? rest : `${large} and ${rest}`;
}

function timeOfDay(hours: string, minutes: string): string {
  if (minutes === '00')
    return Number(hours) >= 1 && Number(hours) <= 12
      ? `${cardinal(hours)} o'clock`
      : `${cardinal(hours)} hundred`;
  return `${cardinal(hours)} ${minutes.startsWith('0') ? `oh ${cardinal(minutes)}` : cardinal(minutes)}`;
}

function year(digits: string): string {
  const [century = '', rest = ''] = [digits.slice(0, 2), digits.slice(2)];
  if (/^20 ?0/.test(digits)) return cardinal(digits);
  if (rest === '00') return `${cardinal(century)} hundred`;
  return `${cardinal(century)} ${rest.startsWith('0') ? `oh ${cardinal(rest)}` : cardinal(rest)}`;
}

function decimal(amount: string, part: string | undefined): string {
  return part === undefined ? cardinal(amount) : `${cardinal(amount)} point ${oneByOne(part)}`;
}

function ordinal(words: string): string {
  return words.replace(/[a-z]+$/, (last) => ordinals[last] ?? `${last.replace(/y$/, 'ie')}th`);
}

function cardinal(written: string): string {
  const digits = plain(written);
  // A number does not begin with zero: this is a code or a telephone.
  if (digits.length > mostDigits || (digits.length > 2 && digits.startsWith('0'))) return oneByOne(digits);
  if (Number(digits) === 0) return 'zero';
  const groups = digits.padStart(mostDigits, '0').match(/\d{3}/g) ?? [];
  return groups
    .map((group, index) => ({
      words: belowThousand(Number(group)),
      scale: scales[groups.length - 1 - index],
    }))
    .filter(({ words }) => words !== '')
    .map(({ words, scale }) => `${words} ${scale ?? ''}`.trim())
    .join(' ');
}

function belowThousand(value: number): string {
  const hundreds = value >= 100 ? `${small[Math.floor(value / 100)]} hundred` : '';
  const rest = value % 100;
  const last =
    rest === 0
      ? ''
      : rest < 20
        ? small[rest]
        : `${tens[Math.floor(rest / 10)]}${rest % 10 === 0 ? '' : `-${small[rest % 10]}`}`;
  return [hundreds, last].filter((word) => word !== '').join(' and ');
}

function oneByOne(digits: string): string {
  return [...digits].map((digit) => small[Number(digit)]).join(' ');
}

function plain(amount: string): string {
  return amount.replaceAll(',', '');
}
