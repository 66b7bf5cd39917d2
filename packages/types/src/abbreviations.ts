/** Abbreviations in lower case, without their last full stop. A full stop behind one of them ends no sentence. */
export const abbreviations = [
  ...['mr', 'mrs', 'ms', 'dr', 'prof', 'sr', 'jr', 'st', 'vs', 'etc', 'no', 'vol', 'fig', 'inc', 'ltd', 'co'],
  ...['jan', 'feb', 'mar', 'apr', 'jun', 'jul', 'aug', 'sep', 'sept', 'oct', 'nov', 'dec'],
  ...['e.g', 'i.e', 'a.m', 'p.m'],
] as const;
