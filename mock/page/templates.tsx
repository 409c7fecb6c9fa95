import { CopyButton } from './copy.tsx';
import { Icon } from './icons.tsx';
import { useKeys } from './keyboard.ts';
import { go, type Place, placeOf } from './location.ts';
import { HtmlPreview } from './messages/preview.tsx';
import { Source } from './messages/texts.tsx';
import { Empty, ViewHead } from './parts.tsx';
import { useStored } from './stored.ts';
import { Tabs } from './tabs.tsx';
import { Ago } from './time.tsx';
import { useLoaded } from './workspace.ts';

type Template = {
  readonly id: string;
  readonly name: string;
  readonly body: string;
  readonly variables: readonly string[];
  readonly created_at: string;
};

type List = { readonly templates: readonly Template[]; readonly total: number };

/** The templates of the workspace, with a preview of the one that is open. */
export const Templates = ({ place }: { readonly place: Place }) => {
  const { data } = useLoaded<List>('/templates', ['templates']);
  const open = data?.templates.find(({ id }) => id === place.id);
  useKeys({ Escape: () => go(placeOf('templates')) });
  return (
    <div class={place.id === undefined ? 'split' : 'split open'}>
      <section class="list-pane" aria-label="Templates">
        <ViewHead title="Templates" count={data?.total} />
        {data?.total === 0 && (
          <Empty icon="template" title="No templates">
            <p>
              <code>POST /__admin/templates</code> adds one; a reset brings those of the seed back.
            </p>
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
      {open && <Detail template={open} />}
      {data && place.id !== undefined && !open && (
        <article class="detail-pane">
          <Empty icon="template" title="This template is gone">
            <p>
              There is no template <code>{place.id}</code> in this workspace.
            </p>
            <a class="button" href={placeOf('templates')}>
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
    href={placeOf('templates', template.id)}
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

const Detail = ({ template }: { readonly template: Template }) => {
  const [tab, setTab] = useStored<(typeof tabs)[number]>('template-tab', tabs, 'preview');
  return (
    <article class="detail-pane" aria-label="Template">
      <header class="message-head">
        <div class="message-actions">
          <a
            class="icon-button"
            href={placeOf('templates')}
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
            <code>{template.id}</code> <CopyButton text={template.id} what="id" />
          </dd>
          <dt>Variables</dt>
          <dd class="chips">
            {template.variables.map((name) => (
              <code key={name} class="chip">
                {name}
              </code>
            ))}
            {template.variables.length === 0 && <i>none</i>}
          </dd>
        </dl>
      </header>
      <Tabs label="The template as" names={tabs} titles={titles} chosen={tab} choose={setTab}>
        {tab === 'preview' ? (
          <HtmlPreview path={`/templates/${encodeURIComponent(template.id)}/preview`} html={template.body} />
        ) : (
          <Source html={template.body} />
        )}
      </Tabs>
    </article>
  );
};
