// The limits of the mock as a table.
import { bounds } from '../../mock/server/options.ts';
import { limits } from '../../mock/store/store.ts';

const [kibi, mebi] = [1024, 1024 * 1024];

const count = (number: number): string => number.toLocaleString('en');

const size = (number: number): string =>
  number >= mebi ? `${number / mebi} Mi` : number >= kibi ? `${number / kibi} Ki` : count(number);

type Row = readonly [what: string, count: string, characters: string, whenFull: string];

const oldest = 'the oldest are dropped';
const full = '507, nothing changes';

const rows: readonly Row[] = [
  [
    'all workspaces',
    `${count(limits.workspaces)} workspaces`,
    size(limits.totalLength),
    'the least recently used workspaces are dropped, whole',
  ],
  [
    'outbox',
    '1,000 messages (`--outbox-limit`)',
    `${size(limits.outboxLength)} (\`--outbox-bytes\`, two bytes each)`,
    oldest,
  ],
  ['journal', `${count(limits.journalRequests)} requests`, size(limits.journalLength), oldest],
  ['leads', count(limits.leads), size(limits.leadsLength), full],
  ['templates', count(limits.templates), size(limits.templatesLength), full],
  ['placeholders of a template', count(limits.templatePlaceholders), '', '413'],
  ['a mail made from a template', '', size(limits.renderedCharacters), '413, nothing is sent'],
  ['fault rules', count(limits.faultRules), size(limits.faultRulesLength), full],
  [
    'events kept for streams that reconnect',
    count(limits.events),
    size(limits.eventsLength),
    'the stream says that events are missing',
  ],
  [
    'a request body',
    `${count(limits.requestValues)} values if over 64 KiB`,
    '1 MiB (`limits.body-size`)',
    '413',
  ],
  [
    'a state',
    `${count(limits.stateValues)} values`,
    `${size(limits.stateBytes)}B of JSON`,
    '413, nothing changes',
  ],
  ['open waits and event streams', count(limits.waiting), '', '429'],
  ['connections', count(limits.connections), '', 'closed'],
  ['a delay', `${count(bounds.delay[1])} ms`, '', 'refused'],
];

export const limitsTable = (): string =>
  [
    '| | Number | Characters | When it is reached |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
