import type { Template } from '../../mail/template.ts';
import { CodeBlock, Copied } from '../components/code-block.tsx';
import { Button, Tabs } from '../components/controls.tsx';
import { EditButtons, useEditor } from '../components/editor.tsx';
import type { Field } from '../components/form.tsx';
import { List, type Row } from '../components/list.tsx';
import { ItemHead } from '../components/open-item.tsx';
import { Ago } from '../components/time.tsx';
import type { Place } from '../data/router.ts';
import { itemPath } from '../data/views.ts';
import { HtmlPreview } from './messages/preview.tsx';

const fields: readonly Field[] = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'body', label: 'HTML, with {{placeholders}}', lines: 12, isRequired: true },
];

/** The templates of the workspace. */
export const Templates = ({ place }: { readonly place: Place }) => {
  const { add } = useEditor('templates');
  return (
    <List<Template>
      place={place}
      view="templates"
      tools={<Button icon="template" text="Add template" onClick={() => add(fields)} />}
      rowOf={rowOf}
      about="A reset brings those of the seed back."
    >
      {(template, back) => <OpenTemplate template={template} back={back} />}
    </List>
  );
};

const rowOf = ({ id, name, variables, created_at }: Template): Row => ({
  id,
  mark: <span class="chip">{id}</span>,
  what: (
    <>
      <b>{name}</b> <span class="snippet">{variables.join(', ') || 'no variables'}</span>
    </>
  ),
  when: <Ago time={created_at} />,
});

const OpenTemplate = ({ template, back }: { readonly template: Template; readonly back: string }) => {
  const { id, name, variables, body } = template;
  return (
    <>
      <ItemHead
        back={back}
        title={name}
        actions={<EditButtons view="templates" id={id} name={name} fields={fields} values={{ name, body }} />}
        facts={[
          ['Id', <Copied text={id} subject="id" />],
          ['Variables', variables.join(', ') || <i>none</i>],
        ]}
      />
      <Tabs
        name="template-tab"
        label="The template as"
        tabs={{
          preview: ['Preview', () => <HtmlPreview path={itemPath('templates', id)} item={template} />],
          html: ['HTML source', () => <CodeBlock text={body} subject="HTML" language="html" />],
        }}
      />
    </>
  );
};
