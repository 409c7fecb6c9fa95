// The app under test: adds a lead.

/** @param {{ baseUrl: string, apiKey: string }} api */
export const addLead = async ({ baseUrl, apiKey }, name) => {
  const response = await fetch(`${baseUrl}/api/v1/leads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, source: 'Website' }),
  });
  const { data, error } = await response.json();
  if (!response.ok) throw new Error(error);
  return data.lead_id;
};
