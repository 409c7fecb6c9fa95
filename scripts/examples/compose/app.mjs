// The app: adds a lead, and shows the response.
const { MAIL_API_URL: url, MAIL_API_KEY: key } = process.env;

const response = await fetch(`${url}/api/v1/leads`, {
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Lena', source: 'Website' }),
});
const text = await response.text();
if (!response.ok) throw new Error(text);
console.log(text);
