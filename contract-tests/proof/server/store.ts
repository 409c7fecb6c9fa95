import type { Behaviour } from './behaviour.ts';
import type { Time } from './time.ts';

/** Stored templates a service may hold (§2.2). The document says neither how many there are nor what they look like. */
export type Template = {
  readonly id: string;
  readonly name: string;
  readonly body: string;
  readonly variables: readonly string[];
  readonly created_at: string;
};

export const template = (id: string, name: string, body: string, variables: readonly string[]): Template => ({
  id,
  name,
  body,
  variables,
  created_at: '2024-03-09T08:15:30Z',
});

export const ordinaryTemplates: readonly Template[] = [
  template('tpl_welcome', 'Welcome', '<p>Hi {{first_name}}, welcome to {{course}}!</p>', [
    'first_name',
    'course',
  ]),
  template('tpl_reminder', 'Reminder', '<p>{{course}} starts on {{start_date}}, {{first_name}}.</p>', [
    'course',
    'start_date',
    'first_name',
  ]),
  template('tpl_notice', 'Notice', '<p>The office is closed today.</p>', []),
];

export const manyTemplates = (count: number): readonly Template[] =>
  Array.from({ length: count }, (_, index) =>
    template(
      String(1000 + index),
      `Lesson ${index + 1}`,
      `<h1>Lesson ${index + 1}</h1><p>{{student}}, your score is {{score_${index}}}.</p>`,
      ['student', `score_${index}`],
    ),
  );

/** The same placeholder twice, listed once; inner spaces; dots, dashes and letters beyond ASCII. */
export const spacedTemplates: readonly Template[] = [
  template('again', 'Again', '{{name}} and {{name}} once more', ['name']),
  template('spaced', 'Spaced', 'Dear {{ first_name }}, {{  course}}.', ['first_name', 'course']),
  template('dotted', 'Dotted', '{{user.first-name}} {{größe}}', ['user.first-name', 'größe']),
];

/** Braces that are not placeholders of §2.2, or not only: sections, comments, triple braces, style sheets. */
export const bracedTemplates: readonly Template[] = [
  template('section', 'Section', '{{#items}}<li>{{title}}</li>{{/items}}{{! a remark }}', ['items', 'title']),
  template('triple', 'Triple', '<div>{{{raw_html}}}</div>', ['raw_html']),
  template('style', 'Style', '<style>@media print{.a{color:red}}</style>{{name}}', ['name']),
  template('escaped', 'Escaped', 'Write \\{{name}} to greet {{name}}; a lone {{ and a lone }}', ['name']),
];

export type StoredLead = {
  readonly id: string;
  name: string;
  source: string;
  note: string;
  readonly created: Date;
  deleted?: Date;
};

/** The texts of a lead. */
export type Texts = Pick<StoredLead, 'name' | 'source' | 'note'>;

export type Store = {
  /** In order of creation; deleted ones stay, marked, so that they can linger (`deletedLeadAliveMs`). */
  readonly leads: StoredLead[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly mails: (string | null)[];
  readonly templates: readonly Template[];
  readonly add: (texts: Texts) => StoredLead;
  /** The lead a request may see: settled after its creation, not yet gone after its deletion. */
  readonly find: (id: string) => StoredLead | undefined;
  readonly living: () => readonly StoredLead[];
  readonly remove: (lead: StoredLead) => void;
};

export const createStore = (behaviour: Behaviour, { now }: Time): Store => {
  const leads: StoredLead[] = [];
  let created = 0;
  let lookups = 0;
  const visible = (lead: StoredLead) => {
    if (behaviour.replicas > 1 && lookups % behaviour.replicas === 0) return !lead.deleted;
    if (now() - lead.created.getTime() < behaviour.newLeadHiddenMs) return false;
    return !lead.deleted || now() - lead.deleted.getTime() < behaviour.deletedLeadAliveMs;
  };
  return {
    leads,
    now,
    mails: [],
    templates: behaviour.templates,
    add: (fields) => {
      created += 1;
      const lead = { id: behaviour.newId(created), ...fields, created: new Date(now()) };
      leads.push(lead);
      return lead;
    },
    find: (id) => {
      lookups += 1;
      return leads.find((lead) => lead.id === id && visible(lead));
    },
    living: () => leads.filter((lead) => !lead.deleted),
    remove: (lead) => {
      lead.deleted ??= new Date(now());
    },
  };
};
