// The app under test: sends a welcome mail.

/** @param {{ baseUrl: string, apiKey: string }} api */
export const welcome = async ({ baseUrl, apiKey }, name, to) => {
  const mail = { subject: 'Welcome', from: 'courses@example.com', to, html: `<p>Welcome, ${name}!</p>` };
  const response = await fetch(`${baseUrl}/api/v1/email/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(mail),
  });
  if (!response.ok) throw new Error((await response.json()).error);
};
