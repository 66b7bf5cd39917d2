import { interpolate } from './interpolate.ts';

/**
 * How many times faster than at 175 words a minute the engine really is at a rate, measured on running text.
 * It is not linear, and differs between languages.
 */
const measuredSpeeds: Record<'cmn' | 'other', readonly (readonly [rate: number, speed: number])[]> = {
  other: [
    [80, 0.485],
    [90, 0.515],
    [100, 0.572],
    [120, 0.685],
    [140, 0.802],
    [160, 0.912],
    [175, 1],
    [190, 1.081],
    [220, 1.26],
    [260, 1.482],
    [300, 1.715],
    [340, 1.981],
    [380, 2.216],
    [420, 2.444],
    [450, 2.619],
  ],
  cmn: [
    [80, 0.453],
    [90, 0.485],
    [100, 0.541],
    [120, 0.654],
    [140, 0.778],
    [160, 0.902],
    [175, 1],
    [190, 1.098],
    [220, 1.298],
    [260, 1.603],
    [300, 1.918],
    [340, 2.156],
    [380, 2.434],
    [420, 2.779],
    [450, 3.082],
  ],
};

/**
 * The engine rate at which a voice is `speed` times as fast as at its own rate.
 *
 * @param ownRate words a minute of the voice at speed 1
 * @param speed 0.5 to 2
 */
export function engineRate(ownRate: number, speed: number, language: string): number {
  const points = measuredSpeeds[language === 'cmn' ? 'cmn' : 'other'];
  const own = interpolate(points, ownRate);
  const rate = interpolate(
    points.map(([at, speedThere]) => [speedThere, at]),
    own * speed,
  );
  return Math.round(rate);
}
