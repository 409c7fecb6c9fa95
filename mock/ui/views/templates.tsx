import type { Template } from '../../mail/template.ts';
import { CodeBlock, Copied } from '../components/code-block.tsx';
import { Tabs } from '../components/controls.tsx';
import type { Field } from '../components/form.tsx';
import { List, type Row } from '../components/list.tsx';
import type { Shown } from '../components/pane.tsx';
import { HtmlPreview } from '../components/preview.tsx';
import { Moment } from '../components/time.tsx';
import { itemPath } from '../data/views.ts';

const fields: readonly Field[] = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'body', label: 'HTML, with {{placeholders}}', lines: 12, isRequired: true },
];

/** The templates of the workspace. */
export const Templates = () => (
  <List<Template>
    view="templates"
    fields={fields}
    rowOf={rowOf}
    about="A reset brings those of the seed back."
    show={show}
  />
);

const rowOf = ({ id, name, variables, created_at }: Template): Row => ({
  id,
  mark: <span class="chip">{id}</span>,
  what: (
    <>
      <b>{name}</b> <span class="snippet">{variables.join(', ') || 'no variables'}</span>
    </>
  ),
  when: <Moment time={created_at} format="short" />,
});

const show = (template: Template): Shown => {
  const { id, name, variables, body } = template;
  return {
    title: name,
    facts: [
      ['Id', <Copied text={id} subject="id" />],
      ['Variables', variables.join(', ') || <i>none</i>],
    ],
    values: { name, body },
    content: (
      <Tabs
        label="The template as"
        tabs={{
          preview: ['Preview', () => <HtmlPreview path={itemPath('templates', id)} item={template} />],
          html: ['HTML source', () => <CodeBlock text={body} subject="HTML" />],
        }}
      />
    ),
  };
};
