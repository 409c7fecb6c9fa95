// The parts of a report that the page and the summary have in common: each only writes them in its own form.
import type { Report } from './report.ts';
import { capitalise, coverageRows, trafficLines } from './text.ts';
import { type Cause, doubtsOf, findingsOf, pinsOf, sizeOf } from './view.ts';

/** A part of a report with a heading. */
export type Section = {
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  readonly causes?: readonly Cause[];
  readonly lists?: readonly (readonly [title: string, items: readonly string[]])[];
  /** Commands to copy. */
  readonly commands?: readonly string[];
};

/** What requires an action, the most urgent first. */
export const urgentSections = (report: Report): Section[] => {
  const causes = findingsOf(report);
  const { drifted, undecided } = pinsOf(report);
  const doubts = doubtsOf(report);
  const { leftovers } = report;
  const sections: Section[] = [
    {
      id: 'leftovers',
      title: `Left behind (${leftovers.length})`,
      text: 'These leads of the run could not be deleted. To delete them, set EMAIL_LEADS_API_KEY and run:',
      commands: leftovers.map(({ curl }) => curl),
    },
    {
      id: 'findings',
      title: `Findings (${causes.length === 1 ? 'one cause' : `${causes.length} causes`})`,
      causes,
    },
    {
      id: 'answers',
      title: `Pinned answers (${drifted.length} changed, ${sizeOf(undecided)} undecided)`,
      causes: [...drifted, ...undecided],
    },
    { id: 'doubts', title: `Needs review (${sizeOf(doubts)})`, causes: doubts },
  ];
  return sections.filter(({ causes = [], commands = [] }) => causes.length + commands.length > 0);
};

/** What the run saw beside its checks. */
export const coverageSection = (report: Report): Section => {
  const { checked, total } = report.coverage.documented;
  const traffic = report.traffic && trafficLines(report.traffic);
  return {
    id: 'coverage',
    title: 'Coverage',
    text: `${checked} of ${total} documented facts checked.`,
    lists: [
      ...coverageRows(report).map(([name, items]) => [capitalise(name), items] as const),
      ...(traffic ? [['Traffic', traffic] as const] : []),
    ],
  };
};
