import { deleteCurl } from './curl.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerFile } from './ledger-file.ts';
import type { Redact } from './redact.ts';

type Options = {
  readonly url: string;
  readonly runId: string;
  readonly ledger: Ledger | LedgerFile;
  readonly redact: Redact;
};

export const leadsOfThisRun = (count: number): string =>
  count === 1 ? '1 lead of this run' : `${count} leads of this run`;

/** What a run leaves on a deployment and how to remove it; no line where it leaves nothing. */
export const leftoverLines = ({ url, runId, ledger, redact }: Options): string[] => {
  const left = ledger.open();
  const lines = [
    ...(left.length === 0
      ? []
      : [`${leadsOfThisRun(left.length)} ${left.length === 1 ? 'is' : 'are'} left:`]),
    ...left.map((id) => `  ${deleteCurl(url, id)}`),
    ...hintLines({ runId, ledger }),
  ];
  return lines.map(redact);
};

/** The same without the list, for whoever has printed that. */
export const hintLines = ({ runId, ledger }: Pick<Options, 'runId' | 'ledger'>): string[] => [
  ...(ledger.open().length > 0 && 'path' in ledger
    ? [`To delete them all: email-leads contract --clean ${ledger.path}`]
    : []),
  ...(ledger.lost() > 0
    ? [
        `${ledger.lost()} more may be left that no reply named: look for leads called "Contract test ${runId}-…"`,
      ]
    : []),
];
