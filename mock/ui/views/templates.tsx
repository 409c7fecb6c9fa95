import { useState } from 'preact/hooks';
import type { Template } from '../../mail/template.ts';
import { CopyButton } from '../components/code-block.tsx';
import { Icon, Tabs } from '../components/controls.tsx';
import { Empty, Unavailable, ViewHead } from '../components/list-view.tsx';
import { Ago } from '../components/time.tsx';
import { useKeys, useStored } from '../data/keyboard-and-storage.ts';
import { hrefOf, navigate, type Place } from '../data/router.ts';
import { useLoaded } from '../data/workspace.ts';
import { HtmlPreview } from './messages/preview.tsx';
import { Source } from './messages/tabs.tsx';

type List = { readonly templates: readonly Template[]; readonly total: number };

/** The templates of the workspace, with a preview of the open one. */
export const Templates = ({ place }: { readonly place: Place }) => {
  const { data, error } = useLoaded<List>('/templates', ['templates']);
  const open = data?.templates.find(({ id }) => id === place.id);
  useKeys({ Escape: () => navigate(hrefOf('templates')) });
  return (
    <div class={place.id === undefined ? 'split' : 'split open'}>
      <section class="list-pane" aria-label="Templates">
        <ViewHead title="Templates" count={data?.total} />
        {!data && <Unavailable error={error} />}
        {data?.total === 0 && (
          <Empty icon="template" title="No templates">
            <p>
              <code>POST /__admin/templates</code> adds one; a reset brings those of the seed back.
            </p>
          </Empty>
        )}
        {data && data.total > 0 && (
          <p class="hint">
            Edit them with the admin API: <code>PUT /__admin/templates/{'{id}'}</code> changes one,{' '}
            <code>POST /__admin/templates</code> adds one.
          </p>
        )}
        <ul class="rows templates">
          {data?.templates.map((template) => (
            <li key={template.id}>
              <Row template={template} open={template.id === place.id} />
            </li>
          ))}
        </ul>
      </section>
      {open && <Detail key={open.id} template={open} />}
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

const Row = ({ template, open }: { readonly template: Template; readonly open: boolean }) => (
  <a
    class="row"
    data-row={template.id}
    href={hrefOf('templates', template.id)}
    {...(open ? { 'aria-current': 'true' as const } : {})}
  >
    <span class="tag">{template.id}</span>
    <span class="what">
      <b>{template.name}</b>
      <span class="snippet">{template.variables.join(', ') || 'no variables'}</span>
    </span>
    <span class="when">
      <Ago time={template.created_at} />
    </span>
  </a>
);

const tabs = ['preview', 'html'] as const;
const titles = { preview: 'Preview', html: 'HTML source' } as const;

// Highest number of fields for variables. A preview does not need more.
const maxFields = 30;

const Detail = ({ template }: { readonly template: Template }) => {
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
