import type { Lead } from '../../nouns/leads.ts';
import { Copied } from '../components/code-block.tsx';
import type { Field } from '../components/form.tsx';
import { List, type Row } from '../components/list.tsx';
import type { Shown } from '../components/pane.tsx';
import { Moment } from '../components/time.tsx';
import { workspaceKey } from '../data/router.ts';

const sample = {
  method: 'POST',
  path: '/api/v1/leads',
  type: 'application/json',
  body: '{"name":"Lena Fischer","source":"Webinar","note":"Call back after 17:00"}',
};

const fields: readonly Field[] = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'source', label: 'Source' },
  { name: 'note', label: 'Note', lines: 4 },
];

/** The leads of the workspace. */
export const Leads = () => (
  <List<Lead>
    view="leads"
    filters={[]}
    fields={fields}
    rowOf={rowOf}
    about={
      <>
        Leads your app adds with the key <code>{workspaceKey()}</code> show here at once. Try it:
      </>
    }
    sample={sample}
    show={show}
  />
);

// Number of characters of a field in a row, which shows no more in any window.
const maxCharacters = 200;

const rowOf = (lead: Lead): Row => ({
  id: lead.lead_id,
  who: lead.name.slice(0, maxCharacters) || <i>no name</i>,
  extra: lead.source.slice(0, maxCharacters),
  what: <span class="snippet">{lead.note.slice(0, maxCharacters)}</span>,
  when: <Moment time={lead.created_at} format="short" />,
});

const show = ({ lead_id, name, source, note, created_at, updated_at }: Lead): Shown => ({
  title: name || <i>no name</i>,
  facts: [
    ['Source', source || <i>none</i>],
    ['Note', note ? <span class="lines">{note}</span> : <i>none</i>],
    ['Added', <Moment time={created_at} />],
    ['Changed', updated_at !== created_at && <Moment time={updated_at} />],
    ['Id', <Copied text={lead_id} subject="id" />],
  ],
  values: { name, source, note },
});
