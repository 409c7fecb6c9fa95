// The app under test: adds a lead and sends a welcome mail.

/** @param {{ baseUrl: string, apiKey: string }} api */
exports.signUp = async ({ baseUrl, apiKey }, name, email) => {
  const post = async (path, body) => {
    const response = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const reply = await response.json();
    if (!response.ok) throw new Error(reply.error);
    return reply;
  };
  const { data } = await post('/api/v1/leads', { name, source: 'Website' });
  await post('/api/v1/email/send', {
    subject: 'Welcome',
    from: 'courses@example.com',
    to: email,
    html: `<p>Welcome, ${name}!</p>`,
  });
  return data.lead_id;
};
