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
