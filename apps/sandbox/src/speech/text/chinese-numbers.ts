import type { NumberForm } from './reading.ts';

const digitsOf = [...'零一二三四五六七八九'];
const places = ['', '十', '百', '千'];
const scales = ['', '万', '亿', '万亿'];
/** More digits are read one by one. */
const mostDigits = scales.length * 4;
const units: Readonly<Record<string, string>> = {
  '¥': '元',
  '￥': '元',
  $: '美元',
  '€': '欧元',
  '£': '英镑',
};

const before = '(?<![A-Za-z\\p{N}]|\\p{N}[.,:/-])';
const after = '(?![A-Za-z\\p{N}]|[.,:/-]\\p{N})';
const whole = '(\\d{1,3}(?:,\\d{3})+|\\d+)';

const form = (pattern: string, read: NumberForm['read']): NumberForm => ({
  pattern: new RegExp(`${before}${pattern}`, 'gu'),
  read,
});

/** Written forms of numbers in Chinese, the most specific first. */
export const chineseNumbers: readonly NumberForm[] = [
  form(`([¥￥$€£])${whole}(?:\\.(\\d+))?${after}`, ([, sign = '', amount = '', part]) =>
    units[sign] === undefined ? undefined : `${decimal(amount, part)}${units[sign]}`,
  ),
  form(`${whole}(?:\\.(\\d+))?[%％]`, ([, amount = '', part]) => `百分之${decimal(amount, part)}`),
  form(`(\\d{4})(?=\\s?年)`, ([, digits = '']) => oneByOne(digits)),
  form(`([01]?\\d|2[0-3]):([0-5]\\d)${after}`, ([, hours = '', minutes = '']) => timeOfDay(hours, minutes)),
  form(
    `-?${whole}(?:\\.(\\d+))?${after}`,
    ([text, amount = '', part]) => `${text.startsWith('-') ? '负' : ''}${decimal(amount, part)}`,
  ),
];

function timeOfDay(hours: string, minutes: string): string {
  const hour = hours === '2' || hours === '02' ? '两' : cardinal(String(Number(hours)));
  if (minutes === '00') return `${hour}点`;
  return `${hour}点${minutes.startsWith('0') ? '零' : ''}${cardinal(String(Number(minutes)))}分`;
}

function decimal(amount: string, part: string | undefined): string {
  return part === undefined ? cardinal(amount) : `${cardinal(amount)}点${oneByOne(part)}`;
}

function cardinal(written: string): string {
  const digits = written.replaceAll(',', '');
  // A number does not begin with zero, and one of eleven digits that begins with one is a telephone.
  const isCode = /^0\d/.test(digits) || /^1[3-9]\d{9}$/.test(digits);
  if (digits.length > mostDigits || isCode) return oneByOne(digits);
  if (/^0+$/.test(digits)) return '零';
  const groups = digits.padStart(mostDigits, '0').match(/\d{4}/g) ?? [];
  let words = '';
  groups.forEach((group, index) => {
    if (group === '0000') return;
    // A place that is passed over is said: 10001 is 一万零一.
    if (words !== '' && (group.startsWith('0') || /0000$/.test(groups.slice(0, index).join(''))))
      words += '零';
    words += belowTenThousand(group) + (scales[groups.length - 1 - index] ?? '');
  });
  return words.replace(/^一十/, '十').replace(/^二(?=[千万亿])/, '两');
}

function belowTenThousand(group: string): string {
  let words = '';
  let passed = false;
  [...group].forEach((digit, index) => {
    if (digit === '0') {
      passed = words !== '';
      return;
    }
    words += (passed ? '零' : '') + (digitsOf[Number(digit)] ?? '') + (places[3 - index] ?? '');
    passed = false;
  });
  return words;
}

function oneByOne(digits: string): string {
  return [...digits].map((digit) => digitsOf[Number(digit)]).join('');
}
