import { useState } from 'preact/hooks';
import type { Lead } from '../../workspace/leads.ts';
import { CopyButton, CutText } from '../components/code-block.tsx';
import { Icon } from '../components/controls.tsx';
import { Dialog, useConfirm, useNotify } from '../components/dialogs.tsx';
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
import { mockAddress } from '../data/api.ts';
import { quote } from '../data/curl.ts';
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

type LeadFields = { readonly name: string; readonly source: string; readonly note: string };

/** A form for a new lead, or for an existing one. */
const LeadDialog = ({ lead, onClose }: { readonly lead: Partial<Lead>; readonly onClose: () => void }) => {
  const { api, live } = useWorkspace();
  const { attempt, showNotice } = useNotify();
  const isNew = lead.lead_id === undefined;
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const field = (name: keyof LeadFields): string => String(form.get(name) ?? '');
    const fields: LeadFields = { name: field('name'), source: field('source'), note: field('note') };
    const path = isNew ? '/leads' : `/leads/${encodeURIComponent(lead.lead_id ?? '')}`;
    if (!(await attempt(() => api.send(isNew ? 'POST' : 'PATCH', path, fields)))) return;
    live.notify('leads');
    showNotice(isNew ? 'Lead added' : 'Lead changed');
    onClose();
  };
  return (
    <Dialog title={isNew ? 'Add a lead' : 'Change the lead'} onClose={onClose}>
      <form class="key-form" onSubmit={save}>
        <label class="field">
          <span>Name</span>
          <input name="name" defaultValue={lead.name ?? ''} autocomplete="off" required autofocus />
        </label>
        <label class="field">
          <span>Source</span>
          <input name="source" defaultValue={lead.source ?? ''} autocomplete="off" />
        </label>
        <label class="field">
          <span>Note</span>
          <textarea name="note" rows={4} defaultValue={lead.note ?? ''} />
        </label>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button primary">
            {isNew ? 'Add' : 'Save'}
          </button>
        </div>
      </form>
    </Dialog>
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
  const command = [
    `curl -X POST ${mockAddress}/api/v1/leads \\`,
    `  -H ${quote(`Authorization: Bearer ${api.key}`)} -H "Content-Type: application/json" \\`,
    `  -d '{"name":"Lena Fischer","source":"Webinar","note":"Call back after 17:00"}'`,
  ].join('\n');
  return (
    <Empty icon="people" title="No leads yet">
      <Elsewhere view="leads" />
      <p>
        Leads your app adds with the key <code>{api.key}</code> show here at once. Try it:
      </p>
      <Command text={command} />
    </Empty>
  );
};
