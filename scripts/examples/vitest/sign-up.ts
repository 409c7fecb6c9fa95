// The app under test: adds a lead and sends a welcome mail; retries if the service is busy.
import type { paths } from 'email-leads/types';
import createClient from 'openapi-fetch';

export type Api = { readonly baseUrl: string; readonly apiKey: string };

/** @throws Error with the reason if the service refuses */
export const signUp = async (api: Api, name: string, email: string): Promise<string> => {
  const client = createClient<paths>({
    baseUrl: api.baseUrl,
    headers: { Authorization: `Bearer ${api.apiKey}` },
  });
  const lead = await again(() => client.POST('/api/v1/leads', { body: { name, source: 'Website' } }));
  const html = `<p>Welcome, ${name}!</p>`;
  const from = 'courses@example.com';
  const body = { subject: 'Welcome', from, to: email, html };
  await again(() => client.POST('/api/v1/email/send', { body }));
  return lead.data.lead_id;
};

type Result<Data> = { data?: Data; error?: { error: string }; response: Response };

const again = async <Data>(call: () => Promise<Result<Data>>, attempts = 3): Promise<Data> => {
  const { data, error, response } = await call();
  if (data) return data;
  if (response.status === 503 && attempts > 1) return again(call, attempts - 1);
  throw new Error(error?.error ?? `status ${response.status}`);
};
