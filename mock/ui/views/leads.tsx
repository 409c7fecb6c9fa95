import { useState } from 'preact/hooks';
import type { Lead } from '../../nouns/leads.ts';
import { CopyButton, CutText } from '../components/code-block.tsx';
import { Icon } from '../components/controls.tsx';
import { useConfirm, useNotify } from '../components/dialogs.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import {
  Command,
  Elsewhere,
  Empty,
  Pager,
  pageSize,
  startOf,
  Unavailable,
  ViewHead,
} from '../components/list-view.tsx';
import { Ago } from '../components/time.tsx';
import { curlCommand } from '../data/curl.ts';
import type { Place } from '../data/router.ts';
import { useLoaded, useWorkspace } from '../data/workspace.ts';

type Page = { readonly leads: readonly Lead[]; readonly total: number };

/** The leads of the workspace. */
export const Leads = ({ place }: { readonly place: Place }) => {
  const [edited, setEdited] = useState<Partial<Lead>>();
  const remove = useRemove();
  const { data, error } = useLoaded<Page>(`/leads?start=${startOf(place)}&limit=${pageSize}`, ['leads']);
  return (
    <section class="view" aria-label="Leads">
      <ViewHead title="Leads" count={data?.total}>
        <div class="spacer" />
        <Pager place={place} total={data?.total ?? 0} />
        <button type="button" class="button" onClick={() => setEdited({})}>
          <Icon name="people" />
          <span>Add lead</span>
        </button>
      </ViewHead>
      {edited && <LeadDialog lead={edited} onClose={() => setEdited(undefined)} />}
      {data?.total === 0 && <NoLeads />}
      {!data && <Unavailable error={error} />}
      {data && data.total > 0 && (
        <div class="table-scroll">
          <table class="table leads">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Source</th>
                <th scope="col">Note</th>
                <th scope="col">Added</th>
                <th scope="col">Changed</th>
                <th scope="col">Id</th>
                <th scope="col">
                  <span class="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.leads.map((lead) => (
                <LeadRow key={lead.lead_id} lead={lead} edit={setEdited} remove={remove} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

/** A form for a new lead, or for an existing one. */
const LeadDialog = ({ lead, onClose }: { readonly lead: Partial<Lead>; readonly onClose: () => void }) => {
  const { api, live } = useWorkspace();
  const { showNotice } = useNotify();
  const { lead_id, name = '', source = '', note = '' } = lead;
  const isNew = lead_id === undefined;
  return (
    <FormDialog
      title={isNew ? 'Add a lead' : 'Change the lead'}
      action={isNew ? 'Add' : 'Save'}
      fields={[
        { name: 'name', label: 'Name', value: name, isRequired: true },
        { name: 'source', label: 'Source', value: source },
        { name: 'note', label: 'Note', value: note, rows: 4 },
      ]}
      save={(values) =>
        isNew
          ? api.send('POST', '/leads', values)
          : api.send('PATCH', `/leads/${encodeURIComponent(lead_id)}`, values)
      }
      onSaved={() => {
        live.notify('leads');
        showNotice(isNew ? 'Lead added' : 'Lead changed');
      }}
      onClose={onClose}
    />
  );
};

const useRemove = () => {
  const { api, live } = useWorkspace();
  const { attempt, showNotice } = useNotify();
  const confirm = useConfirm();
  return async ({ lead_id, name }: Lead): Promise<void> => {
    if (!(await confirm({ title: 'Delete this lead?', text: name || lead_id, action: 'Delete' }))) return;
    if (!(await attempt(() => api.send('DELETE', `/leads/${encodeURIComponent(lead_id)}`)))) return;
    live.notify('leads');
    showNotice('Lead deleted');
  };
};

type RowProps = {
  readonly lead: Lead;
  readonly edit: (lead: Lead) => void;
  readonly remove: (lead: Lead) => void;
};

const LeadRow = ({ lead, edit, remove }: RowProps) => (
  <tr>
    <th scope="row" data-label="Name">
      {lead.name ? <CutText text={lead.name} subject="name" /> : <i class="nobody">no name</i>}
    </th>
    <td data-label="Source" class="value">
      {lead.source && <CutText text={lead.source} subject="source" />}
    </td>
    <td data-label="Note" class="value">
      {lead.note && <CutText text={lead.note} subject="note" />}
    </td>
    <td data-label="Added">
      <Ago time={lead.created_at} />
    </td>
    <td data-label="Changed">{lead.updated_at !== lead.created_at && <Ago time={lead.updated_at} />}</td>
    <td data-label="Id" class="id">
      <code>{lead.lead_id}</code>
      <CopyButton text={lead.lead_id} subject="id" />
    </td>
    <td class="row-actions">
      <button
        type="button"
        class="button small"
        aria-label={`Change ${lead.name || lead.lead_id}`}
        onClick={() => edit(lead)}
      >
        Change
      </button>
      <button
        type="button"
        class="icon-button small"
        title="Delete"
        aria-label={`Delete ${lead.name || lead.lead_id}`}
        onClick={() => remove(lead)}
      >
        <Icon name="trash" />
      </button>
    </td>
  </tr>
);

const NoLeads = () => {
  const { api } = useWorkspace();
  const body = '{"name":"Lena Fischer","source":"Webinar","note":"Call back after 17:00"}';
  const request = { method: 'POST', path: '/api/v1/leads', type: 'application/json', body };
  return (
    <Empty icon="people" title="No leads yet">
      <Elsewhere view="leads" />
      <p>
        Leads your app adds with the key <code>{api.key}</code> show here at once. Try it:
      </p>
      <Command text={curlCommand(request, api.key)} />
    </Empty>
  );
};
