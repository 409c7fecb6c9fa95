import { mockAddress } from './api.ts';
import { CopyButton } from './copy.tsx';
import type { Place } from './location.ts';
import { Command, Empty, Pager, pageSize, startOf, ViewHead } from './parts.tsx';
import { Ago } from './time.tsx';
import { useLoaded, useWorkspace } from './workspace.ts';

type Lead = {
  readonly lead_id: string;
  readonly name: string;
  readonly source: string;
  readonly note: string;
  readonly created_at: string;
  readonly updated_at: string;
};

type Page = { readonly leads: readonly Lead[]; readonly total: number };

/** What came in, as the mock holds it. */
export const Leads = ({ place }: { readonly place: Place }) => {
  const { data } = useLoaded<Page>(`/leads?start=${startOf(place)}&limit=${pageSize}`, ['leads']);
  return (
    <section class="view" aria-label="Leads">
      <ViewHead title="Leads" count={data?.total}>
        <div class="spacer" />
        <Pager place={place} total={data?.total ?? 0} />
      </ViewHead>
      {data?.total === 0 && <NoLeads />}
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
              </tr>
            </thead>
            <tbody>
              {data.leads.map((lead) => (
                <LeadRow key={lead.lead_id} lead={lead} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};

const LeadRow = ({ lead }: { readonly lead: Lead }) => (
  <tr>
    <th scope="row" data-label="Name">
      {lead.name || <i class="nobody">no name</i>}
    </th>
    <td data-label="Source">{lead.source}</td>
    <td data-label="Note" class="value">
      {lead.note}
    </td>
    <td data-label="Added">
      <Ago time={lead.created_at} />
    </td>
    <td data-label="Changed">{lead.updated_at !== lead.created_at && <Ago time={lead.updated_at} />}</td>
    <td data-label="Id" class="id">
      <code>{lead.lead_id}</code>
      <CopyButton text={lead.lead_id} what="id" />
    </td>
  </tr>
);

const NoLeads = () => {
  const { api } = useWorkspace();
  const command = [
    `curl -X POST ${mockAddress}/api/v1/leads \\`,
    `  -H "Authorization: Bearer ${api.key}" -H "Content-Type: application/json" \\`,
    `  -d '{"name":"Lena Fischer","source":"Webinar","note":"Call back after 17:00"}'`,
  ].join('\n');
  return (
    <Empty icon="people" title="No leads yet">
      <p>
        Leads your app adds with the key <code>{api.key}</code> show here at once. Try it:
      </p>
      <Command text={command} />
    </Empty>
  );
};
