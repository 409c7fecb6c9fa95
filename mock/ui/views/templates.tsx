import { useState } from 'preact/hooks';
import type { Template } from '../../mail/template.ts';
import { CopyButton } from '../components/code-block.tsx';
import { Icon, Tabs } from '../components/controls.tsx';
import { useConfirm, useNotify } from '../components/dialogs.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Empty, ListRow, Unavailable, ViewHead } from '../components/list-view.tsx';
import { Ago } from '../components/time.tsx';
import { useKeys, useStored } from '../data/keyboard-and-storage.ts';
import { hrefOf, navigate, type Place } from '../data/router.ts';
import { useLoaded, useWorkspace } from '../data/workspace.ts';
import { HtmlPreview } from './messages/preview.tsx';
import { Source } from './messages/tabs.tsx';

type List = { readonly templates: readonly Template[]; readonly total: number };

/** The templates of the workspace, with a preview of the open one. */
export const Templates = ({ place }: { readonly place: Place }) => {
  const { data, error } = useLoaded<List>('/templates', ['templates']);
  const [edited, setEdited] = useState<Partial<Template>>();
  const open = data?.templates.find(({ id }) => id === place.id);
  useKeys({ Escape: () => navigate(hrefOf('templates')) });
  return (
    <div class={place.id === undefined ? 'split' : 'split open'}>
      <section class="list-pane" aria-label="Templates">
        <ViewHead title="Templates" count={data?.total}>
          <div class="spacer" />
          <button type="button" class="button" onClick={() => setEdited({})}>
            <Icon name="template" />
            <span>Add template</span>
          </button>
        </ViewHead>
        {edited && <TemplateDialog template={edited} onClose={() => setEdited(undefined)} />}
        {!data && <Unavailable error={error} />}
        {data?.total === 0 && (
          <Empty icon="template" title="No templates">
            <p>A reset brings those of the seed back.</p>
          </Empty>
        )}
        <ul class="rows templates">
          {data?.templates.map((template) => (
            <li key={template.id}>
              <Row template={template} open={template.id === place.id} />
            </li>
          ))}
        </ul>
      </section>
      {open && <Detail key={open.id} template={open} edit={setEdited} />}
      {data && place.id !== undefined && !open && (
        <article class="detail-pane">
          <Empty icon="template" title="Template not found">
            <p>
              There is no template <code>{place.id}</code> in this workspace.
            </p>
            <a class="button" href={hrefOf('templates')}>
              All templates
            </a>
          </Empty>
        </article>
      )}
    </div>
  );
};

type DialogProps = { readonly template: Partial<Template>; readonly onClose: () => void };

/** A form for a new template, or for an existing one. */
const TemplateDialog = ({ template, onClose }: DialogProps) => {
  const { api, live } = useWorkspace();
  const { showNotice } = useNotify();
  const { id, name = '', body = '' } = template;
  return (
    <FormDialog
      title={id === undefined ? 'Add a template' : 'Change the template'}
      action={id === undefined ? 'Add' : 'Save'}
      fields={[
        { name: 'name', label: 'Name', value: name, isRequired: true },
        { name: 'body', label: 'HTML, with {{placeholders}}', value: body, rows: 12, isRequired: true },
      ]}
      save={(values) =>
        id === undefined
          ? api.send('POST', '/templates', values)
          : api.send('PUT', `/templates/${encodeURIComponent(id)}`, values)
      }
      onSaved={() => {
        live.notify('templates');
        showNotice(id === undefined ? 'Template added' : 'Template changed');
      }}
      onClose={onClose}
    />
  );
};

const useRemove = () => {
  const { api, live } = useWorkspace();
  const { attempt, showNotice } = useNotify();
  const confirm = useConfirm();
  return async ({ id, name }: Template): Promise<void> => {
    if (!(await confirm({ title: 'Delete this template?', text: name, action: 'Delete' }))) return;
    if (!(await attempt(() => api.send('DELETE', `/templates/${encodeURIComponent(id)}`)))) return;
    live.notify('templates');
    navigate(hrefOf('templates'));
    showNotice('Template deleted');
  };
};

const Row = ({ template, open }: { readonly template: Template; readonly open: boolean }) => (
  <ListRow id={template.id} href={hrefOf('templates', template.id)} isOpen={open}>
    <span class="tag">{template.id}</span>
    <span class="what">
      <b>{template.name}</b>
      <span class="snippet">{template.variables.join(', ') || 'no variables'}</span>
    </span>
    <span class="when">
      <Ago time={template.created_at} />
    </span>
  </ListRow>
);

const tabs = ['preview', 'html'] as const;
const titles = { preview: 'Preview', html: 'HTML source' } as const;

// Highest number of fields for variables. A preview does not need more.
const maxFields = 30;

type DetailProps = { readonly template: Template; readonly edit: (template: Template) => void };

const Detail = ({ template, edit }: DetailProps) => {
  const remove = useRemove();
  const [tab, setTab] = useStored<(typeof tabs)[number]>('template-tab', tabs, 'preview');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const setValue = (name: string, value: string): void => {
    const { [name]: _previous, ...others } = values;
    setValues(value === '' ? others : { ...others, [name]: value });
  };
  return (
    <article class="detail-pane" aria-label="Template">
      <header class="message-head">
        <div class="message-actions">
          <a
            class="icon-button"
            href={hrefOf('templates')}
            title="Back to the list (Esc)"
            aria-label="Back to the list"
          >
            <Icon name="back" />
          </a>
          <div class="spacer" />
          <button type="button" class="button small" onClick={() => edit(template)}>
            Change
          </button>
          <button
            type="button"
            class="icon-button"
            title="Delete template"
            aria-label="Delete template"
            onClick={() => remove(template)}
          >
            <Icon name="trash" />
          </button>
        </div>
        <h2>{template.name}</h2>
        <dl class="facts">
          <dt>Id</dt>
          <dd>
            <code>{template.id}</code> <CopyButton text={template.id} subject="id" />
          </dd>
          <dt>Variables</dt>
          <dd class="chips">
            {template.variables.slice(0, maxFields).map((name) => (
              <label key={name} class="chip sample">
                <code>{name}</code>
                <input
                  aria-label={`Sample value of ${name}`}
                  placeholder="sample value"
                  value={values[name] ?? ''}
                  autocomplete="off"
                  onChange={({ currentTarget }) => setValue(name, currentTarget.value)}
                />
              </label>
            ))}
            {template.variables.length > maxFields && <i>and {template.variables.length - maxFields} more</i>}
            {template.variables.length === 0 && <i>none</i>}
          </dd>
        </dl>
      </header>
      <Tabs label="The template as" names={tabs} titles={titles} chosen={tab} choose={setTab}>
        {tab === 'preview' ? (
          <HtmlPreview
            path={`/templates/${encodeURIComponent(template.id)}`}
            item={template}
            query={Object.keys(values).length > 0 ? { values: JSON.stringify(values) } : {}}
          />
        ) : (
          <Source html={template.body} />
        )}
      </Tabs>
    </article>
  );
};
