import type { CheckReport } from './report.ts';
import { clip, visible } from './visible.ts';

/** All there is to say of a check that did not simply pass, as lines of plain text. */
export const findingText = ({ title, section, level, reason, waived, finding }: CheckReport): string =>
  [
    `${title} (§${section}, ${level})`,
    ...(finding
      ? [`expected: ${finding.expected}`, `actual:   ${finding.actual}`, ...place(finding)]
      : reason === undefined
        ? []
        : [reason]),
    ...(waived === undefined ? [] : [`waived:   ${waived}`]),
  ]
    .map((line) => clip(visible(line), 5_000))
    .join('\n');

const place = ({ pointer, reply, curl }: NonNullable<CheckReport['finding']>): string[] => [
  ...(pointer ? [`at:       ${pointer}`] : []),
  ...(reply ? [`reply:    ${reply.status}, ${reply.size} bytes: ${reply.excerpt}`] : []),
  ...(curl ? [`replay:   ${curl}`] : []),
];

/** A duration as people say it. */
export const durationText = (milliseconds: number): string => {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};
