import type { NumberForm } from './replacement.ts';

/** Numbers as they are read by nobody who knows what they mean: one digit after the other, signs passed over. */
export const singleDigits: readonly NumberForm[] = [
  {
    pattern: /[$€£¥￥]?\d[\d.,:]*(?<=\d)[%％]?/gu,
    read: ([text]) => [...text.replace(/\D/gu, '')].join(' '),
  },
];
